//! Words beside an unknown name that have a meaning together with it: `doubled pawns`, `no queens`,
//! `2 rooks`, `for x in N`.

use super::super::correction::{search_filter, takes_search_string};
use crate::diagnostic::{Edit, Fix, Help, Span};
use crate::hir::Type;
use crate::imports::LibraryFunction;
use crate::keywords::{Keyword, KeywordClass};
use crate::lexer::is_designator;
use crate::limits::MAX_REPEATED;
use crate::parameters;
use crate::san;
use crate::synonyms;

/// The words of small numbers.
const NUMBERS: [&str; 8] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];

/// The number of a word such as `two`.
pub(super) fn number_word(word: &str) -> Option<i32> {
    let at = NUMBERS.iter().position(|number| number.eq_ignore_ascii_case(word))?;
    i32::try_from(at + 1).ok()
}

/// The help for an unknown name, and the place of all words that it explains.
pub(super) fn explain(text: &str, place: Span) -> Option<(Help, Span)> {
    let words = Neighbors { text, place };
    words
        .comment()
        .or_else(|| words.in_check())
        .or_else(|| words.joined())
        .or_else(|| words.placed())
        .or_else(|| words.number_of_pieces())
        .or_else(|| words.piece_of_color())
        .or_else(|| words.promotion())
        .or_else(|| words.negation())
        .or_else(|| words.each())
        .or_else(|| words.declaration())
        .or_else(|| words.search())
}

/// The function of the library whose name is written in pieces around an unknown name, as in
/// `smothered mate`, and the place of the pieces.
pub(super) fn library_function<'l>(
    text: &str,
    place: Span,
    library: &'l [LibraryFunction],
) -> Option<(&'l LibraryFunction, Span)> {
    Neighbors { text, place }.runs().find_map(|run| {
        let word = without_spaces(run.text(text));
        let is_meant = |function: &&LibraryFunction| {
            function.name.eq_ignore_ascii_case(&word) && function.parameters.is_empty()
        };
        Some((library.iter().find(is_meant)?, run))
    })
}

/// The words in small letters, as one word.
fn without_spaces(words: &str) -> String {
    let mut word = words.to_ascii_lowercase();
    word.retain(|letter| letter != ' ');
    word
}

struct Neighbors<'t> {
    text: &'t str,
    /// The unknown name.
    place: Span,
}

impl<'t> Neighbors<'t> {
    fn word(&self, place: Span) -> &'t str {
        place.text(self.text)
    }

    /// The word of letters or digits after this place, on the same line.
    fn after(&self, place: Span) -> Option<Span> {
        let rest = self.text.get(place.end as usize..)?;
        let word = rest.trim_start_matches(' ');
        let length = word.find(|letter: char| !is_letter(letter)).unwrap_or(word.len());
        let start = place.end + (rest.len() - word.len()) as u32;
        let is_word = length > 0 && length <= MAX_REPEATED && start > place.end;
        is_word.then(|| Span::new(start, start + length as u32))
    }

    /// The word of letters or digits before this place, on the same line.
    fn before(&self, place: Span) -> Option<Span> {
        let rest = self.text.get(..place.start as usize)?;
        let upto = rest.trim_end_matches(' ');
        let length = upto.len() - upto.trim_end_matches(is_letter).len();
        let is_word = length > 0 && length <= MAX_REPEATED && upto.len() < rest.len();
        is_word.then(|| Span::new((upto.len() - length) as u32, upto.len() as u32))
    }

    /// The runs of two or three words with the unknown name, the longest first.
    fn runs(&self) -> impl Iterator<Item = Span> {
        let before = self.before(self.place);
        let after = self.after(self.place);
        let first = before.and_then(|before| self.before(before));
        let last = after.and_then(|after| self.after(after));
        let runs = [
            last.map(|last| self.place.to(last)),
            before.and_then(|before| Some(before.to(after?))),
            first.map(|first| first.to(self.place)),
            after.map(|after| self.place.to(after)),
            before.map(|before| before.to(self.place)),
        ];
        runs.into_iter().flatten()
    }

    /// `doubled pawns`, `half move clock`, `flip color`: a word of the language in pieces.
    fn joined(&self) -> Option<(Help, Span)> {
        self.runs().find_map(|run| {
            let word = without_spaces(self.word(run));
            let help = if let Some(keyword) = Keyword::from_word(&word) {
                let class = keyword.class();
                let is_parameter = class == KeywordClass::Parameter;
                let filter = is_parameter.then(|| parameters::filter_with(keyword));
                match filter {
                    Some(filter) => Help::write(run, format!("{} {word}", filter?)),
                    None if class == KeywordClass::Reserved => return None,
                    None => Help::write(run, word),
                }
            } else {
                synonyms::find(&word)?.help(run)
            };
            Some((help, run))
        })
    }

    /// `king in check`, `black king in check`
    fn in_check(&self) -> Option<(Help, Span)> {
        let is_king = piece_word(self.word(self.place)) == piece_word("king");
        let within = self.after(self.place).filter(|_| is_king)?;
        let check = self.after(within)?;
        let is_check = self.word(within) == "in" && self.word(check) == "check";
        let (query, start) = match self.piece_of(self.place) {
            Some(('K', color)) => ("wtm check", color),
            Some((_, color)) => ("btm check", color),
            None => ("check", self.place),
        };
        let run = start.to(check);
        is_check.then(|| (Help::write(run, query), run))
    }

    /// `white queen on h7`, `pawn e5`, `Q on h7`
    fn placed(&self) -> Option<(Help, Span)> {
        let is_on = |place: Span| matches!(self.word(place), "on" | "at");
        let is_square = |place: &Span| {
            let word = self.word(*place);
            matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
        };
        let piece = if is_on(self.place) { self.before(self.place)? } else { self.place };
        let next = self.after(piece)?;
        let square = if is_on(next) { self.after(next)? } else { next };
        let written = self.word(piece);
        let (letters, start) = match (piece_word(written), self.piece_of(piece)) {
            (_, Some((letter, color))) => (letter.to_string(), color),
            (Some(pieces), None) => (pieces.to_owned(), piece),
            (None, None) if is_on(next) && is_set(written) => (format!("{written} & "), piece),
            // A designator is known only up to its bracket.
            (None, None) if written.len() == 1 && is_designator(written) => {
                (written.to_owned(), piece)
            }
            (None, None) => return None,
        };
        // `on g2 or b2` and `e4 e5` have more squares.
        let rest = self.after(square).map(|after| self.word(after));
        let is_last = rest.is_none_or(|after| after != "or" && !is_designator(after));
        let run = start.to(square);
        let query = format!("{letters}{}", self.word(square));
        (is_square(&square) && is_last).then(|| (Help::write(run, query), run))
    }

    /// The piece of a color, from the words at and before this place, and the place of the color.
    fn piece_of(&self, name: Span) -> Option<(char, Span)> {
        let color = self.before(name)?;
        // `white King` is a player.
        let is_small = |place: Span| self.word(place).starts_with(|c: char| c.is_ascii_lowercase());
        if is_small(color) && !is_small(name) {
            return None;
        }
        let mut letters = piece_word(self.word(name))?.chars().filter(char::is_ascii_alphabetic);
        let piece = match self.word(color) {
            "white" | "White" => letters.next()?,
            "black" | "Black" => letters.nth(1)?,
            _ => return None,
        };
        Some((piece, color))
    }

    /// `2 rooks`, `two white rooks`
    fn number_of_pieces(&self) -> Option<(Help, Span)> {
        let (number, name) = match piece_word(self.word(self.place)) {
            Some(_) => {
                let first = self.piece_of(self.place).map_or(self.place, |(_, color)| color);
                (self.before(first)?, self.place)
            }
            None => {
                let next = self.after(self.place)?;
                let is_color = matches!(self.word(next), "white" | "black");
                (self.place, if is_color { self.after(next)? } else { next })
            }
        };
        let pieces = match self.piece_of(name) {
            Some((piece, _)) => piece.to_string(),
            None => piece_word(self.word(name))?.to_owned(),
        };
        let written = self.word(number);
        let digits = || written.parse::<i32>().ok().filter(|count| (0..=64).contains(count));
        let count = number_word(written).or_else(digits)?;
        // `#A > 2 rooks` and `find 2 rooks` have another meaning.
        let begins = match self.before(number) {
            Some(before) => matches!(self.word(before), "and" | "or" | "not"),
            None => {
                let upto = self.text.get(..number.start as usize)?.trim_end_matches(' ');
                upto.is_empty() || upto.ends_with(['\n', '{', '(', ')', '"'])
            }
        };
        let run = number.to(name);
        begins.then(|| (Help::write(run, format!("{pieces} == {count}")), run))
    }

    /// `white queen`
    fn piece_of_color(&self) -> Option<(Help, Span)> {
        let (piece, color) = self.piece_of(self.place)?;
        let run = color.to(self.place);
        Some((Help::write(run, piece.to_string()), run))
    }

    /// `promotion to knight`, `promotes to N`
    fn promotion(&self) -> Option<(Help, Span)> {
        let synonym = synonyms::find(self.word(self.place))?;
        let to = self.after(self.place)?;
        let piece = self.after(to)?;
        let written = self.word(piece);
        let pieces = piece_word(written)
            .or_else(|| Some(written).filter(|it| it.len() == 1 && is_designator(it)))?;
        let is_promotion = synonym.query.starts_with("move promote")
            && matches!(self.word(to), "to" | "into" | "as");
        let run = self.place.to(piece);
        is_promotion.then(|| (Help::write(run, format!("move promote {pieces}")), run))
    }

    /// `no queens`, `without Q`
    fn negation(&self) -> Option<(Help, Span)> {
        if !matches!(self.word(self.place), "no" | "No" | "without" | "Without") {
            return None;
        }
        let next = self.after(self.place)?;
        let (run, query) = match piece_word(self.word(next)) {
            Some(pieces) => (self.place.to(next), format!("not {pieces}")),
            None => (self.place, "not".to_owned()),
        };
        Some((Help::write(run, query), run))
    }

    /// `for x in N { … }`
    fn each(&self) -> Option<(Help, Span)> {
        let is_loop = matches!(self.word(self.place), "for" | "foreach" | "each");
        let name = self.after(self.place).filter(|_| is_loop)?;
        let within = self.after(name)?;
        let help = Help::from(
            "a loop over pieces is `piece x in N { … }`, over squares `square x in N { … }`",
        );
        let help =
            help.with(Fix::replace(self.place, "piece")).with(Fix::replace(self.place, "square"));
        // The variable is unknown, too.
        (self.word(within) == "in").then(|| (help, self.place.to(name)))
    }

    /// `let x = 3`
    fn declaration(&self) -> Option<(Help, Span)> {
        let is_word = matches!(self.word(self.place), "let" | "var" | "const" | "my" | "val");
        let name = self.after(self.place).filter(|_| is_word)?;
        let after = self.text.get(name.end as usize..)?.trim_start();
        let is_assigned = after.starts_with('=') && !after.starts_with("==");
        let written = self.word(self.place);
        let edit = Edit::new(Span::new(self.place.start, name.start), "");
        is_assigned.then(|| {
            let name = self.word(name);
            let help = format!("a variable is assigned without `{written}`: `{name} = …`");
            let fix = Fix::edit(format!("leave out `{written}`"), vec![edit]);
            (Help::from(help).with(fix), self.place)
        })
    }

    /// `player like "%Carlsen%"`
    fn search(&self) -> Option<(Help, Span)> {
        let is_word = ["like", "contains", "is"]
            .iter()
            .any(|word| self.word(self.place).eq_ignore_ascii_case(word));
        let mut start = self.before(self.place).filter(|_| is_word)?;
        let mut keyword = Keyword::from_word(self.word(start))?;
        let mut color = None;
        if matches!(keyword, Keyword::White | Keyword::Black) {
            color = Some(keyword);
            keyword = Keyword::Player;
            let player = self.before(start).filter(|it| self.word(*it) == Keyword::Player.name());
            start = player.unwrap_or(start);
        }
        let rest = self.text.get(self.place.end as usize..)?;
        let quoted = rest.trim_start_matches(' ').strip_prefix('"')?;
        let (content, _) = quoted.split_once('"')?;
        let end = (self.text.len() - quoted.len() + content.len() + 1) as u32;
        let searched = content.trim_matches(['%', '*']);
        let is_short = !content.contains('\n') && content.len() <= MAX_REPEATED;
        let run = Span::new(start.start, end);
        (takes_search_string(keyword) && is_short).then(|| {
            let query = search_filter(keyword, color, searched);
            let help = format!("`{}` finds a part of the text: write `{query}`", keyword.name());
            (Help::from(help).with(Fix::replace(run, query)), run)
        })
    }

    /// `comment(good move)`
    fn comment(&self) -> Option<(Help, Span)> {
        let is_text = |letter: char| is_letter(letter) || " ',.!?-".contains(letter);
        let before = self.text.get(..self.place.start as usize)?;
        let open = before.trim_end_matches(is_text);
        let filter = open.strip_suffix('(')?;
        if !filter.ends_with("comment") && !filter.ends_with("message") {
            return None;
        }
        let after = self.text.get(self.place.end as usize..)?;
        let rest = after.trim_start_matches(is_text);
        let run = Span::new(open.len() as u32, (self.text.len() - rest.len()) as u32);
        let content = run.text(self.text);
        // `comment(x attacks k)` has a wrong operand, and `comment(x)` a wrong name.
        let has_operator =
            content.split(' ').any(|word| matches!(word, "attacks" | "attackedby" | "in"));
        let is_prose = content.trim().contains(' ') && !has_operator;
        (rest.starts_with(')') && is_prose && content.len() <= MAX_REPEATED).then(|| {
            let text = format!("\"{content}\"");
            let help = Help::from(format!("a text stands in quotes: write `({text})`"));
            (help.with(Fix::replace(run, text)), run)
        })
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Whether the word is a filter whose value is a set, such as `isolatedpawns`.
fn is_set(word: &str) -> bool {
    Keyword::from_word(word).is_some_and(|keyword| {
        keyword.class() == KeywordClass::Nullary && keyword.ty() == Some(Type::Set)
    })
}

/// What a word of the language says of a player: `white has two rooks`, `black plays Nf6`. Also the
/// place of the words after the verb, and the one of a piece among them.
pub(super) fn of_player(
    text: &str,
    color: Span,
    verb: Span,
    is_white: bool,
) -> Option<(Help, Option<Span>)> {
    let words = Neighbors { text, place: verb };
    let next = words.after(verb)?;
    let run = |last: Span| color.to(last);
    match words.word(verb) {
        "play" | "plays" | "played" => {
            let query = san::constituent(words.word(next), is_white)?;
            Some((Help::write(run(next), query), None))
        }
        "has" | "have" | "had" => {
            let name = words.after(next)?;
            let digits = || words.word(next).parse::<i32>().ok().filter(|it| (0..=64).contains(it));
            let count = number_word(words.word(next)).or_else(digits)?;
            let mut letters =
                piece_word(words.word(name))?.chars().filter(char::is_ascii_alphabetic);
            let piece = letters.nth(usize::from(!is_white))?;
            Some((Help::write(run(name), format!("{piece} == {count}")), Some(name)))
        }
        _ => None,
    }
}

/// Whether the word after a color says what the player does, so that it is not a name.
pub(super) fn is_verb(word: &str) -> bool {
    const VERBS: [&str; 20] = [
        "attacks",
        "can",
        "checks",
        "gives",
        "had",
        "has",
        "have",
        "is",
        "loses",
        "makes",
        "moves",
        "play",
        "played",
        "plays",
        "promotes",
        "sacrifices",
        "sacrificed",
        "takes",
        "threatens",
        "was",
    ];
    VERBS.contains(&word)
}

/// The designator of a word for a kind of piece.
fn piece_word(word: &str) -> Option<&'static str> {
    let synonym = synonyms::find(word).filter(|synonym| !synonym.is_example)?;
    Some(synonym.query).filter(|query| is_designator(query))
}
