//! The parameters of filters with a keyword, one row for each filter: its words and what follows
//! them, which can be repeated, which exclude each other, which need another. The token pass knows
//! by it where a word is a parameter, type checking checks the parameters of a filter once
//! ([`check`]), and the hints for misplaced words name the filter.
//!
//! Rules that depend on more than the parameters, as the dialect or the `:` after `move`, belong
//! to the type check of the filter.

use crate::ast::{Filter, Param, ParamKind};
use crate::diagnostic::{Code, Diagnostic, quoted};
use crate::keywords::Keyword as K;
use crate::keywords::{HEADER, Keyword, KeywordClass};
use crate::limits::MAX_ERRORS;
use ParamName::{Backward, Name, Range, Text, Word};

/// What a parameter is called, without its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParamName {
    Word(Keyword),
    Range,
    /// `<--`
    Backward,
    /// A string that follows the keyword.
    Text,
    /// A name that follows the keyword.
    Name,
}

/// What follows the word of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParamForm {
    /// Nothing.
    Flag,
    /// One operand or more.
    Operand,
    /// Filters in parentheses. The parameter is the last one.
    Arguments,
}

/// A parameter without which another one has no meaning.
struct Need {
    word: Keyword,
    /// One of these is enough.
    others: &'static [ParamName],
    /// What is missing, for the message.
    what: &'static str,
    help: Option<&'static str>,
}

/// A parameter of the first list cannot be combined with one of the second list.
struct Exclusion {
    one: &'static [ParamName],
    other: &'static [ParamName],
    help: Option<&'static str>,
}

/// The parameters of a filter.
struct Row {
    of: Keyword,
    flags: &'static [Keyword],
    operands: &'static [Keyword],
    arguments: &'static [Keyword],
    /// Those without a word.
    wordless: &'static [ParamName],
    repeatable: &'static [Keyword],
    exclusions: &'static [Exclusion],
    needs: &'static [Need],
    /// Words that it does not take, with the help for them.
    hints: &'static [(Keyword, &'static str)],
}

macro_rules! words {
    ($($word:ident)*) => { &[$(Keyword::$word),*] };
}

macro_rules! names {
    ($($word:ident)*) => { &[$(Word(Keyword::$word)),*] };
}

/// The row of every filter without parameters, and the default values of the other rows. Nothing
/// reads its keyword.
const NONE: Row = Row {
    of: K::Cql,
    flags: &[],
    operands: &[],
    arguments: &[],
    wordless: &[],
    repeatable: &[],
    exclusions: &[],
    needs: &[],
    hints: &[],
};

const fn excludes(one: &'static [ParamName], other: &'static [ParamName]) -> Exclusion {
    Exclusion { one, other, help: None }
}

/// The moves of `move` that are not in the game.
const GENERATED: &[ParamName] = names![Legal PseudoLegal Reverse];
const MOVE_SOURCES: &[ParamName] = names![Previous Legal PseudoLegal];
const CASTLINGS: &[ParamName] = names![Castle CastleShort CastleLong];

/// The directions, which are the parameters of `ray`.
const DIRECTIONS: &[Keyword] = words![
    AnyDirection Diagonal Down Horizontal Left MainDiagonal NorthEast NorthWest
    OffDiagonal Orthogonal Right SouthEast SouthWest Up Vertical
];

/// `sort min` and `sort max`.
const fn sort_text(word: Keyword, help: &'static str) -> Need {
    let what = "a text before what it sorts by";
    Need { word, others: &[Text], what, help: Some(help) }
}

const TABLE: &[Row] = &[
    Row { of: K::Pin, operands: words![From Through To], ..NONE },
    Row {
        of: K::Move,
        flags: words![
            EnPassant Castle CastleShort CastleLong Null Primary Secondary Previous Legal
            PseudoLegal Reverse Drop Count All
        ],
        operands: words![From To Capture Promote EnPassantSquare],
        arguments: words![Comment],
        // The last `capture` counts.
        repeatable: words![Capture Count Reverse],
        exclusions: &[
            excludes(MOVE_SOURCES, MOVE_SOURCES),
            excludes(CASTLINGS, CASTLINGS),
            excludes(GENERATED, names![Primary Secondary Comment]),
            excludes(names![Reverse], names![Previous Null Drop]),
            excludes(names![Null], names![EnPassant Promote]),
            excludes(names![EnPassant], names![EnPassantSquare Promote]),
            excludes(names![Primary], names![Secondary]),
        ],
        ..NONE
    },
    Row {
        of: K::Imagine,
        operands: words![Piece Swap SideToMove],
        repeatable: words![Piece Swap SideToMove],
        ..NONE
    },
    Row {
        of: K::SimilarPosition,
        flags: words![NoSort NoTransform],
        wordless: &[Text],
        repeatable: words![NoSort NoTransform],
        ..NONE
    },
    Row { of: K::Ray, flags: DIRECTIONS, repeatable: DIRECTIONS, ..NONE },
    Row { of: K::Xray, flags: DIRECTIONS, repeatable: DIRECTIONS, ..NONE },
    Row {
        of: K::Find,
        flags: words![Quiet All],
        wordless: &[Range, Backward],
        exclusions: &[excludes(names![All], &[Range])],
        ..NONE
    },
    Row { of: K::Echo, flags: words![Quiet All], wordless: &[Name], ..NONE },
    Row { of: K::ConsecutiveMoves, flags: words![Quiet], wordless: &[Range, Name], ..NONE },
    Row {
        of: K::Sort,
        flags: words![Quiet Min Max],
        wordless: &[Text],
        needs: &[
            sort_text(K::Min, "as in `sort min \"plies\" ply`; `sort ply` needs none"),
            sort_text(K::Max, "as in `sort max \"plies\" ply`; `sort ply` needs none"),
        ],
        ..NONE
    },
    Row { of: K::Message, flags: words![Quiet], ..NONE },
    Row { of: K::Hhdb, wordless: &[Name, Text], ..NONE },
    Row { of: K::Player, flags: words![White Black], wordless: &[Text], ..NONE },
    Row { of: K::Elo, flags: words![White Black], ..NONE },
    Row {
        of: K::Path,
        flags: words![
            FirstMatch KeepAllBest LastPosition NestBan PiecePath Primary Quiet SingleColor
            Verbose
        ],
        operands: words![Focus Max Title],
        wordless: &[Range],
        repeatable: words![LastPosition],
        exclusions: &[
            excludes(names![Focus], names![SingleColor]),
            Exclusion {
                one: names![Focus],
                other: names![Primary],
                help: Some(
                    "`{pathstart:depth == depth}` as last constituent keeps to the line of the start",
                ),
            },
        ],
        needs: &[Need {
            word: K::PiecePath,
            others: names![Focus SingleColor],
            what: "`focus` or `singlecolor`",
            help: None,
        }],
        hints: &[(K::Secondary, "`--(secondary)` is a move that is not the first of its position")],
        ..NONE
    },
    Row {
        of: K::Line,
        flags: words![
            FirstMatch LastPosition NestBan Primary Quiet Secondary SingleColor
        ],
        wordless: &[Range, Backward],
        repeatable: words![LastPosition],
        exclusions: &[
            excludes(names![Primary], names![Secondary]),
            excludes(&[Backward], names![Primary Secondary NestBan]),
        ],
        ..NONE
    },
];

/// The rows of classes of keywords.
const RANGED: Row = Row { wordless: &[Range], ..NONE };
const WITH_TEXT: Row = Row { wordless: &[Text], ..NONE };

/// The row of a filter.
fn row(of: Keyword) -> &'static Row {
    if let Some(row) = TABLE.iter().find(|row| row.of == of) {
        return row;
    }
    // A number after these two is their operand.
    if matches!(of, K::NoTransform | K::ReverseColor) {
        return &NONE;
    }
    match of.class() {
        KeywordClass::Direction(_) | KeywordClass::Transform => &RANGED,
        KeywordClass::Search | KeywordClass::Text => &WITH_TEXT,
        KeywordClass::Nullary
        | KeywordClass::Prefix(_)
        | KeywordClass::List
        | KeywordClass::Colored
        | KeywordClass::Special(_)
        | KeywordClass::Parameter
        | KeywordClass::Reserved => &NONE,
    }
}

impl Row {
    fn form(&self, word: Keyword) -> Option<ParamForm> {
        let forms = [
            (self.flags, ParamForm::Flag),
            (self.operands, ParamForm::Operand),
            (self.arguments, ParamForm::Arguments),
        ];
        forms.into_iter().find(|(words, _)| words.contains(&word)).map(|(_, form)| form)
    }

    fn takes(&self, name: ParamName) -> bool {
        match name {
            Word(word) => self.form(word).is_some(),
            Range | Backward | Text | Name => self.wordless.contains(&name),
        }
    }

    fn is_repeatable(&self, name: ParamName) -> bool {
        match name {
            Word(word) => self.repeatable.contains(&word),
            Name => true,
            Range | Backward | Text => false,
        }
    }

    fn exclusion(&self, one: ParamName, other: ParamName) -> Option<&Exclusion> {
        let joins = |exclusion: &&Exclusion| {
            let joined = |a, b| exclusion.one.contains(a) && exclusion.other.contains(b);
            joined(&one, &other) || joined(&other, &one)
        };
        self.exclusions.iter().find(joins)
    }
}

/// What follows the word, if it is a parameter of the filter.
pub(crate) fn form(of: Keyword, word: Keyword) -> Option<ParamForm> {
    row(of).form(word)
}

/// The words that can be added to the parameters of a filter that has these already.
pub(crate) fn further(of: Keyword, present: &[Keyword]) -> Vec<Keyword> {
    let row = row(of);
    let fits = |word: &Keyword| {
        let is_repeated = present.contains(word) && !row.is_repeatable(Word(*word));
        let excluded =
            |other: &Keyword| other != word && row.exclusion(Word(*word), Word(*other)).is_some();
        !is_repeated && !present.iter().any(excluded)
    };
    let words = row.operands.iter().chain(row.flags).chain(row.arguments);
    words.copied().filter(fits).collect()
}

/// Whether a range can follow the keyword.
pub(crate) fn takes_range(of: Keyword) -> bool {
    row(of).takes(Range)
}

/// Whether a search string can follow the keyword.
pub(crate) fn takes_text(of: Keyword) -> bool {
    row(of).takes(Text)
}

/// The filter that has the word as a parameter, for a hint.
pub(crate) fn filter_with(word: Keyword) -> Option<&'static str> {
    if let Some(row) = TABLE.iter().find(|row| row.form(word).is_some()) {
        return Some(row.of.name());
    }
    if word == K::Local {
        return Some(K::Dictionary.name());
    }
    HEADER.contains(&word).then_some("cql(…)")
}

impl ParamName {
    /// The parameter in messages.
    fn shown(self) -> String {
        match self {
            Word(word) => quoted(word.name()),
            Range => "the range".to_owned(),
            Backward => quoted("<--"),
            Text => "the text".to_owned(),
            Name => "the name".to_owned(),
        }
    }
}

impl Param {
    fn name(&self) -> ParamName {
        match self.kind {
            ParamKind::Flag(word) | ParamKind::Operands(word, _) => Word(word),
            ParamKind::Range(_) => Range,
            ParamKind::Backward => Backward,
            ParamKind::Text(_) => Text,
            ParamKind::Name(_) => Name,
        }
    }
}

/// The errors in the parameters of a filter.
pub(crate) fn check(filter: &Filter) -> Vec<Diagnostic> {
    if filter.params.is_empty() {
        return Vec::new();
    }
    let of = filter.keyword;
    let row = row(of);
    // The names without repetitions are few, however many parameters there are.
    let mut names: Vec<ParamName> = Vec::new();
    for name in filter.params.iter().map(Param::name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let has_one = |others: &[ParamName]| names.iter().any(|name| others.contains(name));
    let mut before: Vec<ParamName> = Vec::new();
    let mut errors = Vec::new();
    for (i, param) in filter.params.iter().enumerate() {
        if errors.len() >= MAX_ERRORS {
            break;
        }
        let (name, span) = (param.name(), param.span);
        let excluding = |&other: &ParamName| {
            let exclusion = row.exclusion(name, other).filter(|_| name != other)?;
            let error = Diagnostic::excluding(span, &name.shown(), &other.shown());
            Some(with_help(error, exclusion.help))
        };
        if !row.takes(name) {
            let hint = row.hints.iter().find(|hint| Word(hint.0) == name);
            let error = Diagnostic::not_a_parameter(span, &name.shown(), of.name());
            errors.push(with_help(error, hint.map(|hint| hint.1)));
        } else if before.contains(&name) && !row.is_repeatable(name) {
            errors.push(Diagnostic::duplicate(span, &name.shown()));
        } else if let Some(error) = before.iter().find_map(excluding) {
            errors.push(error);
        } else if name == Text && i + 1 < filter.params.len() {
            let message = format!("{} must be the last parameter of `{}`", name.shown(), of.name());
            errors.push(Diagnostic::new(Code::MisplacedParameter, span, message));
        }
        for need in row.needs {
            if Word(need.word) == name && !has_one(need.others) {
                let error = Diagnostic::missing(span, need.word.name(), need.what);
                errors.push(with_help(error, need.help));
            }
        }
        if !before.contains(&name) {
            before.push(name);
        }
    }
    errors
}

fn with_help(error: Diagnostic, help: Option<&str>) -> Diagnostic {
    match help {
        Some(help) => error.with_help(help),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_filter_has_one_row_and_each_word_one_form() {
        for (i, row) in TABLE.iter().enumerate() {
            let words: Vec<_> = [row.flags, row.operands, row.arguments].concat();
            assert!(TABLE[..i].iter().all(|other| other.of != row.of), "{:?}", row.of);
            let twice = words.iter().enumerate().find(|(i, word)| words[..*i].contains(word));
            assert_eq!(twice, None, "{:?}", row.of);
            let excluded = row.exclusions.iter().flat_map(|rule| rule.one.iter().chain(rule.other));
            let needed = row.needs.iter().flat_map(|need| need.others);
            let ruled = row.repeatable.iter().chain(row.needs.iter().map(|need| &need.word));
            for name in ruled.map(|&word| Word(word)).chain(excluded.chain(needed).copied()) {
                assert!(row.takes(name), "{:?} has a rule for {name:?}", row.of);
            }
            assert!(row.hints.iter().all(|hint| row.form(hint.0).is_none()), "{:?}", row.of);
        }
    }

    #[test]
    fn the_parameters_of_ray_are_the_keywords_of_directions() {
        let is_direction = |word: &&Keyword| matches!(word.class(), KeywordClass::Direction(_));
        let mut class: Vec<Keyword> = Keyword::ALL.iter().filter(is_direction).copied().collect();
        class.sort_unstable();
        let mut words = DIRECTIONS.to_vec();
        words.sort_unstable();
        assert_eq!(words, class);
    }

    #[test]
    fn each_word_that_is_only_a_parameter_has_a_filter() {
        for word in Keyword::ALL.iter().filter(|word| word.class() == KeywordClass::Parameter) {
            // `attacked by`
            assert_eq!(filter_with(*word).is_none(), *word == K::By, "{word:?}");
        }
    }
}
