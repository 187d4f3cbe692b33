//! The grammar of CQL 3, by recursive descent: one token tells each choice.
//!
//! What is wrong in a list ends with that list: the parser goes on at its next item or at its own
//! closing parenthesis, so that one mistake is one message.

use super::designator;
use super::lexer::{Spanned, Tok};
use super::tree::{
    Designator, Flag, Item, List, MatchItem, MatchList, Pieces, Range, RelationFlag, RelationItem,
    Transform,
};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{Content, GameResult};
use crate::sema::names::nearest_of;

/// What can stand in a list, in words.
const MATCH_ITEM: &str = "a position list, a parameter of the match list or `)`";
const ITEM: &str = "a piece designator, a keyword or `)`";
const RELATION_ITEM: &str = "a parameter of `:relation` or `)`";

/// An error was reported where something had to stand.
struct Missing;

type Parsed<T> = Result<T, Missing>;

/// The tree of a query, or all that is wrong with its form.
pub(super) fn parse(text: &str, tokens: &[Spanned<'_>]) -> Result<MatchList, Vec<Diagnostic>> {
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        open: Vec::new(),
        ended: false,
        errors: Vec::new(),
    };
    let tree = parser.query();
    if parser.errors.is_empty() {
        return Ok(tree);
    }
    Err(parser.errors)
}

struct Parser<'s> {
    text: &'s str,
    tokens: &'s [Spanned<'s>],
    at: usize,
    /// Where the parentheses that are open begin.
    open: Vec<Span>,
    /// Whether the end of the text was reported.
    ended: bool,
    errors: Vec<Diagnostic>,
}

impl<'s> Parser<'s> {
    fn peek(&self) -> Option<Tok<'s>> {
        self.tokens.get(self.at).map(|token| token.1)
    }

    /// The place of the next token.
    fn here(&self) -> Span {
        match self.tokens.get(self.at) {
            Some(&(start, _, end)) => Span::new(start, end),
            None => Span::new(self.end(), self.end()),
        }
    }

    /// Where the last token that was read ends.
    fn end(&self) -> u32 {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(0, |token| token.2)
    }

    fn since(&self, start: u32) -> Span {
        Span::new(start, self.end().max(start))
    }

    fn take(&mut self, token: Tok<'_>) -> bool {
        let there = self.peek() == Some(token);
        self.at += usize::from(there);
        there
    }

    /// Something else stands where `wanted` has to.
    fn unexpected(&mut self, wanted: &str) -> Missing {
        let span = self.here();
        if self.peek().is_none() {
            self.unclosed();
            return Missing;
        }
        let found = span.text(self.text);
        let previous = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let previous =
            previous.map_or("", |&(start, _, end)| Span::new(start, end).text(self.text));
        let message = if previous.starts_with(':') && wanted != ITEM && wanted != MATCH_ITEM {
            format!("unexpected `{found}`: after `{previous}` comes {wanted}")
        } else {
            format!("unexpected `{found}`: expected {wanted}")
        };
        let error = Diagnostic::error(span, message);
        let is_item = wanted.ends_with("`)`");
        self.errors.push(match self.peek() {
            Some(Tok::Open | Tok::Match) => error.with_help("a list begins with `(position`"),
            Some(Tok::Close) if previous == "(" => {
                error.with_help("nothing stands between these parentheses")
            }
            _ if is_item && found.starts_with(':') => {
                error.with_help("this keyword belongs to another kind of list")
            }
            _ => error,
        });
        Missing
    }

    /// The text ends within a list: the innermost that is open is shown.
    fn unclosed(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let span = self.open.last().copied().unwrap_or_else(|| self.here());
        let opening = span.text(self.text);
        let message = if opening.is_empty() {
            "the query ends here".to_owned()
        } else {
            format!("`{opening}` is not closed where the query ends")
        };
        // All after the last token is white space and comments.
        let rest = self.text.get(self.end() as usize..).unwrap_or_default();
        let error = Diagnostic::error(span, message);
        self.errors.push(error.with_help(if rest.contains(')') {
            "a closing parenthesis is missing: what follows `;` is a comment"
        } else {
            "a closing parenthesis is missing"
        }));
    }

    /// Passes over what is wrong, up to the next item of the list or to its end. Lists are passed over
    /// whole.
    fn recover(&mut self, begins: fn(Tok<'_>) -> bool) {
        loop {
            match self.peek() {
                None | Some(Tok::Close) => return,
                Some(token) if begins(token) => return,
                Some(Tok::Open | Tok::Match | Tok::Position) => self.skip_list(),
                Some(_) => self.at += 1,
            }
        }
    }

    fn skip_list(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.peek() {
            match token {
                Tok::Open | Tok::Match | Tok::Position => {
                    self.open.push(self.here());
                    depth += 1;
                }
                Tok::Close => {
                    self.open.pop();
                    depth -= 1;
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
        self.unclosed();
    }

    /// The items up to the closing parenthesis of a list whose beginning was read.
    fn items<T>(
        &mut self,
        begin: Span,
        begins: fn(Tok<'_>) -> bool,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Vec<(T, Span)> {
        self.open.push(begin);
        let mut items = Vec::new();
        loop {
            if self.take(Tok::Close) {
                self.open.pop();
                return items;
            }
            if self.peek().is_none() {
                self.unclosed();
                return items;
            }
            let start = self.here().start;
            match item(self) {
                Ok(item) => items.push((item, self.since(start))),
                Err(Missing) => self.recover(begins),
            }
        }
    }

    /// The beginning of a list, also if its word is misspelled; nothing is read if it is none.
    fn begin(&mut self, token: Tok<'_>, word: &'static str) -> Option<Span> {
        let span = self.here();
        if self.take(token) {
            return Some(span);
        }
        let (Some(Tok::Open), Some(&(start, Tok::Atom(found), end))) =
            (self.peek(), self.tokens.get(self.at + 1))
        else {
            return None;
        };
        let is_near = nearest_of(&found.to_ascii_lowercase(), [word].into_iter()).is_some();
        if !is_near && !found.eq_ignore_ascii_case(word) {
            return None;
        }
        let message = format!("unknown list `({found}`");
        let error = Diagnostic::error(Span::new(start, end), message);
        self.errors
            .push(error.with_help(if found.eq_ignore_ascii_case(word) {
                format!("`({word}` is written in small letters")
            } else {
                format!("did you mean `({word}`?")
            }));
        self.at += 2;
        Some(Span::new(span.start, end))
    }

    fn query(&mut self) -> MatchList {
        let start = self.here().start;
        let Some(begin) = self.begin(Tok::Match, "match") else {
            self.unexpected("`(match`");
            return MatchList {
                items: Vec::new(),
                span: self.here(),
            };
        };
        let items = self.items(begin, begins_match_item, Self::match_item);
        let span = self.since(start);
        if let (Some(_), false) = (self.peek(), self.ended) {
            let found = self.here();
            let message = match found.text(self.text) {
                ")" => "this `)` closes nothing".to_owned(),
                found => format!("`{found}` stands after the end of the query"),
            };
            // Who has closed a list too often reads of that first.
            let help = "a file holds one match list, and nothing follows it";
            self.errors
                .push(Diagnostic::error(found, message).with_help(help));
        }
        MatchList { items, span }
    }

    fn match_item(&mut self) -> Parsed<MatchItem> {
        if let Some(begin) = self.begin(Tok::Position, "position") {
            return Ok(MatchItem::Position(self.list(begin)));
        }
        let Some(token) = self.peek().filter(|token| begins_match_item(*token)) else {
            return Err(self.unexpected(MATCH_ITEM));
        };
        self.at += 1;
        Ok(match token {
            Tok::Pgn => MatchItem::Pgn(self.name()?),
            Tok::Output => MatchItem::Output(self.name()?),
            Tok::Year => MatchItem::Year(self.range()?),
            Tok::ResultIs => MatchItem::Result(self.result()?),
            Tok::GameNumber => MatchItem::GameNumber(self.range()?),
            Tok::Player => MatchItem::Player(self.name()?),
            Tok::ForAny => MatchItem::ForAny {
                tag: self.name()?,
                pieces: self.designator()?,
            },
            _ => {
                self.at -= 1;
                return Err(self.unexpected(MATCH_ITEM));
            }
        })
    }

    /// The rest of a position list.
    fn list(&mut self, begin: Span) -> List {
        let items = self.items(begin, begins_item, Self::item);
        let (items, spans) = items.into_iter().unzip();
        let span = self.since(begin.start);
        List { items, spans, span }
    }

    fn item(&mut self) -> Parsed<Item> {
        let Some(token) = self.peek().filter(|token| begins_item(*token)) else {
            return Err(self.unexpected(ITEM));
        };
        if matches!(token, Tok::Designator(_) | Tok::Atom(_)) {
            return Ok(Item::Designator(self.designator()?));
        }
        self.at += 1;
        Ok(match token {
            Tok::Flag(flag) => Item::Flag(flag),
            Tok::PieceCount => Item::PieceCount(self.designator()?, self.optional_range()),
            Tok::Power(difference) => Item::Power {
                difference,
                pieces: self.designator()?,
                range: self.range()?,
            },
            Tok::AttackCount => Item::AttackCount {
                attackers: self.designator()?,
                targets: self.designator()?,
                range: self.optional_range(),
            },
            Tok::Ray(kind) => Item::Ray {
                kind,
                sets: self.ray()?,
                range: self.optional_range(),
            },
            Tok::Move(part) => Item::Move(part, self.designator()?),
            Tok::Number(kind) => Item::Number(kind, self.range()?),
            Tok::ResultIs => Item::Result(self.result()?),
            Tok::Logic(or) => Item::Logic {
                or,
                lists: self.lists()?,
            },
            Tok::Sequence(gapped) => Item::Sequence {
                gapped,
                lists: self.lists()?,
            },
            Tok::Relation => Item::Relation(self.relation()?),
            Tok::MatchCount(pre_transform) => Item::MatchCount {
                pre_transform,
                range: self.optional_range(),
            },
            Tok::Accumulate => Item::Accumulate(self.name()?),
            Tok::SumRange => Item::SumRange(self.name()?, self.range()?),
            Tok::TagMatch => Item::TagMatch(self.name()?, self.designator()?),
            _ => {
                self.at -= 1;
                return Err(self.unexpected(ITEM));
            }
        })
    }

    /// The opening parenthesis of a list of parameters.
    fn opening(&mut self) -> Parsed<Span> {
        let span = self.here();
        if self.take(Tok::Open) {
            Ok(span)
        } else {
            Err(self.unexpected("`(`"))
        }
    }

    fn lists(&mut self) -> Parsed<Vec<List>> {
        let begin = self.opening()?;
        let begins = |token: Tok<'_>| token == Tok::Position;
        let lists = self.items(begin, begins, |parser| {
            match parser.begin(Tok::Position, "position") {
                Some(begin) => Ok(parser.list(begin)),
                None => Err(parser.unexpected("`(position` or `)`")),
            }
        });
        Ok(lists.into_iter().map(|(list, _)| list).collect())
    }

    fn ray(&mut self) -> Parsed<Vec<Designator>> {
        let begin = self.opening()?;
        let designators = self.items(begin, begins_designator, Self::designator);
        // An error within was reported.
        if designators.len() < 2 && self.errors.is_empty() {
            self.at -= 1;
            let Missing = self.unexpected("a piece designator");
            self.at += 1;
        }
        Ok(designators.into_iter().map(|(set, _)| set).collect())
    }

    fn relation(&mut self) -> Parsed<Vec<RelationItem>> {
        let begin = self.opening()?;
        let items = self.items(begin, begins_relation_item, |parser| {
            let span = parser.here();
            let token = parser.peek();
            parser.at += 1;
            Ok(match token {
                Some(Tok::RelationFlag(flag)) => RelationItem::Flag(flag),
                Some(Tok::Flag(flag)) => RelationItem::Flag(parser.relation_flag(flag, span)),
                Some(Tok::RelationCount(different)) => RelationItem::Count {
                    different,
                    range: parser.optional_range(),
                },
                Some(Tok::RelationPieces(new)) => RelationItem::Pieces {
                    new,
                    pieces: parser.designator()?,
                    range: parser.optional_range(),
                },
                _ => {
                    parser.at -= 1;
                    return Err(parser.unexpected(RELATION_ITEM));
                }
            })
        });
        Ok(items.into_iter().map(|(item, _)| item).collect())
    }

    /// `:shift`, `:flip` and the scope are keywords of position lists too.
    fn relation_flag(&mut self, flag: Flag, span: Span) -> RelationFlag {
        match flag {
            Flag::Transform(Transform::Shift) => RelationFlag::Shift,
            Flag::Transform(Transform::Flip) => RelationFlag::Flip,
            Flag::Variations => RelationFlag::Variations,
            Flag::VariationsOnly => RelationFlag::VariationsOnly,
            _ => {
                self.errors.push(Diagnostic::error(
                    span,
                    "this keyword is not a parameter of `:relation`",
                ));
                RelationFlag::Pattern
            }
        }
    }

    fn range(&mut self) -> Parsed<Range> {
        let Some(Tok::Int(lo, _)) = self.peek() else {
            return Err(self.unexpected("a number"));
        };
        self.at += 1;
        // The second number is taken if it is there.
        let hi = match self.peek() {
            Some(Tok::Int(hi, _)) => {
                self.at += 1;
                hi
            }
            _ => lo,
        };
        Ok(Range { lo, hi })
    }

    fn optional_range(&mut self) -> Range {
        match self.peek() {
            Some(Tok::Int(..)) => self.range().unwrap_or(Range::DEFAULT),
            _ => Range::DEFAULT,
        }
    }

    fn name(&mut self) -> Parsed<String> {
        let name = match self.peek() {
            Some(
                Tok::Atom(name)
                | Tok::Text(name)
                | Tok::Designator(name)
                | Tok::Int(_, name)
                | Tok::Result(_, name),
            ) => name,
            _ => return Err(self.unexpected("a name")),
        };
        self.at += 1;
        Ok(name.to_owned())
    }

    fn result(&mut self) -> Parsed<GameResult> {
        let span = self.here();
        let found = match self.peek() {
            Some(Tok::Result(result, _)) => {
                self.at += 1;
                return Ok(result);
            }
            Some(Tok::Atom(found) | Tok::Text(found) | Tok::Int(_, found)) => found,
            _ => return Err(self.unexpected("`1-0`, `0-1` or `1/2-1/2`")),
        };
        self.at += 1;
        let meant = match found.to_ascii_lowercase().as_str() {
            "draw" | "drawn" | "remis" | "=" | "0.5" | "1/2-1/2." | "tie" => Some("1/2-1/2"),
            "white" | "whitewins" | "win" | "1" => Some("1-0"),
            "black" | "blackwins" | "loss" | "0" => Some("0-1"),
            _ => None,
        };
        let error = Diagnostic::error(span, format!("`{found}` is not a result"));
        self.errors.push(error.with_help(match meant {
            Some(meant) => format!("write `:result {meant}`"),
            None => "a result is `1-0`, `0-1` or `1/2-1/2`".to_owned(),
        }));
        Ok(GameResult::Draw)
    }

    fn designator(&mut self) -> Parsed<Designator> {
        let span = self.here();
        let designator = match self.peek() {
            Some(Tok::Designator(designator)) => designator::decode(designator),
            Some(Tok::Atom(atom)) => self.not_designator(atom, span),
            _ => return Err(self.unexpected("a piece designator")),
        };
        self.at += 1;
        Ok(designator)
    }

    /// An atom that is not a designator stands where one is wanted.
    fn not_designator(&mut self, atom: &str, span: Span) -> Designator {
        let error = Diagnostic::error(span, format!("`{atom}` is not a piece designator"));
        let is_square = matches!(atom.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
        let keyword = atom.to_ascii_lowercase();
        let is_keyword = super::lexer::keywords().any(|known| known == keyword);
        self.errors.push(if is_square {
            error.with_help(format!(
                "a piece comes before the square: `?{atom}` is anything there, `.{atom}` the empty square"
            ))
        } else if is_keyword {
            error.with_help(format!("a keyword begins with a colon: `:{keyword}`"))
        } else {
            error.with_help("such as `Ra1`, `[Qq]`, `n[a-c1-8]`, `.d4`")
        });
        Designator {
            pieces: Pieces::Kinds(Content(0)),
            squares: 0,
        }
    }
}

fn begins_designator(token: Tok<'_>) -> bool {
    matches!(token, Tok::Designator(_) | Tok::Atom(_))
}

fn begins_match_item(token: Tok<'_>) -> bool {
    matches!(
        token,
        Tok::Position
            | Tok::Pgn
            | Tok::Output
            | Tok::Year
            | Tok::ResultIs
            | Tok::GameNumber
            | Tok::Player
            | Tok::ForAny
    )
}

fn begins_item(token: Tok<'_>) -> bool {
    begins_designator(token)
        || matches!(
            token,
            Tok::Flag(_)
                | Tok::PieceCount
                | Tok::Power(_)
                | Tok::AttackCount
                | Tok::Ray(_)
                | Tok::Move(_)
                | Tok::Number(_)
                | Tok::ResultIs
                | Tok::Logic(_)
                | Tok::Sequence(_)
                | Tok::Relation
                | Tok::MatchCount(_)
                | Tok::Accumulate
                | Tok::SumRange
                | Tok::TagMatch
        )
}

fn begins_relation_item(token: Tok<'_>) -> bool {
    matches!(
        token,
        Tok::RelationFlag(_) | Tok::Flag(_) | Tok::RelationCount(_) | Tok::RelationPieces(_)
    )
}
