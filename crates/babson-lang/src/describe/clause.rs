//! Filters as clauses: what must hold for them to match.

use super::noun::{always_has_value, on_each_square, there_is};
use super::outline::{Item, list, without_parentheses};
use super::relations::{count_of, relation};
use super::{Describer, board, words};
use crate::hir::{
    BinaryFilter, ComparisonOperator, Content, Designator, Expr, ExprKind, FindMode, SortKey, Type,
    UnaryFilter,
};

impl Describer<'_> {
    /// The filter as a clause, with the values that it names explained below.
    pub(super) fn clause(&mut self, filter: &Expr) -> Item {
        let outer = std::mem::take(&mut self.notes);
        let mut item = self.clause_of_kind(filter);
        item.parts.append(&mut self.notes);
        self.notes = outer;
        item
    }

    fn clause_of_kind(&mut self, filter: &Expr) -> Item {
        match &filter.kind {
            ExprKind::Bool(true) => Item::plain("this always holds"),
            ExprKind::Bool(false) => Item::plain("this never holds"),
            ExprKind::Condition(which) => Item::plain(words::condition(*which)),
            ExprKind::Property(which) => match words::has_property(*which) {
                Some(text) => Item::plain(text),
                None => self.has_value(filter),
            },
            ExprKind::Likeness => self.has_value(filter),
            ExprKind::Designator(designator) => Item::plain(there_is(designator)),
            ExprKind::And(..) | ExprKind::Sequence(_) => {
                let mut parts = self.body_of(filter);
                match parts.len() {
                    1 => parts.remove(0),
                    _ => Item { text: "all of these hold:".to_owned(), parts },
                }
            }
            ExprKind::Or(..) => {
                let parts = self.alternatives(filter);
                Item { text: "at least one of these holds:".to_owned(), parts }
            }
            ExprKind::Not(operand) => self.negation(operand),
            ExprKind::If { condition, then, otherwise } => {
                self.choice(condition, then, otherwise.as_deref())
            }
            ExprKind::While { condition, body } => {
                let parts = vec![
                    Item::with_parts("as long as this holds:", self.body_of(condition)),
                    self.actions("", ", and the loop goes on in any case", body),
                ];
                Item { text: "a loop, which always holds:".to_owned(), parts }
            }
            ExprKind::Loop(body) => Item::with_parts(
                "at least once, and again until it does not hold, this holds:",
                self.body_of(body),
            ),
            ExprKind::Assert(body) => {
                let text = "or else the run ends with an error, this must hold:";
                Item::with_parts(text, self.body_of(body))
            }
            ExprKind::NoTransform(body) => {
                let text = "unchanged by transforms around it:";
                Item::with_parts(text, self.body_of(body))
            }
            ExprKind::With { position, body } => {
                let position = self.noun(position);
                Item::with_parts(format!("at {position}:"), self.body_of(body))
            }
            ExprKind::Unary(UnaryFilter::Tag, name) => {
                let name = self.noun(name);
                Item::plain(format!("the game has a tag {name}"))
            }
            ExprKind::Squares(_)
            | ExprKind::Unary(..)
            | ExprKind::Var(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::Extreme { .. }
            | ExprKind::Lookup { .. }
            | ExprKind::DictionaryLen(_)
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::CurrentTransform(_)
            | ExprKind::ConsecutiveMoves(_)
            | ExprKind::Str(_)
            | ExprKind::CommandPipe { .. } => self.has_value(filter),
            ExprKind::Binary(which, a, b) => self.binary_clause(filter, *which, a, b),
            ExprKind::Compare(operator, a, b) => self.comparison(*operator, a, b),
            ExprKind::Equal(a, b) => {
                let (a, b) = (self.noun(a), self.noun(b));
                Item::plain(format!("{a} and {b} have the same type and value, or neither has one"))
            }
            ExprKind::Match { subject, pattern } => {
                let (subject, pattern) = (self.noun(subject), self.noun(pattern));
                Item::plain(format!("the regular expression {pattern} fits a part of {subject}"))
            }
            ExprKind::ForMatches { subject, pattern, body } => {
                let (subject, pattern) = (self.noun(subject), self.noun(pattern));
                let each = format!(
                    "for each part of {subject} that the regular expression {pattern} fits, "
                );
                self.actions(&each, " (the loop always holds)", body)
            }
            ExprKind::Set(set) => self.set_clause(filter, set),
            ExprKind::FenPattern(pattern) => {
                let merged = Designator::merged(&pattern.designators);
                let parts = merged.iter().filter(|part| part.content != Content::ANY);
                let parts: Vec<Item> =
                    parts.map(|part| Item::plain(on_each_square(part))).collect();
                match parts.is_empty() {
                    true => Item::plain("the board may be any (this always holds)"),
                    false => Item::with_actions("the board has these contents:", parts),
                }
            }
            ExprKind::ForSquares { var, set, body, all } => {
                let (var, set) = (self.var(*var), self.noun(set));
                let text = match all {
                    true => format!("for every square {var} of {set}:"),
                    false => format!("for at least one square {var} of {set}:"),
                };
                Item::with_parts(text, self.body_of(body))
            }
            ExprKind::ForPieces { var, set, body, all } => {
                let (var, set) = (self.var(*var), self.noun(set));
                let text = match all {
                    true => format!("for every piece {var} among {set}:"),
                    false => format!("for at least one piece {var} among {set}:"),
                };
                Item::with_parts(text, self.body_of(body))
            }
            ExprKind::ForKeys { var, dictionary, body } => {
                let (var, dictionary) = (self.var(*var), self.dictionary(*dictionary));
                let each = format!("for each key {var} of {dictionary}, ");
                self.actions(&each, " (the loop always holds)", body)
            }
            ExprKind::IsBound(var) => Item::plain(format!("{} has a value", self.var(*var))),
            ExprKind::SimilarPosition => {
                let similar = self.query.similar.as_ref();
                let file = similar.map_or(String::new(), |similar| format!(" {:?}", similar.file));
                let exactly = if similar.is_some_and(|similar| similar.no_transform) {
                    ""
                } else {
                    ", perhaps turned or mirrored"
                };
                Item::plain(format!(
                    "the board is similar to a position of the file{file}{exactly}"
                ))
            }
            ExprKind::Orbit { elements, result, source } => {
                self.orbit_clause(elements, *result, source)
            }
            ExprKind::Move(filter) => self.move_clause(filter),
            ExprKind::SpeculativeMove(filter) => self.speculation_clause(filter),
            ExprKind::Imagine { changes, body } => {
                let changes = self.changes(changes);
                Item::with_parts(format!("if {changes}:"), self.body_of(body))
            }
            ExprKind::Dash(filter) => self.dash_clause(filter),
            ExprKind::Find(find) => {
                let count = match find.mode {
                    FindMode::First => None,
                    FindMode::All => Some("no fewer than 1".to_owned()),
                    FindMode::Range(range) => Some(match self.range(range) {
                        None => "any number".to_owned(),
                        // `at at least 2` would follow.
                        Some(range) => match range.strip_prefix("at least") {
                            Some(number) => format!("no fewer than{number}"),
                            None => range,
                        },
                    }),
                };
                let text = match (count, find.backward) {
                    (None, false) => "at this position or at a later one:".to_owned(),
                    (None, true) => "at this position or at an earlier one:".to_owned(),
                    (Some(count), false) => {
                        format!("at {count} of the positions from this one on:")
                    }
                    (Some(count), true) => {
                        format!("at {count} of the positions up to this one:")
                    }
                };
                Item::with_parts(text, self.body_of(&find.body))
            }
            ExprKind::Echo(echo) => {
                let (source, target) = (self.var(echo.source), self.var(echo.target));
                let other = if echo.in_all { "a position" } else { "another position" };
                let text = format!(
                    "at {other} {target} of the game, where {source} is the current position:"
                );
                Item::with_parts(text, self.body_of(&echo.body))
            }
            ExprKind::Line(line) => self.line(line),
            ExprKind::Path(path) => self.path(path),
            ExprKind::Sort { value, .. } if value.kind == ExprKind::Likeness => {
                Item::plain(format!(
                    "of each game only the position counts that has the greatest value of {}, and \
                     the game with the greatest value comes first",
                    self.noun(value)
                ))
            }
            ExprKind::Sort { key, value } => {
                let known = self.query.sorts.get(key.0 as usize);
                let (least, name) =
                    known.map_or((false, ""), |known| (known.min, known.name.as_str()));
                let value = self.bare_noun(value);
                let title = match known.and_then(SortKey::number) {
                    Some(_) => String::new(),
                    None => format!(" {name:?}"),
                };
                let order = if least { "least" } else { "greatest" };
                Item::plain(format!(
                    "the games are sorted{title} by {value}, which must have a value: the {order} \
                     one of a game counts, and the game with the {order} comes first"
                ))
            }
            ExprKind::HasNag(nag) => {
                Item::plain(format!("the position has the annotation ${nag} in the input"))
            }
            ExprKind::State(filter) => self.state_clause(filter),
            ExprKind::Output(filter) => self.output_clause(filter),
            ExprKind::GameLists(lists) => self.game_lists(lists),
            ExprKind::PositionSequence(steps) => self.position_sequence(steps),
            ExprKind::Pairs(pairs) => self.pairs(pairs),
            ExprKind::Recurrence(found) => Item::plain(self.recurrence(found)),
        }
    }

    /// That a filter with a value matches: a set is not empty, any other has a value.
    pub(super) fn has_value(&mut self, filter: &Expr) -> Item {
        if let Some(squares) = board::fixed(filter) {
            let text = if squares == 0 { "this never holds" } else { "this always holds" };
            return Item::plain(text);
        }
        match filter.ty {
            Type::Set => {
                let one = self.one(filter);
                Item::plain(format!("there is {}", without_parentheses(&one)))
            }
            Type::Bool | Type::Number | Type::String | Type::Position | Type::Piece => {
                let noun = self.noun(filter);
                // A variable may lose its value.
                let is_certain =
                    always_has_value(filter) && !matches!(filter.kind, ExprKind::Var(_));
                let always = if is_certain { " (this always holds)" } else { "" };
                Item::plain(format!("{noun} has a value{always}"))
            }
        }
    }

    /// The operands of a disjunction.
    fn alternatives(&mut self, filter: &Expr) -> Vec<Item> {
        let ExprKind::Or(left, right) = &filter.kind else {
            return vec![self.clause(filter)];
        };
        let mut parts = self.alternatives(left);
        parts.append(&mut self.alternatives(right));
        parts
    }

    /// What a loop does at each round, between the beginning and the end of a sentence.
    fn actions(&mut self, begin: &str, end: &str, body: &Expr) -> Item {
        let parts = self.body_of(body);
        let what = match parts.len() {
            1 => "this is done",
            _ => "these are done in order, up to the first that does not hold",
        };
        Item::with_actions(format!("{begin}{what}{end}:"), parts)
    }

    fn negation(&mut self, operand: &Expr) -> Item {
        if let ExprKind::Designator(designator) = &operand.kind
            && let Some(bare) = board::one_bare(designator)
        {
            return Item::plain(format!("there is no {bare}"));
        }
        if let ExprKind::Condition(which) = operand.kind
            && let Some(opposite) = words::opposite(which)
        {
            return Item::plain(opposite);
        }
        if let ExprKind::Or(..) = operand.kind {
            let parts = self.alternatives(operand);
            return Item { text: "none of these holds:".to_owned(), parts };
        }
        let parts = self.body_of(operand);
        if parts.len() > 1 {
            return Item { text: "not all of these hold together:".to_owned(), parts };
        }
        Item::with_parts("this does not hold:", parts)
    }

    fn choice(&mut self, condition: &Expr, then: &Expr, otherwise: Option<&Expr>) -> Item {
        let condition = self.body_of(condition);
        let then = self.body_of(then);
        let mut parts = vec![
            Item::with_parts("if this holds:", condition),
            Item::with_parts("then this must hold:", then),
        ];
        let text = match otherwise {
            Some(otherwise) => {
                let otherwise = self.body_of(otherwise);
                parts.push(Item::with_parts("otherwise this must hold:", otherwise));
                "depending on a condition:"
            }
            None => "depending on a condition (otherwise nothing must hold):",
        };
        Item { text: text.to_owned(), parts }
    }

    fn binary_clause(&mut self, filter: &Expr, which: BinaryFilter, a: &Expr, b: &Expr) -> Item {
        let text = match which {
            BinaryFilter::Attacks => format!("{} attacks {}", self.one(a), self.one(b)),
            BinaryFilter::AttackedBy => {
                format!("{} is attacked by {}", self.one(a), self.one(b))
            }
            BinaryFilter::Subset => {
                let is_piece = matches!(a.kind, ExprKind::Unary(UnaryFilter::PieceSquare, _));
                let every = if is_piece { self.one(a) } else { self.noun(a) };
                match is_piece {
                    true => format!("{every} is among {}", self.noun(b)),
                    false => format!("every square of {every} is among {}", self.noun(b)),
                }
            }
            BinaryFilter::AncestorOf => {
                format!("{} comes before {} on one line", self.noun(a), self.noun(b))
            }
            BinaryFilter::DescendantOf => {
                format!("{} comes after {} on one line", self.noun(a), self.noun(b))
            }
            BinaryFilter::Substring => format!("{} contains {}", self.noun(b), self.noun(a)),
            BinaryFilter::Intersection => match board::fixed(b) {
                Some(squares) if squares != 0 && squares != u64::MAX => {
                    format!("{} is on {}", self.one(a), board::squares_by_name(squares, "or"))
                }
                Some(_) | None => format!("{} is among {}", self.one(a), self.noun(b)),
            },
            BinaryFilter::Union => {
                let one = self.one(filter);
                format!("there is {}", without_parentheses(&one))
            }
            BinaryFilter::Between
            | BinaryFilter::Lca
            | BinaryFilter::Distance
            | BinaryFilter::IndexOf
            | BinaryFilter::SameContent
            | BinaryFilter::Concat
            | BinaryFilter::MakeSquare => return self.has_value(filter),
        };
        Item::plain(text)
    }

    fn comparison(&mut self, operator: ComparisonOperator, a: &Expr, b: &Expr) -> Item {
        if let (ExprKind::Unary(UnaryFilter::Count, set), ExprKind::Number(number)) =
            (&a.kind, &b.kind)
            && let ExprKind::Designator(designator) = &set.kind
        {
            return Item::plain(count_of(designator, operator, i64::from(*number)));
        }
        let relation = relation(operator, a.ty);
        // A missing value counts as different.
        let lacks = operator == ComparisonOperator::NotEqual
            && [a, b].into_iter().any(|operand| !always_has_value(operand));
        if board::fixed(b) == Some(0) && a.ty == Type::Set {
            let verb = if operator == ComparisonOperator::Equal { "is" } else { relation };
            return Item::plain(format!("{} {verb} the empty set", self.noun(a)));
        }
        let (a, b) = match a.ty == Type::Set {
            true => (self.noun(a), self.noun(b)),
            false => (self.bare_noun(a), self.bare_noun(b)),
        };
        let lacks = if lacks { ", or one of the two has no value" } else { "" };
        Item::plain(format!("{a} {relation} {b}{lacks}"))
    }

    /// The parts of a comment or message.
    pub(super) fn printed(&mut self, parts: &[Expr]) -> String {
        match parts {
            [] => "\"\"".to_owned(),
            [only] => self.bare_noun(only),
            _ => {
                let parts: Vec<String> = parts.iter().map(|part| self.noun(part)).collect();
                let all = list(&parts, "and");
                self.settle(all)
            }
        }
    }

    /// A character or a slice of a text.
    pub(super) fn place_in_text(
        &mut self,
        single: bool,
        from: Option<&Expr>,
        to: Option<&Expr>,
    ) -> String {
        let mut end = |end: Option<&Expr>| end.map(|end| self.noun(end));
        let (from, to) = (end(from), end(to));
        match (single, from, to) {
            (true, Some(at), _) => format!("the character at index {at}"),
            (false, Some(from), Some(to)) => format!("the part from index {from} to before {to}"),
            (false, Some(from), None) => format!("the part from index {from} on"),
            (false, None, Some(to)) => format!("the part before index {to}"),
            (_, None, None) | (true, None, Some(_)) => "the whole".to_owned(),
        }
    }
}
