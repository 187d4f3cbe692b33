//! Help for type errors that the surrounding text explains: a text without quotes, a number in
//! quotes, a keyword in capitals, a move in the notation of games.

use std::collections::{HashMap, HashSet};

use super::correction::{
    BareValue, Corrections, between, color, comparison_text, is_digits, is_filter, right_edges,
    search_filter, searching, takes_search_string, with_search,
};
use crate::ast::{self, ComparisonOperator, Expr, ExprKind as Ast, PrecedenceLevel};
use crate::cql3;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Help, Span};
use crate::dialect::Dialect;
use crate::hir::Type;
use crate::imports::{LibraryFunction, library_functions};
use crate::keywords::{Keyword, KeywordClass};
use crate::lexer::is_designator;
use crate::limits::MAX_REPEATED;
use crate::san;
use crate::sema::scope::UNASSIGNED;
use crate::synonyms::{self, Synonym};

/// Tags of the PGN standard without a filter of their own, in lowercase and in the case of files.
const TAGS: &[(&str, &str)] = &[
    ("annotator", "Annotator"),
    ("opening", "Opening"),
    ("plycount", "PlyCount"),
    ("round", "Round"),
    ("termination", "Termination"),
    ("timecontrol", "TimeControl"),
];

/// Adds help to errors that the surrounding text explains. Of several errors with the same cause
/// only the first is kept.
pub(in crate::sema) fn explain(
    text: &str,
    query: &ast::Query,
    dialect: Dialect,
    errors: &mut Vec<Diagnostic>,
) {
    let is_unassigned = |error: &&Diagnostic| error.help.as_deref() == Some(UNASSIGNED);
    let mut explainer = ErrorExplainer {
        corrections: Corrections { text, vars: &[] },
        dialect,
        places: errors.iter().map(|error| error.span).collect(),
        unassigned: errors.iter().filter(is_unassigned).map(|error| error.span).collect(),
        helps: HashMap::new(),
        followers: HashSet::new(),
    };
    explainer.items(&query.items);
    let ErrorExplainer { helps, followers, .. } = explainer;
    errors.retain(|error| !followers.contains(&error.span));
    let library: Vec<LibraryFunction> = match dialect.own_words && !errors.is_empty() {
        true => library_functions().collect(),
        false => Vec::new(),
    };
    for error in errors {
        let is_unknown = matches!(error.code, Code::UnknownName | Code::UnknownFunction);
        let own = if is_unknown {
            of_library(text, &library, error.span, library_place(query))
        } else if error.code == Code::MisplacedOperator {
            of_cql3(text, error.span).map(Help::from).or_else(|| of_field(text, error.span))
        } else {
            None
        };
        if let Some(help) = own.as_ref().or(helps.get(&error.span)) {
            *error = error.clone().with_help(help.clone());
        }
    }
}

/// Where the import of a library stands: before the first filter.
fn library_place(query: &ast::Query) -> Option<Span> {
    let first = query.items.first()?.span.start;
    Some(Span::new(first, first))
}

/// The help for the name of a function of the library that the query does not import. The import
/// is added at the place `import`.
fn of_library(
    text: &str,
    library: &[LibraryFunction],
    name: Span,
    import: Option<Span>,
) -> Option<Help> {
    let word = name.text(text);
    let LibraryFunction { file, name: function, parameters, .. } =
        library.iter().find(|function| function.name == word)?;
    let after = text.get(name.end as usize..).unwrap_or_default();
    let call = match after.starts_with('(') {
        true => call_length(after).map(|length| &after[..length]),
        false => parameters.is_empty().then_some("()"),
    };
    let Some(call) = call else {
        let help = format!(
            "`{function}` is in the library: put `import \"{file}\"` at the beginning, and call it \
             as `{function}({parameters})`"
        );
        return Some(Help::from(help));
    };
    let help =
        format!("`{function}` is in the library: write `import \"{file}\" {function}{call}`");
    let mut edits: Vec<Edit> =
        import.map(|place| Edit::new(place, format!("import \"{file}\" "))).into_iter().collect();
    if !after.starts_with('(') {
        edits.push(Edit::new(Span::new(name.end, name.end), call));
    }
    Some(Help::from(help).with(Fix::edit(format!("import `{file}`"), edits)))
}

/// The length of a list in parentheses at the beginning of a text, if it is short and on one line.
fn call_length(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut shown =
        text.char_indices().take(MAX_REPEATED).take_while(|(_, letter)| *letter != '\n');
    shown.find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at + 1)
    })
}

/// The help for a `:` before a word of CQL 3: `K:attackby A`.
fn of_cql3(text: &str, operator: Span) -> Option<String> {
    let after = text.get(operator.end as usize..)?;
    let word = after.split(|letter: char| !letter.is_ascii_alphanumeric()).next()?;
    (operator.text(text) == ":").then(|| cql3::keyword_help(word)).flatten()
}

/// The help for a `:` between a filter and its value, as search fields have it: `player:Alekhine`,
/// `elo white:2500`, `year:1950-1960`.
fn of_field(text: &str, operator: Span) -> Option<Help> {
    if operator.text(text) != ":" {
        return None;
    }
    let is_letter = |letter: char| letter.is_ascii_alphanumeric();
    let before = text.get(..operator.start as usize)?.trim_end();
    let mut words = before.rsplit(|letter| !is_letter(letter));
    let (word, other) = (words.next()?, words.next().unwrap_or_default());
    let after = text.get(operator.end as usize..)?.trim_start();
    let value = match after.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?.0,
        None => after.split(|letter: char| !is_letter(letter) && letter != '-').next()?,
    };
    if value.is_empty() || value.len() > MAX_REPEATED || value.contains(['\n', '\r']) {
        return None;
    }
    let keyword = Keyword::from_word(word)?;
    let is_color = matches!(keyword, Keyword::White | Keyword::Black);
    let of_rating = is_color && other == Keyword::Elo.name();
    // The value is a part of the text, so its address tells its end.
    let quote = u32::from(after.starts_with('"'));
    let value_end = (text.len() - after.len() + value.len()) as u32 + 2 * quote;
    let field = |length: usize| Span::new((before.len() - length) as u32, value_end);
    let number = |subject: &str, op: &str, place: Span| match value.split_once('-') {
        Some((low, high)) => {
            (is_digits(low) && is_digits(high)).then(|| between(place, subject, low, high))
        }
        None => is_digits(value).then(|| Help::write(place, format!("{subject} {op} {value}"))),
    };
    if of_rating || keyword == Keyword::Elo {
        let color = if of_rating { format!(" {word}") } else { String::new() };
        let subject = format!("{}{color}", Keyword::Elo.name());
        return number(&subject, ">=", field(subject.len()));
    }
    let meaning =
        if is_color { WordMeaning::Player(keyword) } else { WordMeaning::Filter(keyword) };
    // `player white:…`
    let of_player = is_color && other == Keyword::Player.name();
    let start = before.rfind(other).filter(|_| of_player);
    let place = field(start.map_or(word.len(), |start| before.len() - start));
    let query = meaning.with(value).map(|query| Help::write(place, query));
    query.or_else(|| number(word, "==", place).filter(|_| keyword.ty() == Some(Type::Number)))
}

/// The help for a range of codes of openings that begins at this place, `B20-B99` or `B20..B99`,
/// and the place of the second code. The range is written in the place of `filter` and the codes.
fn range_of_codes(text: &str, first: Span, filter: Span) -> Option<(Help, Span)> {
    let code = |text: &str| matches!(text.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
    let low = first.text(text);
    let after = text.get(first.end as usize..)?;
    let separator = ["..", " - ", "-"].into_iter().find(|one| after.starts_with(one))?;
    let start = first.end + separator.len() as u32;
    let second = Span::new(start, start + 3);
    let high = text.get(start as usize..second.end as usize)?;
    let query = format!("\"{low}\" <= eco <= \"{high}\"");
    let help = || {
        let help = Help::from(format!("for a range of codes write `{query}`"));
        help.with(Fix::replace(filter.to(second), query.clone()))
    };
    (code(low) && code(high)).then(|| (help(), second))
}

struct ErrorExplainer<'a> {
    corrections: Corrections<'a>,
    dialect: Dialect,
    /// The spans of the errors.
    places: HashSet<Span>,
    /// The spans of unknown names that are like no known word.
    unassigned: HashSet<Span>,
    helps: HashMap<Span, Help>,
    /// The spans of errors with the same cause as an earlier one.
    followers: HashSet<Span>,
}

impl<'a> ErrorExplainer<'a> {
    /// Checks the filters of a list.
    fn items(&mut self, items: &'a [Expr]) {
        for (at, item) in items.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| &items[at]);
            if let Some(name) = self.unknown_at_left(item) {
                let run = items[at + 1..].iter().map_while(|next| self.unknown(next));
                let names: Vec<Span> = std::iter::once(name.span).chain(run).collect();
                self.text_without_quotes(before, &names);
            }
            if self.unknown(item).is_some() {
                if let (Some(before), Some(after)) = (before, items.get(at + 1)) {
                    self.word_between(before, item, after);
                }
                self.unknown_word(item, &items[at + 1..]);
                self.player(item);
            }
            self.filter(item);
        }
    }

    fn filter(&mut self, e: &'a Expr) {
        if let Ast::Relation { left, op, op_span, right } = &e.kind {
            let help = self.relation(left, *op, *op_span, right);
            self.helps.extend(help);
        }
        if let Ast::Block(items)
        | Ast::Function { body: items, .. }
        | Ast::Hook { body: items, .. } = &e.kind
        {
            self.items(items);
        } else {
            let is_condition = matches!(
                e.kind,
                Ast::Not(_) | Ast::Infix { level: PrecedenceLevel::Or | PrecedenceLevel::And, .. }
            );
            e.kind.for_each_child(&mut |child| {
                let is_dictionary =
                    matches!(&e.kind, Ast::Index { base, .. } if base.span == child.span);
                if !is_dictionary {
                    self.unknown_word(child, &[]);
                }
                if is_condition {
                    self.player(child);
                }
                self.filter(child);
            });
        }
    }

    /// The span of the expression, if it is a name with an error.
    fn unknown(&self, e: &Expr) -> Option<Span> {
        let is_name = matches!(e.kind, Ast::Name(_));
        (is_name && self.places.contains(&e.span)).then_some(e.span)
    }

    /// The name with an error at the left end of a filter, if there is one.
    fn unknown_at_left<'e>(&self, e: &'e Expr) -> Option<&'e Expr> {
        let mut edge = e;
        loop {
            if self.unknown(edge).is_some() {
                return Some(edge);
            }
            let mut first = None;
            edge.kind.for_each_child(&mut |child| {
                if first.is_none() && child.span.start == edge.span.start {
                    first = Some(child);
                }
            });
            edge = first?;
        }
    }

    /// `player Magnus Carlsen`
    fn text_without_quotes(&mut self, before: Option<&Expr>, names: &[Span]) {
        let (Some(before), Some(first), Some(last)) = (before, names.first(), names.last()) else {
            return;
        };
        let text = first.to(*last).text(self.corrections.text);
        if text.contains(['\n', '\r']) {
            return;
        }
        let edges = right_edges(before);
        if let Some(color) = edges.iter().find_map(|edge| color(edge)) {
            let word = first.text(self.corrections.text);
            if let Some(query) = result_of(color, word) {
                let place = edges.last().map_or(*first, |edge| edge.span.to(*first));
                self.helps.insert(*first, Help::write(place, query));
                return;
            }
            // `white king`; a name has a capital.
            if word.starts_with(|c: char| c.is_ascii_lowercase()) && synonyms::find(word).is_some()
            {
                return;
            }
        }
        let query = edges.into_iter().find_map(|edge| {
            if let Some(color) = color(edge) {
                return Some((edge.span, search_filter(Keyword::Player, Some(color), text)));
            }
            let filter = searching(edge)?;
            filter.text().is_none().then(|| (edge.span, with_search(filter, text)))
        });
        let of_codes = query.as_ref().filter(|query| query.1.starts_with(Keyword::Eco.name()));
        let codes =
            of_codes.and_then(|(place, _)| range_of_codes(self.corrections.text, *first, *place));
        if let Some((help, second)) = codes {
            self.helps.insert(*first, help);
            self.followers.insert(second);
        } else if let Some((place, query)) = query {
            let help = Help::from(format!("a text stands in quotes: `{query}`"));
            self.helps.insert(*first, help.with(Fix::replace(place.to(*last), query)));
            self.followers.extend(&names[1..]);
        }
    }

    /// `Q takes r`, `R on a8`, `K at g8 or h8`: a word between piece designators.
    fn word_between(&mut self, before: &Expr, word: &Expr, after: &Expr) {
        let (Some(place), Ast::Name(name)) = (self.unknown(word), &word.kind) else {
            return;
        };
        let edge = right_edges(before).pop();
        let rights: Option<Vec<&str>> =
            if let Ast::Infix { level: PrecedenceLevel::Or, first, rest } = &after.kind {
                let operands = std::iter::once(&**first).chain(rest.iter().map(|tail| &tail.right));
                operands.map(|operand| self.pieces(operand)).collect()
            } else {
                self.pieces(after).map(|right| vec![right])
            };
        let (Some(left), Some(rights)) = (edge.and_then(|e| self.pieces(e)), rights) else {
            return;
        };
        let query = match name.to_ascii_lowercase().as_str() {
            _ if self.corrections.source(after).len() > MAX_REPEATED => return,
            "takes" | "captures" | "capturing" => {
                joined(&rights, |right| format!("{left}[x]{right}"))
            }
            "on" | "at" => joined(&rights, |right| {
                Some(format!("{left}{right}"))
                    .filter(|whole| is_designator(whole))
                    .unwrap_or_else(|| format!("{left} & {right}"))
            }),
            _ => return,
        };
        let whole = edge.map_or(place, |edge| edge.span).to(after.span);
        self.helps.entry(place).or_insert_with(|| Help::write(whole, query));
    }

    /// The text of a piece designator, also of one that is meant by a word as `pawn`.
    fn pieces<'e>(&'e self, e: &Expr) -> Option<&'e str> {
        if let Ast::Name(name) = &e.kind {
            let query = synonyms::find(name)?.query;
            is_designator(query).then_some(query)
        } else {
            matches!(e.kind, Ast::Designator(_)).then(|| self.corrections.source(e))
        }
    }

    /// `Kasparov`: a word that has the form of a name, in the place of a condition.
    fn player(&mut self, e: &Expr) {
        let (Some(place), Ast::Name(name)) = (self.unknown(e), &e.kind) else {
            return;
        };
        let rest = name.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or_default();
        let is_surname = rest.len() >= 3 && rest.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_surname && self.unassigned.contains(&place) {
            let query = search_filter(Keyword::Player, None, name);
            let help = Help::from(format!("{UNASSIGNED}; a player is named by `{query}`"))
                .with(Fix::replace(place, query));
            self.helps.entry(place).or_insert(help);
        }
    }

    /// `ECO "B20"`, `round 3`, `Mate`: an unknown name that is a keyword in another case or a PGN
    /// tag, with the value after it.
    fn unknown_word(&mut self, e: &Expr, rest: &[Expr]) {
        let (Some(place), Ast::Name(name)) = (self.unknown(e), &e.kind) else {
            return;
        };
        let lower = name.to_ascii_lowercase();
        // `Player Magnus Carlsen`
        let names: Vec<Span> = rest.iter().map_while(|next| self.unknown(next)).collect();
        let value = if let (Some(first), Some(last)) = (names.first(), names.last()) {
            Some(first.to(*last).text(self.corrections.text))
                .filter(|text| !text.contains(['\n', '\r']))
        } else if let Some(Ast::Str(text)) = rest.first().map(|next| &next.kind) {
            Some(text.as_str())
        } else if let Some(next) = rest.first()
            && matches!(next.kind, Ast::Int(_))
        {
            Some(self.corrections.source(next))
        } else {
            None
        };
        let Some(meaning) = WordMeaning::of(name, &lower) else {
            self.game_move(place, name);
            return;
        };
        // A word after it that the filter does not take has an error of its own.
        let (query, followers) = match value.and_then(|text| meaning.with(text)) {
            Some(query) => (Some(query), names),
            None => (None, Vec::new()),
        };
        if self.helps.contains_key(&place) || self.followers.contains(&place) {
            return;
        }
        let help = if let WordMeaning::Synonym(synonym) = meaning {
            synonym.help(place)
        } else if let Some(query) = query {
            let last = followers.last().copied().or(rest.first().map(|next| next.span));
            Help::write(last.map_or(place, |last| place.to(last)), query)
        } else {
            let help = Help::write(place, meaning.alone());
            // A keyword in another case.
            let is_keyword = matches!(meaning, WordMeaning::Filter(word) if word.name() == lower);
            if is_keyword { help.certain() } else { help }
        };
        self.helps.insert(place, help);
        self.followers.extend(followers);
    }

    /// `Qxf7`, `O-O`
    fn game_move(&mut self, place: Span, name: &str) {
        if name == "O" {
            let after = self.corrections.text.get(place.start as usize..).unwrap_or_default();
            let help = match after.starts_with("O-O-O") {
                true => "castling to the queenside is written `o-o-o`",
                false => "castling is written `o-o`, or `o-o-o` to the queenside",
            };
            self.helps.entry(place).or_insert_with(|| help.into());
            return;
        }
        if let Some(help) = san::translated(name, place) {
            self.helps.entry(place).or_insert(help);
            return;
        }
        let Some(capture) = san::Capture::read(name) else { return };
        let after = self.corrections.text.get(place.end as usize..).unwrap_or_default();
        let mark = after.get(..1).filter(|mark| matches!(*mark, "+" | "#")).unwrap_or_default();
        let whole = Span::new(place.start, place.end + mark.len() as u32);
        self.helps.entry(place).or_insert_with(|| match self.dialect.own_words {
            true => san::played(&format!("{name}{mark}"), whole),
            false => {
                let dash = capture.dash();
                Help::from(format!("a capture of that form is written `{dash}`"))
                    .with(Fix::replace(whole, dash))
            }
        });
    }

    /// The place of an error in a comparison, and help for it: `year == "1920"`, `date > 1920`,
    /// `player white == Carlsen`
    fn relation(
        &self,
        left: &Expr,
        op: ComparisonOperator,
        op_span: Span,
        right: &Expr,
    ) -> Option<(Span, Help)> {
        let whole = left.span.to(right.span);
        let help = |text: String, query: String| Help::from(text).with(Fix::replace(whole, query));
        let left_text = self.corrections.source(left);
        let right_text = self.corrections.source(right);
        let can_have_type = |ty| self.corrections.can_have_type(left, ty);
        if let (Some(place), Ast::Name(name)) = (self.unknown(left), &left.kind) {
            // `material == "KRvKR"`
            let is_key = name.eq_ignore_ascii_case("material")
                && matches!(right.kind, Ast::Str(_))
                && self.dialect.own_words;
            let key = Keyword::MaterialKey.name();
            return is_key.then(|| {
                let form = "White's pieces, `v`, Black's pieces, as in `\"KRPvKR\"`";
                let query = format!("{key} {} {right_text}", op.name());
                (place, help(format!("write `{query}`: {form}"), query))
            });
        }
        if self.unknown(right).is_some() {
            let query = comparison_text(left_text, op, &BareValue::Text(right_text));
            return can_have_type(Type::String)
                .then(|| (right.span, help(format!("a text stands in quotes: `{query}`"), query)));
        }
        if !self.places.contains(&op_span) {
            return None;
        }
        let found = if let Ast::Str(text) = &right.kind {
            if let Some(color) = color(left) {
                let query = search_filter(Keyword::Player, Some(color), text);
                help(format!("a player is named by `{query}`"), query)
            } else if can_have_type(Type::Number) && is_digits(text) {
                let query = comparison_text(left_text, op, &BareValue::Number(text));
                help(format!("a number has no quotes: `{query}`"), query).certain()
            } else {
                return None;
            }
        } else if !matches!(right.kind, Ast::Int(_)) || !can_have_type(Type::String) {
            return None;
        } else if is_filter(left, Keyword::Date) && right_text.len() == 4 {
            let year = Keyword::Year.name();
            let query = comparison_text(year, op, &BareValue::Number(right_text));
            help(format!("the year of the date is a number: `{query}`"), query)
        } else {
            let query = comparison_text(left_text, op, &BareValue::Text(right_text));
            help(format!("a string stands in quotes: `{query}`"), query)
        };
        Some((op_span, found))
    }
}

/// `white wins`, `black lost`: the filter for the result of the player.
fn result_of(color: Keyword, word: &str) -> Option<&'static str> {
    let wins = match word.to_ascii_lowercase().as_str() {
        "win" | "wins" | "won" => true,
        "loss" | "lost" | "loses" => false,
        _ => return None,
    };
    Some(if wins == (color == Keyword::White) { "result 1-0" } else { "result 0-1" })
}

/// The probable meaning of an unknown word.
enum WordMeaning {
    /// A color, which means one of the players.
    Player(Keyword),
    /// The rating of a player.
    Elo(Keyword),
    /// A tag without a filter of its own.
    Tag(&'static str),
    /// A filter, perhaps with a search string.
    Filter(Keyword),
    /// A word of chess that the language has another word for.
    Synonym(&'static Synonym),
}

/// The filters for several operands: one of them must match.
fn joined(operands: &[&str], filter: impl Fn(&str) -> String) -> String {
    operands.iter().map(|operand| filter(operand)).collect::<Vec<_>>().join(" or ")
}

impl WordMeaning {
    /// The probable meaning of the name. `lower` is the name in lowercase.
    fn of(name: &str, lower: &str) -> Option<WordMeaning> {
        let elo = |color| Some(WordMeaning::Elo(color));
        match lower {
            "whiteelo" => return elo(Keyword::White),
            "blackelo" => return elo(Keyword::Black),
            _ => {}
        }
        if let Some((_, tag)) = TAGS.iter().find(|(word, _)| *word == lower) {
            return Some(WordMeaning::Tag(tag));
        }
        if let Some(synonym) = synonyms::find(name) {
            return Some(WordMeaning::Synonym(synonym));
        }
        let keyword = Keyword::from_word(lower)?;
        // A keyword in its usual case has another error.
        if name == lower || keyword.class() == KeywordClass::Reserved {
            return None;
        }
        if matches!(keyword, Keyword::White | Keyword::Black) {
            Some(WordMeaning::Player(keyword))
        } else {
            let is_parameter = keyword.class() == KeywordClass::Parameter;
            (!is_parameter).then_some(WordMeaning::Filter(keyword))
        }
    }

    fn alone(&self) -> String {
        match self {
            WordMeaning::Filter(keyword) => keyword.name().to_owned(),
            WordMeaning::Player(color) => format!("player {}", color.name()),
            WordMeaning::Elo(color) => format!("elo {} >= 2500", color.name()),
            WordMeaning::Tag(tag) => format!("tag \"{tag}\""),
            WordMeaning::Synonym(synonym) => synonym.query.to_owned(),
        }
    }

    /// The filter with the value that follows the word, if the value belongs to it.
    fn with(&self, value: &str) -> Option<String> {
        Some(match self {
            WordMeaning::Filter(keyword) if takes_search_string(*keyword) => {
                search_filter(*keyword, None, value)
            }
            WordMeaning::Player(color) => value
                .split_whitespace()
                .next()
                .and_then(|word| result_of(*color, word))
                .map_or_else(|| search_filter(Keyword::Player, Some(*color), value), str::to_owned),
            WordMeaning::Elo(color) if is_digits(value) => {
                format!("elo {} >= {value}", color.name())
            }
            // `Sicilian Defense: Najdorf Variation`
            WordMeaning::Tag("Opening") => format!("\"{value}\" in {}", self.alone()),
            WordMeaning::Tag(_) => format!("{} == \"{value}\"", self.alone()),
            WordMeaning::Elo(_) | WordMeaning::Filter(_) | WordMeaning::Synonym(_) => return None,
        })
    }
}
