//! Filters as nouns: their values.

use super::outline::{Item, quoted, without_parentheses};
use super::relations::{operation_name, relation, relative, relative_of_several};
use super::{Describer, board, words};
use crate::hir::{
    Arithmetic, BinaryFilter, Content, Designator, Expr, ExprKind, FindMode, Like, Property, Type,
    UnaryFilter,
};

impl Describer<'_> {
    /// The value of a filter.
    pub(super) fn noun(&mut self, filter: &Expr) -> String {
        let noun = self.noun_of_kind(filter);
        self.settle(noun)
    }

    /// The value of a filter that nothing follows, so that it needs no parentheses.
    pub(super) fn bare_noun(&mut self, filter: &Expr) -> String {
        let noun = self.noun(filter);
        let is_placed = matches!(
            filter.kind,
            ExprKind::With { .. }
                | ExprKind::Imagine { .. }
                | ExprKind::NoTransform(_)
                | ExprKind::Orbit { .. }
        );
        if is_placed { noun } else { without_parentheses(&noun).to_owned() }
    }

    fn noun_of_kind(&mut self, filter: &Expr) -> String {
        match &filter.kind {
            ExprKind::Number(number) => number.to_string(),
            ExprKind::Text(text) => quoted(text),
            ExprKind::Designator(designator) => board::all(designator),
            ExprKind::Squares(squares) => board::all_squares(*squares),
            ExprKind::Var(var) => self.var(*var),
            ExprKind::Property(which) => words::property(*which),
            ExprKind::Likeness => {
                let board = self.query.like.as_ref().map(Like::board);
                format!("the similarity to {}, from 0 to 1000", board.unwrap_or_default())
            }
            ExprKind::Unary(which, operand) => self.unary(*which, operand),
            ExprKind::Binary(which, a, b) => self.binary(filter, *which, a, b),
            ExprKind::Arithmetic(operation, a, b) => {
                // From left to right, as everybody reads sums.
                let is_sum = |operation: Arithmetic| {
                    matches!(operation, Arithmetic::Add | Arithmetic::Subtract)
                };
                let reads_on = is_sum(*operation)
                    && matches!(a.kind, ExprKind::Arithmetic(inner, ..) if is_sum(inner));
                let a = if reads_on { self.bare_noun(a) } else { self.noun(a) };
                let b = self.noun(b);
                format!("({a} {} {b})", operation_name(*operation))
            }
            // A comparison has the value of its left side.
            ExprKind::Compare(operator, left, right) if filter.ty != Type::Bool => {
                let relation = relation(*operator, left.ty);
                self.note(|this, name| {
                    let (left, right) = (this.bare_noun(left), this.bare_noun(right));
                    Item::plain(format!("{name} is {left}, if it {relation} {right}"))
                })
            }
            ExprKind::Extreme { min, operands } => {
                let which = if *min { "the least of" } else { "the greatest of" };
                format!("{which} {}", self.printed(operands))
            }
            ExprKind::Sequence(list) => match list.as_slice() {
                [only] => self.noun(only),
                [conditions @ .., last] if filter.ty != Type::Bool => self.note(|this, name| {
                    let noun = this.noun(last);
                    let conditions = this.conditions(conditions);
                    let text = format!("{name} is {noun}, if the following holds:");
                    Item::with_parts(text, conditions)
                }),
                _ => self.whether(filter),
            },
            ExprKind::NoTransform(operand) => {
                let noun = self.noun(operand);
                format!("{noun} (unchanged by transforms around it)")
            }
            ExprKind::If { condition, then, otherwise } if filter.ty != Type::Bool => {
                self.note(|this, name| {
                    let condition = this.body_of(condition);
                    let then = this.noun(then);
                    let otherwise = otherwise.as_deref().map_or_else(
                        || "without a value".to_owned(),
                        |otherwise| this.noun(otherwise),
                    );
                    let text = format!("{name} is {otherwise}, but {then} if the following holds:");
                    Item::with_parts(text, condition)
                })
            }
            ExprKind::With { position, body } if filter.ty != Type::Bool => {
                let (position, body) = (self.noun(position), self.noun(body));
                format!("({body}, at {position})")
            }
            ExprKind::Set(filter) => self.set_noun(filter),
            ExprKind::ForSquares { var, set, body, all: false } => self.note(|this, name| {
                let (var, set) = (this.var(*var), this.noun(set));
                let text = format!("{name} is the set of the squares {var} of {set} for which:");
                Item::with_parts(text, this.body_of(body))
            }),
            ExprKind::ForPieces { var, set, body, all: false } => self.note(|this, name| {
                let (var, set) = (this.var(*var), this.noun(set));
                let text = format!(
                    "{name} is the set of the squares of the pieces {var} among {set} for which:"
                );
                Item::with_parts(text, this.body_of(body))
            }),
            ExprKind::Lookup { dictionary, key } => {
                let key = self.noun(key);
                format!("the value of {} under the key {key}", self.dictionary(*dictionary))
            }
            ExprKind::DictionaryLen(dictionary) => {
                format!("the number of entries of {}", self.dictionary(*dictionary))
            }
            ExprKind::CharAt { text, index } => {
                let (text, index) = (self.noun(text), self.noun(index));
                format!("the character at index {index} of {text}")
            }
            ExprKind::Slice { text, from, to } => {
                let place = self.place_in_text(false, from.as_deref(), to.as_deref());
                let text = self.noun(text);
                format!("{place} of {text}")
            }
            ExprKind::Match { subject, pattern } => {
                let (subject, pattern) = (self.noun(subject), self.noun(pattern));
                format!("the first part of {subject} that the regular expression {pattern} fits")
            }
            ExprKind::Group(number) => {
                format!("the text of group {number} of the last regular expression")
            }
            ExprKind::GroupIndex(number) => {
                format!("the index of group {number} of the last regular expression")
            }
            ExprKind::Orbit { elements, result, source } if filter.ty != Type::Bool => {
                self.orbit(elements, *result, source)
            }
            ExprKind::CurrentTransform(name) => quoted(format!("<{}>", name.0).as_bytes()),
            ExprKind::Move(found) if filter.ty != Type::Bool => self.move_value(found),
            ExprKind::SpeculativeMove(found) if filter.ty != Type::Bool => {
                self.speculation_value(found)
            }
            ExprKind::Imagine { changes, body } if filter.ty != Type::Bool => {
                let (changes, body) = (self.changes(changes), self.noun(body));
                format!("({body}, if {changes})")
            }
            ExprKind::Dash(found) if filter.ty != Type::Bool => self.dash_value(found),
            ExprKind::Find(find) => self.note(|this, name| {
                let later = if find.backward { "earlier" } else { "later" };
                let text = match find.mode {
                    FindMode::First if find.backward => {
                        format!("{name} is the last position, up to this one, at which:")
                    }
                    FindMode::First => {
                        format!("{name} is the first position, from this one on, at which:")
                    }
                    FindMode::All => format!(
                        "{name} is the number, at least 1, of positions, this one and the {later} \
                         ones, at which:"
                    ),
                    FindMode::Range(range) => {
                        let range = this.range(range);
                        let range = range.map_or(String::new(), |range| format!(", {range},"));
                        format!(
                            "{name} is the number{range} of positions, this one and the {later} \
                             ones, at which:"
                        )
                    }
                };
                Item::with_parts(text, this.body_of(&find.body))
            }),
            ExprKind::Echo(echo) if filter.ty != Type::Bool => self.note(|this, name| {
                let (source, target) = (this.var(echo.source), this.var(echo.target));
                let other = if echo.in_all { "all positions" } else { "all other positions" };
                let body = this.noun(&echo.body);
                Item::plain(format!(
                    "{name} is the greatest value over {other} {target} of the game, where \
                     {source} is the current position, of {body}"
                ))
            }),
            ExprKind::ConsecutiveMoves(moves) => {
                let range = moves.range.and_then(|range| self.range(range));
                let range =
                    range.map_or(String::new(), |range| format!(", which must be {range},"));
                format!(
                    "the length{range} of the longest run of equal moves on the lines to {} and \
                     to {}",
                    self.var(moves.left),
                    self.var(moves.right)
                )
            }
            ExprKind::Line(line) => {
                let what = match line.last_position {
                    true => "the last position",
                    false => "the number of positions",
                };
                self.note(|this, name| {
                    let item = this.line(line);
                    let text = format!("{name} is {what} of this: {}", item.text);
                    Item { text, parts: item.parts }
                })
            }
            ExprKind::Path(path) => {
                let what = match (path.last_position, path.max.is_some()) {
                    (true, _) => "the last position",
                    (false, true) => "the greatest value",
                    (false, false) => "the number of moves",
                };
                self.note(|this, name| {
                    let item = this.path(path);
                    let text = format!("{name} is {what} of this: {}", item.text);
                    Item { text, parts: item.parts }
                })
            }
            ExprKind::Sort { value, .. } => {
                let value = self.noun(value);
                format!("({value}, by which the games are sorted)")
            }
            ExprKind::Str(parts) => match parts.as_slice() {
                [only] => format!("the text of {}", self.noun(only)),
                _ => format!("the text of {}", self.printed(parts)),
            },
            ExprKind::CommandPipe { command, request } => {
                let request = self.noun(request);
                format!("the answer of the program {:?} to {request}", command.join(" "))
            }
            ExprKind::Bool(_)
            | ExprKind::Condition(_)
            | ExprKind::Compare(..)
            | ExprKind::Equal(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::With { .. }
            | ExprKind::FenPattern(_)
            | ExprKind::ForSquares { .. }
            | ExprKind::ForPieces { .. }
            | ExprKind::ForKeys { .. }
            | ExprKind::State(_)
            | ExprKind::Output(_)
            | ExprKind::IsBound(_)
            | ExprKind::ForMatches { .. }
            | ExprKind::SimilarPosition
            | ExprKind::Orbit { .. }
            | ExprKind::Move(_)
            | ExprKind::SpeculativeMove(_)
            | ExprKind::Imagine { .. }
            | ExprKind::Dash(_)
            | ExprKind::Echo(_)
            | ExprKind::HasNag(_)
            | ExprKind::Assert(_)
            | ExprKind::GameLists(_)
            | ExprKind::PositionSequence(_)
            | ExprKind::Pairs(_)
            | ExprKind::Recurrence(_) => self.whether(filter),
        }
    }

    /// The value of a filter without a type: whether it matches.
    fn whether(&mut self, filter: &Expr) -> String {
        let item = self.clause(filter);
        match item.inline() {
            Some(text) => format!("(whether {text})"),
            None => self.note(|_, name| Item {
                text: format!("{name} is whether this holds: {}", item.text),
                ..item
            }),
        }
    }

    /// One square of a set, or one piece: `a white rook on d4`.
    pub(super) fn one(&mut self, filter: &Expr) -> String {
        let one = if let ExprKind::Designator(designator) = &filter.kind {
            board::one(designator)
        } else if let ExprKind::Squares(squares) = filter.kind {
            board::one_square(squares)
        } else if let ExprKind::Unary(UnaryFilter::PieceSquare, piece) = &filter.kind {
            self.noun(piece)
        } else if let ExprKind::Property(
            which @ (Property::LastFrom | Property::LastTo | Property::EnPassantSquare),
        ) = filter.kind
        {
            words::property(which)
        } else if let ExprKind::Unary(UnaryFilter::MakeSquareText, _)
        | ExprKind::Binary(BinaryFilter::MakeSquare, ..) = filter.kind
        {
            self.noun(filter)
        } else if let ExprKind::Unary(UnaryFilter::Light, set) = &filter.kind {
            format!("{} on a light square", self.one(set))
        } else if let ExprKind::Unary(UnaryFilter::Dark, set) = &filter.kind {
            format!("{} on a dark square", self.one(set))
        } else if let ExprKind::Binary(which, a, b) = &filter.kind
            && let Some(verb) = relative(*which)
        {
            let one = self.one(a);
            let other =
                if *which == BinaryFilter::Intersection { self.noun(b) } else { self.one(b) };
            format!("({one} that {verb} {other})")
        } else if let ExprKind::Binary(BinaryFilter::Union, a, b) = &filter.kind {
            let (a, b) = (self.one(a), self.one(b));
            format!("({} or {b})", without_parentheses(&a))
        } else if let ExprKind::Sequence(list) = &filter.kind
            && let [only] = list.as_slice()
        {
            return self.one(only);
        } else if let ExprKind::Set(set) = &filter.kind
            && let Some(one) = self.one_of_set(set)
        {
            one
        } else if let ExprKind::Binary(BinaryFilter::Between, a, b) = &filter.kind {
            format!("a square between {} and {}", self.one(a), self.one(b))
        } else {
            format!("a square of {}", self.noun(filter))
        };
        self.settle_one(one)
    }

    fn settle_one(&mut self, one: String) -> String {
        let named = self.settle(one.clone());
        if named == one { one } else { format!("what {named} says") }
    }

    fn unary(&mut self, which: UnaryFilter, operand: &Expr) -> String {
        if which == UnaryFilter::Count {
            let set = self.noun(operand);
            // The squares of a designator are counted by their pieces.
            let counted = set.strip_prefix("the ").unwrap_or(&set);
            let is_plain = matches!(operand.kind, ExprKind::Designator(_)) && counted != set;
            return match is_plain {
                true => format!("the number of {counted}"),
                false => format!("the number of squares of {set}"),
            };
        }
        let noun = self.noun(operand);
        match which {
            UnaryFilter::Light => format!("(the light squares among {noun})"),
            UnaryFilter::Dark => format!("(the dark squares among {noun})"),
            UnaryFilter::Complement => format!("(all squares except {noun})"),
            UnaryFilter::Rank => format!("the rank of {noun}"),
            UnaryFilter::File => format!("the file of {noun}"),
            UnaryFilter::Power => format!("the material value of {noun}"),
            UnaryFilter::ColorType => {
                format!("the kind of {noun} as a number (pawn 1 to king 6, negative for Black)")
            }
            UnaryFilter::Type => format!("the kind of {noun} as a number (pawn 1 to king 6)"),
            UnaryFilter::PieceId => format!("the identity of {noun}"),
            UnaryFilter::TypeName => format!("the letter of the kind of {noun}"),
            UnaryFilter::PieceName => format!("the letter of {noun}"),
            UnaryFilter::Abs => format!("the absolute value of {noun}"),
            UnaryFilter::Sqrt => format!("the square root of {noun}"),
            UnaryFilter::Int => format!("the number in the text {noun}"),
            UnaryFilter::Lowercase => format!("{noun} in lower case"),
            UnaryFilter::Uppercase => format!("{noun} in upper case"),
            UnaryFilter::ReadFile => format!("the contents of the file {noun}"),
            UnaryFilter::Child if operand.kind == ExprKind::Number(0) => {
                "the position after the main continuation".to_owned()
            }
            UnaryFilter::Child => {
                format!("the position after the continuation of index {noun} (0 is the main one)")
            }
            UnaryFilter::Tag => format!("the tag {noun} of the game"),
            UnaryFilter::Negate => format!("minus {noun}"),
            UnaryFilter::Length => format!("the length of {noun}"),
            UnaryFilter::AsciiCode => format!("the code of the character {noun}"),
            UnaryFilter::AsciiChar => format!("the character of the code {noun}"),
            UnaryFilter::MakeSquareText => format!("the square whose name is {noun}"),
            UnaryFilter::PositionAt => format!("the position with the id {noun}"),
            UnaryFilter::PieceSquare => format!("the square of {noun}"),
            UnaryFilter::Count => noun,
        }
    }

    fn binary(&mut self, filter: &Expr, which: BinaryFilter, a: &Expr, b: &Expr) -> String {
        if which == BinaryFilter::Intersection && board::fixed(b) == Some(u64::MAX) {
            return self.noun(a);
        }
        if let Some(verb) = relative_of_several(which) {
            let set = self.noun(a);
            let other =
                if which == BinaryFilter::Intersection { self.noun(b) } else { self.one(b) };
            return format!("({set} that {verb} {other})");
        }
        match which {
            BinaryFilter::Between => {
                let (a, b) = (self.one(a), self.one(b));
                format!("the squares between {a} and {b}")
            }
            BinaryFilter::Union => {
                let (a, b) = (self.noun(a), self.noun(b));
                format!("({a} together with {b})")
            }
            BinaryFilter::Lca => {
                let (a, b) = (self.noun(a), self.noun(b));
                format!("the last position that the lines to {a} and to {b} share")
            }
            BinaryFilter::Distance => {
                let (a, b) = (self.noun(a), self.noun(b));
                format!("the number of plies between {a} and {b}")
            }
            BinaryFilter::IndexOf => {
                let (a, b) = (self.noun(a), self.noun(b));
                format!("the index of {a} in {b}")
            }
            BinaryFilter::SameContent => {
                let (a, b) = (self.noun(a), self.noun(b));
                format!("the squares with the same content in {a} and in {b}")
            }
            BinaryFilter::Concat => {
                let joined = |operand: &Expr| {
                    matches!(operand.kind, ExprKind::Binary(BinaryFilter::Concat, ..))
                };
                let mut part = |operand: &Expr| match joined(operand) {
                    true => self.bare_noun(operand),
                    false => self.noun(operand),
                };
                let (a, b) = (part(a), part(b));
                format!("({a} followed by {b})")
            }
            BinaryFilter::MakeSquare => {
                let (a, b) = (self.noun(a), self.noun(b));
                format!("the square of file {a} and rank {b}")
            }
            BinaryFilter::Subset
            | BinaryFilter::AncestorOf
            | BinaryFilter::DescendantOf
            | BinaryFilter::Substring
            | BinaryFilter::Intersection
            | BinaryFilter::Attacks
            | BinaryFilter::AttackedBy => self.whether(filter),
        }
    }
}

/// That a designator names a square.
pub(super) fn there_is(designator: &Designator) -> String {
    match designator.content {
        Content::ANY if designator.squares != 0 => "this always holds".to_owned(),
        Content::ANY => "this never holds".to_owned(),
        _ => format!("there is {}", board::one(designator)),
    }
}

/// That each square of a designator has its content.
pub(super) fn on_each_square(designator: &Designator) -> String {
    let Designator { squares, content } = *designator;
    let content = board::content(content);
    format!("{content} on {}", board::squares_by_name(squares, "and"))
}

/// Whether a filter certainly has a value.
pub(super) fn always_has_value(filter: &Expr) -> bool {
    let always = matches!(
        filter.kind,
        ExprKind::Var(_)
            | ExprKind::Unary(UnaryFilter::Count, _)
            | ExprKind::Property(
                Property::Ply
                    | Property::MoveNumber
                    | Property::Depth
                    | Property::CurrentPosition
                    | Property::InitialPosition
            )
    );
    if always || filter.ty == Type::Set || filter.kind.traits().always_matches {
        return true;
    }
    let ExprKind::Arithmetic(operation, a, b) = &filter.kind else { return false };
    !matches!(operation, Arithmetic::Divide | Arithmetic::Remainder)
        && always_has_value(a)
        && always_has_value(b)
}
