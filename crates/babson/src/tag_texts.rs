//! Texts that a query looks for in tags, and that the games have in another form.

use babson_engine::{Error, Input};
use babson_lang::Dialect;
use babson_lang::hir::{
    BinaryFilter, BuiltInTag, Color, ComparisonOperator, Expr, ExprKind, Property, UnaryFilter,
};

use crate::limits::MAX_TEXTS;
use crate::{Event, Query, Scan, Task};

/// The tag in which a query looks for a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchedTag {
    /// The name of a player.
    Player,
    /// The tag of this name.
    Tag(String),
}

/// A text that a query looks for in a tag: no game has it, but some have it with other capitals, as
/// a part of the tag, or with the names of a player in another order. See [`other_spellings`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherSpelling {
    /// The tag.
    pub tag: SearchedTag,
    /// Whether the tag has to be equal to the text, as for `event == "text"`. Otherwise it has to
    /// contain the text.
    pub whole: bool,
    /// Whether the games have the last name of a player first: `Carlsen, Magnus` for `Magnus
    /// Carlsen`.
    pub reordered: bool,
    /// The text of the query.
    pub text: String,
    /// The same text as a tag has it, or the whole tag.
    pub spelling: String,
    /// The number of games that contain the text, in any capitals.
    pub games: u64,
}

/// The texts that a query looks for in tags and that no game has, but that some games have with
/// other capitals, as a part of the tag if the query asks for all of it, or with the last name of a
/// player first. A program can ask for them if a search finds nothing: `player "carlsen"` never
/// matches where the games have `Carlsen`, `player "Magnus Carlsen"` where they have `Carlsen,
/// Magnus`, and `event == "Wijk"` where they have `Wijk aan Zee`. It reads the tags of all games in
/// the range of the query, on this number of threads, and then the tags of the first game found.
/// Inputs that can be read only once, and regular expressions, are not searched.
///
/// ```
/// use babson::command::other_spellings;
/// use babson::{Input, Query};
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
    let mut texts = Vec::new();
    query.typed().body.iter().for_each(|filter| add_texts(filter, &mut texts));
    if texts.is_empty() || inputs.iter().any(|input| input.size().is_none()) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    // The forms of the texts that games may have instead.
    let mut forms: Vec<TextForm> = Vec::new();
    for text in &texts {
        let reordered = text.with_last_name_first().map(|other| TextForm::of(text, other, true));
        let form = TextForm::of(text, text.clone(), false);
        forms.extend([form, reordered.flatten()].into_iter().flatten());
    }
    let range = query.program().header().game_range();
    let new_scan = || Scan::of(inputs.to_vec()).threads(threads);
    let task = |query: &Query| match range {
        Some((first, last)) => Task::new(query).range(first..=last),
        None => Task::new(query),
    };
    let mut scan = new_scan().allow_no_query(true);
    for form in &forms {
        scan = scan.task(task(&form.exact)).task(task(&form.folded));
    }
    let counts: Vec<u64> = scan.run()?.queries.iter().map(|job| job.matches).collect();
    for (form, counts) in forms.iter().zip(counts.chunks(2)) {
        let &[0, games] = counts else { continue };
        if games == 0 {
            continue;
        }
        let mut first = new_scan().task(task(&form.folded).limit(1)).start()?;
        let spelling = first.by_ref().find_map(|event| {
            let Event::Match { hit, .. } = event else { return None };
            form.looked_for.spelling(&hit.tags)
        });
        found.extend(spelling.map(|spelling| OtherSpelling {
            tag: form.text.place.tag(),
            whole: form.text.whole,
            reordered: form.reordered,
            text: form.text.text.clone(),
            spelling,
            games,
        }));
    }
    Ok(found)
}

/// A text with `|` that a query looks for in a tag as it stands, such as `player "Adams|Bird"`. See
/// [`plain_alternatives`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainAlternatives {
    /// The filter that has the value of the tag: `player`.
    pub filter: String,
    /// The text.
    pub text: String,
}

/// The texts with `|` that a query looks for in tags as they stand. In a regular expression, which
/// follows `~~`, `|` separates alternatives; in another text it is a character that tags rarely
/// have. A program can ask for these texts if a search finds nothing.
///
/// ```
/// use babson::command::plain_alternatives;
/// use babson::Query;
///
/// let found = plain_alternatives(&Query::compile("player \"Adams|Bird\"")?);
/// assert_eq!((found[0].filter.as_str(), found[0].text.as_str()), ("player", "Adams|Bird"));
/// assert!(plain_alternatives(&Query::compile("player ~~ \"Adams|Bird\"")?).is_empty());
/// # Ok::<(), babson::CompileError>(())
/// ```
pub fn plain_alternatives(query: &Query) -> Vec<PlainAlternatives> {
    fn add_alternatives(e: &Expr, found: &mut Vec<PlainAlternatives>) {
        if matches!(e.kind, ExprKind::Not(_)) {
            return;
        }
        if !matches!(e.kind, ExprKind::Match { .. })
            && let Some((text, tag, _)) = looked_for(e)
            && let Some(place) = Place::of(tag)
            && let ExprKind::Text(text) = &text.kind
            && let Ok(text) = std::str::from_utf8(text)
            && text.contains('|')
        {
            let one = PlainAlternatives { filter: place.filter(), text: text.to_owned() };
            // `player` asks for each side.
            if found.len() < MAX_TEXTS && !found.contains(&one) {
                found.push(one);
            }
        }
        e.for_each_operand(&mut |operand| add_alternatives(operand, found));
    }
    let mut found = Vec::new();
    query.typed().body.iter().for_each(|filter| add_alternatives(filter, &mut found));
    found
}

/// A text of the query, and the text that games may have instead in any capitals.
struct TextForm<'t> {
    text: &'t TagText,
    looked_for: TagText,
    /// Whether it has the last name first.
    reordered: bool,
    /// The query of the games with the text of the query.
    exact: Query,
    /// The query of the games with the other text.
    folded: Query,
}

impl TextForm<'_> {
    fn of(text: &TagText, looked_for: TagText, reordered: bool) -> Option<TextForm<'_>> {
        let (exact, folded) = (text.exact()?, looked_for.folded()?);
        Some(TextForm { text, looked_for, reordered, exact, folded })
    }
}

/// Where a text is looked for.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    /// The name of the player of this side; of both sides if none is named.
    Player(Option<Color>),
    /// A filter, and the tag that it has the value of.
    Filter(&'static str, &'static str),
    /// `tag "NAME"`.
    Tag(String),
}

impl Place {
    /// The place of a filter; `None` if the filter is not the value of a tag.
    fn of(filter: &Expr) -> Option<Place> {
        if let ExprKind::Property(Property::Tag(tag)) = &filter.kind {
            return Some(match tag {
                BuiltInTag::Player(side) => Place::Player(*side),
                BuiltInTag::Event => Place::Filter("event", "Event"),
                BuiltInTag::Site => Place::Filter("site", "Site"),
                BuiltInTag::Date => Place::Filter("date", "Date"),
                BuiltInTag::EventDate => Place::Filter("eventdate", "EventDate"),
                BuiltInTag::Eco => Place::Filter("eco", "ECO"),
            });
        }
        if let ExprKind::Unary(UnaryFilter::Tag, name) = &filter.kind
            && let ExprKind::Text(name) = &name.kind
        {
            return String::from_utf8(name.to_vec()).ok().map(Place::Tag);
        }
        None
    }

    /// The filters of the tags. One of the tags has to have the text.
    fn filters(&self) -> Vec<String> {
        match self {
            Place::Player(Some(Color::White)) => vec!["player white".to_owned()],
            Place::Player(Some(Color::Black)) => vec!["player black".to_owned()],
            Place::Player(None) => vec!["player white".to_owned(), "player black".to_owned()],
            Place::Filter(filter, _) => vec![(*filter).to_owned()],
            Place::Tag(name) => vec![format!("tag \"{name}\"")],
        }
    }

    /// The filter that has the value of the tag, whatever the side of a player is.
    fn filter(&self) -> String {
        match self {
            Place::Player(_) => "player".to_owned(),
            Place::Filter(filter, _) => (*filter).to_owned(),
            Place::Tag(name) => format!("tag \"{name}\""),
        }
    }

    fn has(&self, tag: &str) -> bool {
        match self {
            Place::Player(Some(Color::White)) => tag == "White",
            Place::Player(Some(Color::Black)) => tag == "Black",
            Place::Player(None) => matches!(tag, "White" | "Black"),
            Place::Filter(_, name) => tag == *name,
            Place::Tag(name) => tag == name,
        }
    }

    fn tag(&self) -> SearchedTag {
        match self {
            Place::Player(_) => SearchedTag::Player,
            Place::Filter(_, name) => SearchedTag::Tag((*name).to_owned()),
            Place::Tag(name) => SearchedTag::Tag(name.clone()),
        }
    }
}

/// A text that is looked for in a tag.
#[derive(Clone, Debug, PartialEq)]
struct TagText {
    text: String,
    place: Place,
    /// Whether the tag has to be equal to the text.
    whole: bool,
}

impl TagText {
    /// The query of the games with this text.
    fn exact(&self) -> Option<Query> {
        let text = &self.text;
        self.query(|filter| match self.whole {
            true => format!("{filter} == \"{text}\""),
            false => format!("\"{text}\" in {filter}"),
        })
    }

    /// The query of the games that contain this text in any capitals.
    fn folded(&self) -> Option<Query> {
        let text = &self.text;
        self.query(|filter| format!("lowercase \"{text}\" in lowercase {filter}"))
    }

    /// `Carlsen, Magnus` for the player `Magnus Carlsen`.
    fn with_last_name_first(&self) -> Option<TagText> {
        let (first, last) = self.text.trim().rsplit_once(' ')?;
        let is_name = matches!(self.place, Place::Player(_)) && !self.text.contains(',');
        is_name.then(|| TagText { text: format!("{last}, {}", first.trim_end()), ..self.clone() })
    }

    fn query(&self, condition: impl Fn(&str) -> String) -> Option<Query> {
        let filters = self.place.filters();
        let any: Vec<String> =
            filters.iter().map(|filter| format!("({})", condition(filter))).collect();
        // At one position, so that the moves are not read.
        let text = format!("initial ({})", any.join(" or "));
        Query::builder(text).dialect(Dialect::CQLI).compile().ok()
    }

    /// The text as one of these tags has it, or the whole tag.
    fn spelling(&self, tags: &[(String, String)]) -> Option<String> {
        let wanted = self.text.to_lowercase();
        tags.iter().filter(|(tag, _)| self.place.has(tag)).find_map(|(_, value)| {
            let at = value.to_lowercase().find(&wanted)?;
            if self.whole {
                return Some(value.clone());
            }
            // Some letters and their capitals have different lengths.
            let part = value.get(at..at + wanted.len());
            part.filter(|part| part.to_lowercase() == wanted).map(str::to_owned)
        })
    }
}

/// Adds the texts that a filter looks for. A filter under `not` finds no fewer games without them.
fn add_texts(e: &Expr, texts: &mut Vec<TagText>) {
    if matches!(e.kind, ExprKind::Not(_)) {
        return;
    }
    if let Some((text, tag, whole)) = looked_for(e)
        && let Some(place) = Place::of(tag)
        && let ExprKind::Text(text) = &text.kind
        && let Ok(text) = std::str::from_utf8(text)
        && is_plain(text)
        // A text without letters has no other capitals.
        && (whole || text.to_lowercase() != text.to_uppercase())
    {
        add(TagText { text: text.to_owned(), place, whole }, texts);
    }
    e.for_each_operand(&mut |operand| add_texts(operand, texts));
}

/// A text, the filter that it is compared with, and whether they have to be equal.
fn looked_for(e: &Expr) -> Option<(&Expr, &Expr, bool)> {
    if let ExprKind::Binary(BinaryFilter::Substring, text, tag)
    | ExprKind::Match { subject: tag, pattern: text } = &e.kind
    {
        Some((text, tag, false))
    } else if let ExprKind::Compare(ComparisonOperator::Equal, left, right)
    | ExprKind::Equal(left, right) = &e.kind
    {
        let is_text = matches!(left.kind, ExprKind::Text(_));
        Some(if is_text { (left, right, true) } else { (right, left, true) })
    } else {
        None
    }
}

fn add(new: TagText, texts: &mut Vec<TagText>) {
    for known in texts.iter_mut().filter(|known| known.text == new.text) {
        match (&mut known.place, &new.place) {
            _ if known.whole != new.whole => {}
            // `--player` asks for each side.
            (Place::Player(side), Place::Player(other)) => {
                *side = side.filter(|side| Some(*side) == *other);
                return;
            }
            (known, new) if known == new => return,
            (
                Place::Player(_) | Place::Filter(..) | Place::Tag(_),
                Place::Player(_) | Place::Filter(..) | Place::Tag(_),
            ) => {}
        }
    }
    if texts.len() < MAX_TEXTS {
        texts.push(new);
    }
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
        assert_eq!(spellings("player \"b. ann\""), one("b. ann", "Ann, B.", 1));
        assert_eq!(spellings("player == \"B. Ann\""), one("B. Ann", "Ann, B.", 1));
        for none in [
            "player \"Ann\"",
            "player \"Ann, B.\" mate",
            "event \"B. Ann\"",
            "player \"C. Ann\"",
            "player \"Bob\"",
            "not player \"ann\"",
            "player ~~ \"[a]nn\"",
            "event \"ann\"",
            "date \"1922\"",
            "mate",
        ] {
            assert_eq!(spellings(none), [], "{none}");
        }
    }

    /// Every tag that a query looks into, and also the whole of a tag.
    #[test]
    fn other_tags() {
        let games = "[Event \"Wijk aan Zee\"]\n[Site \"London ENG\"]\n[ECO \"C89\"]\n\
                     [Opening \"Ruy Lopez\"]\n\n1. e4 *\n\n[Event \"Wijk aan Zee\"]\n\n*\n";
        let found = |query: &str| {
            let query = Query::compile(query).unwrap();
            let inputs = [Input::bytes("games", games.as_bytes())];
            let found = other_spellings(&query, &inputs, 1).unwrap();
            let one = |one: OtherSpelling| {
                let SearchedTag::Tag(tag) = one.tag else { panic!("{one:?}") };
                (tag, one.spelling, one.games, one.whole)
            };
            found.into_iter().map(one).collect::<Vec<_>>()
        };
        let one = |tag: &str, spelling: &str, games, whole| {
            vec![(tag.to_owned(), spelling.to_owned(), games, whole)]
        };
        assert_eq!(found("site \"london\""), one("Site", "London", 1, false));
        assert_eq!(found("event \"wijk\" mate"), one("Event", "Wijk", 2, false));
        assert_eq!(found("eco \"c8\""), one("ECO", "C8", 1, false));
        assert_eq!(found("\"ruy\" in tag \"Opening\""), one("Opening", "Ruy", 1, false));
        assert_eq!(found("event == \"Wijk\""), one("Event", "Wijk aan Zee", 2, true));
        assert_eq!(found("tag \"Opening\" == \"ruy lopez\""), one("Opening", "Ruy Lopez", 1, true));
        assert_eq!(found("eco == \"C89\" or eco \"C8\" or site \"Paris\""), []);
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
