//! Names of players that a query spells with other capitals than the games do.

use babson_engine::{Error, Input};
use babson_lang::Dialect;
use babson_lang::hir::{BinaryFilter, BuiltInTag, Color, Expr, ExprKind, Quantity};

use crate::limits::MAX_NAMES;
use crate::{Event, Query, Scan};

/// A text that a query looks for in the names of players: no name has it, but some have it with
/// other capitals. See [`other_spellings`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherSpelling {
    /// The text of the query.
    pub text: String,
    /// The same text as the name of a player has it.
    pub spelling: String,
    /// The number of games with it, in any capitals.
    pub games: u64,
}

/// The names of players in a query that no game has, but that some games have with other capitals.
/// A program can ask for them if a search finds nothing: `player "carlsen"` never matches where the
/// games have `Carlsen`. It reads the tags of all games in the range of the query, on so many
/// threads, and those of the first game found once more. Inputs that can be read only once, and
/// regular expressions, are not searched.
///
/// ```
/// use babson::{Input, Query, other_spellings};
///
/// let query = Query::compile("player white \"carlsen\" mate")?;
/// let games = Input::bytes("games", *b"[White \"Carlsen, Magnus\"]\n\n1. e4 *\n");
/// let found = other_spellings(&query, &[games], 1)?;
/// assert_eq!((found[0].spelling.as_str(), found[0].games), ("Carlsen", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Scan::run`].
pub fn other_spellings(
    query: &Query,
    inputs: &[Input],
    threads: usize,
) -> Result<Vec<OtherSpelling>, Error> {
    let mut names = Vec::new();
    query.typed().body.iter().for_each(|filter| add_names(filter, &mut names));
    if names.is_empty() || inputs.iter().any(|input| input.size().is_none()) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    let both = |name| Some((name, PlayerName::filter(name, "")?, name.filter("lowercase ")?));
    let filters: Vec<_> = names.iter().filter_map(both).collect();
    let range = query.program().header().game_range();
    let new_scan = || {
        let scan = Scan::of(inputs.to_vec()).threads(threads);
        match range {
            Some((first, last)) => scan.range(first..=last),
            None => scan,
        }
    };
    let mut scan = new_scan().allow_no_query(true);
    for (_, exact, folded) in &filters {
        scan = scan.query(exact).query(folded);
    }
    let counts: Vec<u64> = scan.run()?.jobs.iter().map(|job| job.matches).collect();
    for ((name, _, folded), counts) in filters.iter().zip(counts.chunks(2)) {
        let &[0, games] = counts else { continue };
        if games == 0 {
            continue;
        }
        let mut first = new_scan().query(folded).limit(1).start()?;
        let spelling = first.by_ref().find_map(|event| {
            let Event::Match { hit, .. } = event else { return None };
            name.spelling(&hit.tags)
        });
        found.extend(spelling.map(|spelling| OtherSpelling {
            text: name.text.clone(),
            spelling,
            games,
        }));
    }
    Ok(found)
}

/// A text that is looked for in the names of players.
#[derive(Debug, PartialEq)]
struct PlayerName {
    text: String,
    /// Whose; of both sides if none is named.
    side: Option<Color>,
}

impl PlayerName {
    /// The query of the games with this name. `case` is a word before the text and the names.
    fn filter(&self, case: &str) -> Option<Query> {
        let text = &self.text;
        let of = |side: &str| format!("{case}\"{text}\" in {case}player {side}");
        let filter = match self.side {
            Some(Color::White) => of("white"),
            Some(Color::Black) => of("black"),
            None => format!("({} or {})", of("white"), of("black")),
        };
        // At one position, so that the moves are not read.
        let query = Query::builder(format!("initial {filter}")).dialect(Dialect::CQLI);
        query.compile().ok()
    }

    /// The text as the name of a player in these tags has it.
    fn spelling(&self, tags: &[(String, String)]) -> Option<String> {
        let of_side = |tag: &str| match self.side {
            Some(Color::White) => tag == "White",
            Some(Color::Black) => tag == "Black",
            None => matches!(tag, "White" | "Black"),
        };
        let wanted = self.text.to_lowercase();
        tags.iter().filter(|(tag, _)| of_side(tag)).find_map(|(_, name)| {
            let at = name.to_lowercase().find(&wanted)?;
            // The lengths of some letters differ from those of their capitals.
            let part = name.get(at..at + wanted.len());
            part.filter(|part| part.to_lowercase() == wanted).map(str::to_owned)
        })
    }
}

/// Adds the names that a filter looks for. A filter under `not` finds no fewer games without them.
fn add_names(e: &Expr, names: &mut Vec<PlayerName>) {
    if matches!(e.kind, ExprKind::Not(_)) {
        return;
    }
    if let ExprKind::Binary(BinaryFilter::Substring, text, name)
    | ExprKind::Match { subject: name, pattern: text } = &e.kind
        && let ExprKind::Text(text) = &text.kind
        && let ExprKind::Quantity(Quantity::Tag(BuiltInTag::Player(side))) = name.kind
        && let Ok(text) = std::str::from_utf8(text)
        && is_plain(text)
    {
        let has_room = names.len() < MAX_NAMES;
        match names.iter_mut().find(|name| name.text == text) {
            // `--player` asks for each side.
            Some(known) if known.side != side => known.side = None,
            None if has_room => {
                names.push(PlayerName { text: text.to_owned(), side });
            }
            Some(_) | None => {}
        }
    }
    e.for_each_operand(&mut |operand| add_names(operand, names));
}

/// Whether a text means itself in a string and in a regular expression. A dot is taken for one: it
/// stands after initials.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(|letter: char| "\"\\\n\r[](){}*+?|^$".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spellings(query: &str) -> Vec<(String, String, u64)> {
        let games = "[White \"Ann, B.\"]\n[Black \"Carl\"]\n\n1. e4 *\n\n\
                     [White \"Carl\"]\n[Black \"ANN\"]\n\n*\n";
        let query = Query::compile(query).unwrap();
        let found = other_spellings(&query, &[Input::bytes("games", games.as_bytes())], 1).unwrap();
        found.into_iter().map(|one| (one.text, one.spelling, one.games)).collect()
    }

    #[test]
    fn names_with_other_capitals() {
        let one =
            |text: &str, spelling: &str, games| vec![(text.to_owned(), spelling.to_owned(), games)];
        assert_eq!(spellings("player \"ann\""), one("ann", "Ann", 2));
        assert_eq!(spellings("player white \"ann\" mate"), one("ann", "Ann", 1));
        assert_eq!(spellings("check or player black ~~ \"ann\""), one("ann", "ANN", 1));
        assert_eq!(spellings("flipcolor player white \"ann, b.\""), one("ann, b.", "Ann, B.", 1));
        assert_eq!(spellings("player \"carl\" player \"carl\""), one("carl", "Carl", 2));
        let sides = "player white \"ann\" or player black \"ann\"";
        assert_eq!(spellings(sides), one("ann", "Ann", 2));
        // Only the games of the query are searched.
        assert_eq!(spellings("cql(gamenumber 1) player \"ann\""), one("ann", "Ann", 1));
        for none in [
            "player \"Ann\"",
            "player \"Bob\"",
            "not player \"ann\"",
            "player ~~ \"[a]nn\"",
            "event \"ann\"",
            "mate",
        ] {
            assert_eq!(spellings(none), [], "{none}");
        }
    }

    /// Games that a search has read already.
    struct Unreadable;

    impl std::io::Read for Unreadable {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            panic!("the games are read again");
        }
    }

    /// An input that can be read only once is left alone.
    #[test]
    fn a_reader_is_not_searched() {
        let query = Query::compile("player \"ann\"").unwrap();
        let games = Input::reader("games", Unreadable);
        assert_eq!(other_spellings(&query, &[games], 1).unwrap(), []);
    }
}
