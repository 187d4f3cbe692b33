//! Conditions on the tags of a game, each a test of one column of texts or ratings.
//!
//! A filter gives a condition only if what the machine reads is a function of that column: the
//! value of the first tag with the name, or the number of a rating tag.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use babson_lang::hir::{
    BinaryFilter, BuiltInTag, Color, ComparisonOperator, Condition, Expr, ExprKind, GameResult,
    Property, UnaryFilter,
};
use babson_lang::pattern::{self, Unit};
use babson_pgn::GameFlags;
use babson_pgn::tags::{cql6, normal};

use super::GameTest;
use super::derive::GuardDerivation;
use super::rows::bits;
use crate::filters::strings;
use crate::limits::MAX_GUARD_FUEL;
use crate::regex::{Fuel, Matcher};

/// A column of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagColumn {
    /// The value of the first `Event` tag.
    Event,
    /// The value of the first `Site` tag.
    Site,
    /// The value of the first `Date` tag.
    Date,
    /// The value of the first `White` tag.
    White,
    /// The value of the first `Black` tag.
    Black,
    /// The value of the first `ECO` tag.
    Eco,
    /// The termination marker. A game without one may have any text.
    Result,
    /// The rating of [`elo`](normal::elo) for the first `WhiteElo` tag.
    WhiteElo,
    /// The rating of [`elo`](normal::elo) for the first `BlackElo` tag.
    BlackElo,
}

/// A condition on a game that one column of its tags decides. It is evaluated once for each
/// distinct value.
///
/// ```
/// use babson_lang::{Dialect, analyze};
/// use babson_vm::{Program, RunOptions, TagColumn};
///
/// let analysis = analyze("player white \"Carlsen\" elo black > 2700", Dialect::CQLI).unwrap();
/// let program = Program::compile(&analysis.query).unwrap();
/// let guard = program.game_guard(&RunOptions::default()).unwrap();
/// let [white, elo] = guard.tag_tests() else { panic!() };
/// assert_eq!((white.column(), elo.column()), (TagColumn::White, TagColumn::BlackElo));
/// assert!(white.matches(Some(b"Carlsen, Magnus")) && !white.matches(None));
/// assert!(elo.matches_rating(Some(2750)) && !elo.matches_rating(None));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TagTest {
    column: TagColumn,
    check: Check,
    /// Whether the check must fail.
    negated: bool,
    /// Whether filters see the tag as it is in the file.
    raw: bool,
    /// How the letters of the text are changed before the check.
    letters: Option<Letters>,
}

/// A filter that changes the letters of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letters {
    filter: LetterFilter,
    unit: strings::Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LetterFilter {
    Lowercase,
    Uppercase,
}

impl Letters {
    fn change(self, text: &[u8]) -> Vec<u8> {
        match self.filter {
            LetterFilter::Lowercase => strings::lowercase(text, self.unit),
            LetterFilter::Uppercase => strings::uppercase(text, self.unit),
        }
    }

    fn word(self) -> &'static str {
        match self.filter {
            LetterFilter::Lowercase => "lowercase ",
            LetterFilter::Uppercase => "uppercase ",
        }
    }
}

/// What is tested of a value.
#[derive(Clone, Debug, PartialEq)]
enum Check {
    /// It has a text.
    Present,
    /// It contains a text.
    Contains(Box<[u8]>),
    /// It begins with a text, which is not empty.
    Begins(Box<[u8]>),
    /// It is a part of a text.
    Within(Box<[u8]>),
    Matches(Regex),
    Text(ComparisonOperator, Box<[u8]>),
    Year(ComparisonOperator, i32),
    Rating(ComparisonOperator, i32),
    Result(GameResult),
}

#[derive(Clone, Debug)]
struct Regex {
    text: Box<[u8]>,
    matcher: Box<Matcher>,
}

impl PartialEq for Regex {
    fn eq(&self, other: &Regex) -> bool {
        self.text == other.text
    }
}

impl TagTest {
    /// The column that decides.
    pub fn column(&self) -> TagColumn {
        self.column
    }

    /// Games with one of these flags may match whatever the column says.
    pub fn unless(&self) -> GameFlags {
        match self.column {
            TagColumn::Event
            | TagColumn::Site
            | TagColumn::Date
            | TagColumn::White
            | TagColumn::Black
            | TagColumn::Eco
            | TagColumn::Result => GameFlags::RECODED_TAGS,
            TagColumn::WhiteElo | TagColumn::BlackElo => GameFlags::ODD_RATINGS,
        }
    }

    /// Whether a game with this text in the column may match; `None` if it has no such tag.
    pub fn matches(&self, value: Option<&[u8]>) -> bool {
        self.decide(value).is_none_or(|holds| holds != self.negated)
    }

    /// Whether a game with this rating in the column may match; `None` if the tag is missing or not
    /// a rating.
    pub fn matches_rating(&self, value: Option<i32>) -> bool {
        let Check::Rating(relation, number) = &self.check else {
            return true;
        };
        compared(*relation, value.map(|value| value.cmp(number))) != self.negated
    }

    /// Like [`matches_rating`](TagTest::matches_rating), for the ratings of several games: bit `i`
    /// of word `w` is the game of rating `64 * w + i`.
    pub fn matching_ratings(&self, ratings: &[i16]) -> Vec<u64> {
        let order = |order| match &self.check {
            Check::Rating(relation, _) => compared(*relation, Some(order)) != self.negated,
            Check::Present
            | Check::Contains(_)
            | Check::Begins(_)
            | Check::Within(_)
            | Check::Matches(_)
            | Check::Text(..)
            | Check::Year(..)
            | Check::Result(_) => true,
        };
        let [less, equal, greater] =
            [Ordering::Less, Ordering::Equal, Ordering::Greater].map(order);
        let number = if let Check::Rating(_, number) = self.check { number } else { 0 };
        // Every rating is on one side of a number that no rating can be.
        let (number, equal) = match i16::try_from(number) {
            Ok(number) => (number, equal),
            Err(_) if number < 0 => (i16::MIN, greater),
            Err(_) => (i16::MAX, less),
        };
        let passes = |&rating: &i16| {
            less & (rating < number) | equal & (rating == number) | greater & (rating > number)
        };
        ratings.chunks(64).map(|ratings| bits(ratings.iter().map(passes))).collect()
    }

    /// Whether a game with a termination marker passes exactly if the filter matches.
    pub(super) fn is_exact(&self) -> bool {
        match self.check {
            Check::Result(_) => !self.negated,
            Check::Present
            | Check::Contains(_)
            | Check::Begins(_)
            | Check::Within(_)
            | Check::Text(..)
            | Check::Year(..)
            | Check::Rating(..) => true,
            // The matcher may give up.
            Check::Matches(_) => false,
        }
    }

    /// Whether the filter about both players matches if the test holds for one of them. The rating
    /// of both is the greater one.
    pub(super) fn is_exact_of_either(&self) -> bool {
        match self.check {
            Check::Rating(relation, _) => relation != ComparisonOperator::Equal,
            Check::Present
            | Check::Contains(_)
            | Check::Begins(_)
            | Check::Within(_)
            | Check::Text(..)
            | Check::Year(..)
            | Check::Matches(_)
            | Check::Result(_) => true,
        }
    }

    /// Whether the check holds; `None` if the column does not tell.
    fn decide(&self, value: Option<&[u8]>) -> Option<bool> {
        match &self.check {
            Check::Present => Some(self.text(value).is_some()),
            Check::Contains(part) => {
                Some(self.text(value).is_some_and(|text| strings::find(part, &text).is_some()))
            }
            Check::Begins(part) => {
                Some(self.text(value).is_some_and(|text| text.starts_with(part)))
            }
            Check::Within(whole) => {
                Some(self.text(value).is_some_and(|text| strings::find(&text, whole).is_some()))
            }
            Check::Matches(regex) => match self.text(value) {
                None => Some(false),
                Some(text) => {
                    let (mut groups, mut fuel) = (Vec::new(), Fuel::from(MAX_GUARD_FUEL));
                    let readable = regex.matcher.reads(&text);
                    let found = regex.matcher.find(&text, 0, readable, &mut groups, &mut fuel);
                    found.ok().map(|()| !groups.is_empty())
                }
            },
            Check::Text(relation, text) => {
                Some(compared(*relation, self.text(value).as_deref().map(|v| v.cmp(text))))
            }
            Check::Year(relation, year) => {
                Some(compared(*relation, self.year(value).map(|found| found.cmp(year))))
            }
            // A different text rules the game out. The wanted text does not prove a match: a game
            // without a termination marker may have it from a tag.
            Check::Result(result) => {
                value.filter(|value| *value != result_text(*result).as_bytes()).map(|_| false)
            }
            Check::Rating(..) => None,
        }
    }

    /// The text of the filter for the tag; none where it does not match.
    fn text<'v>(&self, value: Option<&'v [u8]>) -> Option<Cow<'v, [u8]>> {
        let known = || Cow::Borrowed(value.unwrap_or(b"?"));
        let text = match (self.column, self.raw) {
            (TagColumn::Event | TagColumn::Site, _) => known(),
            (TagColumn::White | TagColumn::Black, true) => known(),
            (TagColumn::White | TagColumn::Black, false) => match value {
                Some(value) => Cow::Owned(cql6::name(value).0),
                None => known(),
            },
            (TagColumn::Date, true) => {
                Cow::Owned(normal::date(value.unwrap_or_default()).into_bytes())
            }
            (TagColumn::Date, false) => {
                Cow::Owned(value.map(cql6::Date::read).unwrap_or_default().to_string().into_bytes())
            }
            (TagColumn::Eco, true) => Cow::Borrowed(value?),
            (TagColumn::Eco, false) => Cow::Owned(cql6::Eco::read(value?)?.as_bytes().to_vec()),
            (TagColumn::Result | TagColumn::WhiteElo | TagColumn::BlackElo, _) => return None,
        };
        let text = match self.letters {
            Some(letters) => Cow::Owned(letters.change(&text)),
            None => text,
        };
        (!text.is_empty()).then_some(text)
    }

    fn year(&self, value: Option<&[u8]>) -> Option<i32> {
        let year = match self.raw {
            true => normal::year(value?)?,
            false => Some(cql6::Date::read(value?).year).filter(|&year| year > 0)?,
        };
        i32::try_from(year).ok()
    }
}

/// A comparison with a value that may be missing: then only `!=` holds.
fn compared(relation: ComparisonOperator, order: Option<Ordering>) -> bool {
    match order {
        Some(order) => relates(relation, order),
        None => relation == ComparisonOperator::NotEqual,
    }
}

fn relates(relation: ComparisonOperator, order: Ordering) -> bool {
    match relation {
        ComparisonOperator::Equal => order == Ordering::Equal,
        ComparisonOperator::NotEqual => order != Ordering::Equal,
        ComparisonOperator::Less => order == Ordering::Less,
        ComparisonOperator::LessEqual => order != Ordering::Greater,
        ComparisonOperator::Greater => order == Ordering::Greater,
        ComparisonOperator::GreaterEqual
        | ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => order != Ordering::Less,
    }
}

fn result_text(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1-0",
        GameResult::BlackWins => "0-1",
        GameResult::Draw => "1/2-1/2",
    }
}

/// A value of a tag.
#[derive(Clone, Copy)]
enum Source {
    Text(TagColumn),
    /// The texts of both players.
    Players,
    Year,
    Rating(Option<Color>),
}

impl Source {
    fn of(expr: &Expr) -> Option<Source> {
        if let ExprKind::Unary(UnaryFilter::Tag, name) = &expr.kind {
            let ExprKind::Text(name) = &name.kind else {
                return None;
            };
            return Some(Source::Text(match &**name {
                b"Event" => TagColumn::Event,
                b"Site" => TagColumn::Site,
                b"Date" => TagColumn::Date,
                b"White" => TagColumn::White,
                b"Black" => TagColumn::Black,
                b"ECO" => TagColumn::Eco,
                _ => return None,
            }));
        }
        let ExprKind::Property(which) = &expr.kind else {
            return None;
        };
        if let Property::Elo(side) = which {
            return Some(Source::Rating(*side));
        }
        if let Property::Year = which {
            return Some(Source::Year);
        }
        let Property::Tag(tag) = which else {
            return None;
        };
        Some(match tag {
            BuiltInTag::Player(Some(Color::White)) => Source::Text(TagColumn::White),
            BuiltInTag::Player(Some(Color::Black)) => Source::Text(TagColumn::Black),
            BuiltInTag::Player(None) => Source::Players,
            BuiltInTag::Event => Source::Text(TagColumn::Event),
            BuiltInTag::Site => Source::Text(TagColumn::Site),
            BuiltInTag::Date => Source::Text(TagColumn::Date),
            BuiltInTag::Eco => Source::Text(TagColumn::Eco),
            BuiltInTag::EventDate => return None,
        })
    }
}

impl GuardDerivation<'_> {
    /// The conditions of a filter on the tags.
    pub(super) fn tags(&mut self, expr: &Expr) -> Vec<GameTest> {
        if let ExprKind::Not(inner) = &expr.kind {
            let inverted =
                self.tag_test(inner).map(|test| TagTest { negated: !test.negated, ..test });
            return inverted.into_iter().map(|test| self.tag(test)).collect();
        }
        if let Some(test) = self.tag_test(expr) {
            return vec![self.tag(test)];
        }
        self.either_tag(expr)
    }

    /// The condition of the header on the result.
    pub(super) fn result(&mut self, result: GameResult) -> GameTest {
        let test = self.test_of(TagColumn::Result, Check::Result(result));
        self.tag(test)
    }

    /// The number of a test.
    fn tag(&mut self, test: TagTest) -> GameTest {
        let known = self.tag_tests.iter().position(|other| *other == test);
        let (text, unless) = (test.to_string(), test.unless());
        let number = known.unwrap_or_else(|| {
            self.tag_tests.push(test);
            self.tag_tests.len() - 1
        });
        GameTest::Tag { number, unless, text }
    }

    fn test_of(&self, column: TagColumn, check: Check) -> TagTest {
        TagTest { column, check, negated: false, raw: self.dialect.raw_tags, letters: None }
    }

    /// The operand of a filter that changes the letters of a text.
    fn letters<'e>(&self, expr: &'e Expr) -> Option<(Letters, &'e Expr)> {
        let ExprKind::Unary(filter, text) = &expr.kind else { return None };
        let filter = if *filter == UnaryFilter::Lowercase {
            LetterFilter::Lowercase
        } else if *filter == UnaryFilter::Uppercase {
            LetterFilter::Uppercase
        } else {
            return None;
        };
        let unit = match self.dialect.unicode_strings {
            true => strings::Unit::Character,
            false => strings::Unit::Byte,
        };
        Some((Letters { filter, unit }, text))
    }

    /// The text of a filter that has the same one in all games.
    fn fixed_text(&self, expr: &Expr) -> Option<Box<[u8]>> {
        if let Some((letters, text)) = self.letters(expr) {
            return Some(letters.change(&self.fixed_text(text)?).into());
        }
        let ExprKind::Text(text) = &expr.kind else { return None };
        Some(text.clone())
    }

    /// The test of a filter that one column decides.
    fn tag_test(&self, expr: &Expr) -> Option<TagTest> {
        if let ExprKind::Condition(Condition::Result(result)) = expr.kind {
            return Some(self.test_of(TagColumn::Result, Check::Result(result)));
        }
        if let ExprKind::Binary(BinaryFilter::Substring, part, whole) = &expr.kind {
            return match (self.fixed_text(part), self.fixed_text(whole)) {
                (Some(part), _) => {
                    let changed = self.letters(whole);
                    let column = text_column(changed.map_or(whole, |(_, tag)| tag))?;
                    let letters = changed.map(|(letters, _)| letters);
                    Some(TagTest { letters, ..self.test_of(column, Check::Contains(part)) })
                }
                (None, Some(whole)) => {
                    let column = text_column(part)?;
                    Some(self.test_of(column, Check::Within(whole)))
                }
                (None, None) => None,
            };
        }
        if let ExprKind::Match { subject, pattern } = &expr.kind {
            let ExprKind::Text(text) = &pattern.kind else {
                return None;
            };
            let column = text_column(subject)?;
            let unit = if self.dialect.unicode_strings { Unit::Character } else { Unit::Byte };
            let matcher = Box::new(Matcher::new(&pattern::parse(text, unit).ok()?));
            let regex = Regex { text: text.clone(), matcher };
            return Some(self.test_of(column, Check::Matches(regex)));
        }
        if let ExprKind::Compare(relation, a, b) = &expr.kind {
            return self
                .compared_tag(*relation, a, b)
                .or_else(|| self.compared_tag(relation.mirrored(), b, a));
        }
        match Source::of(expr)? {
            Source::Text(TagColumn::Eco) => Some(self.test_of(TagColumn::Eco, Check::Present)),
            Source::Text(_) | Source::Players | Source::Year | Source::Rating(_) => None,
        }
    }

    fn compared_tag(&self, relation: ComparisonOperator, a: &Expr, b: &Expr) -> Option<TagTest> {
        let test = match (Source::of(a)?, &b.kind) {
            (Source::Text(column), ExprKind::Text(text)) => {
                self.test_of(column, Check::Text(relation, text.clone()))
            }
            (Source::Year, ExprKind::Number(year)) => {
                self.test_of(TagColumn::Date, Check::Year(relation, *year))
            }
            (Source::Rating(Some(side)), ExprKind::Number(number)) => {
                self.rating(side, relation, *number)
            }
            (Source::Text(_) | Source::Players | Source::Year | Source::Rating(_), _) => {
                return None;
            }
        };
        Some(test)
    }

    /// The test of a rating.
    fn rating(&self, side: Color, relation: ComparisonOperator, number: i32) -> TagTest {
        let column = match side {
            Color::White => TagColumn::WhiteElo,
            Color::Black => TagColumn::BlackElo,
        };
        self.test_of(column, Check::Rating(relation, number))
    }

    /// Returns the conditions of a filter on the tags of either player: the column of White or the
    /// column of Black must fulfill them.
    fn either_tag(&mut self, expr: &Expr) -> Vec<GameTest> {
        let sides = [Color::White, Color::Black];
        let tests: Option<Vec<TagTest>> = if let ExprKind::Binary(BinaryFilter::Substring, part, whole) =
            &expr.kind
            && let (ExprKind::Text(part), Some(Source::Players)) = (&part.kind, Source::of(whole))
            // `\n` stands between the players.
            && !part.contains(&b'\\')
            && **part != *b"n"
        {
            let columns = [TagColumn::White, TagColumn::Black];
            let contains =
                columns.map(|column| self.test_of(column, Check::Contains(part.clone())));
            // The text may begin with the `n` between the players.
            let rest = part.strip_prefix(b"n").map(Box::from);
            let begins = rest.map(|rest| self.test_of(TagColumn::Black, Check::Begins(rest)));
            Some(contains.into_iter().chain(begins).collect())
        } else if let ExprKind::Compare(relation, a, b) = &expr.kind
            && let (Some(Source::Rating(None)), ExprKind::Number(number)) = (Source::of(a), &b.kind)
            && matches!(
                relation,
                ComparisonOperator::Greater
                    | ComparisonOperator::GreaterEqual
                    | ComparisonOperator::Equal
            )
        {
            Some(sides.map(|side| self.rating(side, *relation, *number)).into())
        } else {
            None
        };
        let Some(tests) = tests else {
            return Vec::new();
        };
        vec![GameTest::Any(tests.into_iter().map(|test| vec![self.tag(test)]).collect())]
    }
}

fn text_column(expr: &Expr) -> Option<TagColumn> {
    match Source::of(expr)? {
        Source::Text(column) => Some(column),
        Source::Players | Source::Year | Source::Rating(_) => None,
    }
}

impl fmt::Display for TagColumn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            TagColumn::Event => "event",
            TagColumn::Site => "site",
            TagColumn::Date => "date",
            TagColumn::White => "player white",
            TagColumn::Black => "player black",
            TagColumn::Eco => "eco",
            TagColumn::Result => "result",
            TagColumn::WhiteElo => "elo white",
            TagColumn::BlackElo => "elo black",
        })
    }
}

impl fmt::Display for TagTest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = format!("{}{}", self.letters.map_or("", Letters::word), self.column);
        let quoted = |text: &[u8]| format!("{:?}", String::from_utf8_lossy(text));
        if self.negated {
            out.write_str("not ")?;
        }
        match &self.check {
            Check::Present => write!(out, "{column}"),
            Check::Contains(part) => write!(out, "{} in {column}", quoted(part)),
            Check::Begins(part) => {
                let text = String::from_utf8_lossy(part);
                write!(out, "{column} ~~ {:?}", format!("^{text}"))
            }
            Check::Within(whole) => write!(out, "{column} in {}", quoted(whole)),
            Check::Matches(regex) => write!(out, "{column} ~~ {}", quoted(&regex.text)),
            Check::Text(relation, text) => {
                write!(out, "{column} {} {}", relation.name(), quoted(text))
            }
            Check::Year(relation, year) => write!(out, "year {} {year}", relation.name()),
            Check::Rating(relation, number) => {
                write!(out, "{column} {} {number}", relation.name())
            }
            Check::Result(result) => write!(out, "result {}", result_text(*result)),
        }
    }
}
