//! Compiles filters as values.

use babson_chess::SquareSet;
use babson_lang::hir::{
    BinaryFilter, Designator, Expr, ExprKind, OrbitResult, Property, SetShape, Type, UnaryFilter,
};

use super::builder::Builder;
use super::dash::DashResult;
use super::iterate::Iteration;
use crate::op::{ContentBit, Id, Label, Op, OptionalRegister, Register, SquareMask};

impl Builder {
    /// Puts the value into the register, or jumps to `fail` if there is none.
    pub(super) fn value(&mut self, expr: &Expr, dst: Register, fail: Label) {
        if let Some(src) = self.held_value(expr) {
            return self.emit(Op::Copy { dst, src });
        }
        match expr.ty {
            Type::Set => self.set(expr, dst),
            Type::Bool => self.test(expr, fail),
            Type::Number | Type::String | Type::Position | Type::Piece => {
                self.scope(expr, |this| {
                    if !this.once(expr, Some(dst), fail) {
                        this.value_kind(expr, dst, fail);
                        this.trace_value(dst, expr.ty);
                    }
                });
            }
        }
    }

    pub(super) fn value_kind(&mut self, expr: &Expr, dst: Register, fail: Label) {
        let comments = self.effects(expr).comments;
        match &expr.kind {
            ExprKind::Number(number) => {
                self.emit(Op::Const { dst, value: u64::from(*number as u32) });
            }
            ExprKind::Text(text) => {
                let text = self.text_constant(text);
                self.emit(Op::ConstText { dst, text });
            }
            ExprKind::CurrentTransform(name) => {
                // The identity has no name, and prints as `<>`.
                let name = format!("<{}>", name.0);
                let text = self.text_constant(name.as_bytes());
                self.emit(Op::ConstText { dst, text });
            }
            ExprKind::Var(var) => {
                self.make_text(*var);
                let var = self.var(*var);
                self.emit(Op::Load { dst, var });
            }
            ExprKind::NoTransform(inner) => self.value(inner, dst, fail),
            ExprKind::Property(which) => self.property(*which, dst, fail),
            ExprKind::Designator(designator) => {
                self.emit(squares_of(*designator, dst));
            }
            ExprKind::Squares(squares) => {
                self.emit(Op::ConstSquares { dst, squares: SquareSet(*squares) });
            }
            ExprKind::Binary(op @ (BinaryFilter::Intersection | BinaryFilter::Union), a, b) => {
                let [a, b] = [a, b].map(|operand| self.operand(operand, fail));
                self.emit(if *op == BinaryFilter::Union {
                    Op::Or { dst, a, b }
                } else {
                    Op::And { dst, a, b }
                });
            }
            ExprKind::Set(filter) => self.set_filter(filter, dst, fail),
            ExprKind::Orbit { elements, result: OrbitResult::Union, .. } => {
                if let Some(parts) = designators(elements).filter(|_| !self.is_traced()) {
                    return self.designators(&parts, dst);
                }
                let (sum, one) = (self.constant(0), self.temp());
                self.each_image(elements, |this, element, _| {
                    this.set(element, one);
                    this.emit(Op::Or { dst: sum, a: sum, b: one });
                });
                self.emit(Op::Copy { dst, src: sum });
            }
            ExprKind::ForSquares { var, set, body, all: false } => {
                self.for_each(Iteration { var: *var, set, body, pieces: false }, dst);
            }
            ExprKind::ForPieces { var, set, body, all: false } => {
                self.for_each(Iteration { var: *var, set, body, pieces: true }, dst);
            }
            ExprKind::Unary(op, a) => self.unary(*op, a, dst, fail),
            ExprKind::Binary(op, a, b) => {
                self.with_dialect_rollback(comments, fail, |this, fail| {
                    let [a, b] = [a, b].map(|operand| this.operand(operand, fail));
                    this.emit(match op {
                        BinaryFilter::Attacks => Op::Attacks { dst, a, b },
                        BinaryFilter::AttackedBy => Op::AttackedBy { dst, a, b },
                        BinaryFilter::Intersection
                        | BinaryFilter::Union
                        | BinaryFilter::Between
                        | BinaryFilter::Subset
                        | BinaryFilter::SameContent
                        | BinaryFilter::Lca
                        | BinaryFilter::Distance
                        | BinaryFilter::AncestorOf
                        | BinaryFilter::DescendantOf
                        | BinaryFilter::Concat
                        | BinaryFilter::Substring
                        | BinaryFilter::IndexOf
                        | BinaryFilter::MakeSquare => Op::Binary { dst, a, b, op: *op, fail },
                    });
                })
            }
            ExprKind::Arithmetic(op, a, b) => {
                self.with_dialect_rollback(comments, fail, |this, fail| {
                    let first = this.pair(a, b, fail);
                    this.emit(Op::Arithmetic { dst, a: first, b: first + 1, op: *op, fail });
                })
            }
            ExprKind::Compare(relation, a, b) => {
                self.with_rollback(comments, fail, |this, fail| {
                    let left = this.compare(*relation, a, b, fail);
                    this.emit(Op::Copy { dst, src: left });
                })
            }
            ExprKind::Extreme { min, operands } => self.best(operands, *min, expr.ty, dst, fail),
            ExprKind::Orbit { elements, result: OrbitResult::Max, .. } => {
                self.best(elements, false, expr.ty, dst, fail);
            }
            ExprKind::Orbit { elements, result: OrbitResult::Count(range), .. } => {
                self.with_rollback(comments, fail, |this, fail| {
                    let count = this.constant(0);
                    this.each_image(elements, |this, element, next| {
                        this.test_with_rollback(element, next);
                        this.emit(Op::Increment { dst: count });
                    });
                    this.in_range(count, *range, fail);
                    this.emit(Op::Copy { dst, src: count });
                });
            }
            ExprKind::Sequence(list) if !self.braces_take_back(list, expr.ty) => {
                if let Some((last, rest)) = list.split_last() {
                    for filter in rest {
                        self.test(filter, fail);
                    }
                    self.value(last, dst, fail);
                }
            }
            ExprKind::Sequence(list) => self.with_rollback(comments, fail, |this, fail| {
                if let Some((last, rest)) = list.split_last() {
                    this.conjunction(rest, fail);
                    this.value(last, dst, fail);
                    // An empty set is a failure, for the comments.
                    if comments && expr.ty == Type::Set {
                        this.emit(Op::TestSet { set: dst, fail });
                    }
                }
            }),
            ExprKind::If { condition, then, otherwise } => {
                let (other, done) = (self.label(), self.label());
                self.test_with_dialect_rollback(condition, other);
                self.value(then, dst, fail);
                self.jump(done);
                self.bind(other);
                match otherwise {
                    Some(otherwise) => self.value(otherwise, dst, fail),
                    None => self.jump(fail),
                }
                self.bind(done);
            }
            ExprKind::With { position, body } => {
                self.enter(position, fail);
                self.entered(fail, |this, fail| this.value(body, dst, fail));
            }
            ExprKind::Lookup { dictionary, key } => {
                let key = self.key(key, fail);
                self.emit(Op::Lookup {
                    dst,
                    key,
                    dictionary: Id::new(dictionary.0 as usize),
                    fail,
                });
            }
            ExprKind::DictionaryLen(dictionary) => {
                self.emit(Op::Entries { dst, dictionary: Id::new(dictionary.0 as usize) });
            }
            ExprKind::CharAt { text, index } => {
                let first = self.pair(text, index, fail);
                self.emit(Op::CharAt { dst, text: first, index: first + 1, fail });
            }
            ExprKind::Slice { text, from, to } => {
                let first = self.temp();
                self.value(text, first, fail);
                let from = self.optional(from.as_deref(), fail);
                let to = self.optional(to.as_deref(), fail);
                self.emit(Op::Slice { dst, text: first, from, to });
            }
            ExprKind::Move(spec) => self.move_filter(spec, Some(dst), fail),
            ExprKind::SpeculativeMove(filter) => self.speculation(filter, Some(dst), fail),
            ExprKind::Imagine { changes, body } => self.imagine_value(changes, body, dst, fail),
            ExprKind::Dash(filter) => self.dash(filter, DashResult::Value(dst), fail),
            ExprKind::Find(find) => self.find(find, dst, fail),
            ExprKind::Line(line) => self.line(line, dst, fail),
            ExprKind::Echo(echo) => self.echo(echo, expr.ty, dst, fail),
            ExprKind::ConsecutiveMoves(moves) => self.consecutive_moves(moves, dst, fail),
            ExprKind::Path(path) => self.path(path, dst, fail),
            ExprKind::Sort { key, value } => self.with_rollback(comments, fail, |this, fail| {
                let mark = this.temp();
                this.emit(Op::Mark { dst: mark });
                let outer = std::mem::replace(&mut this.in_sort, true);
                // `from` and `to` in it belong to no dash around.
                let owner = this.owner.take();
                this.value(value, dst, fail);
                (this.in_sort, this.owner) = (outer, owner);
                let (key, text) = (key.0 as u16, value.ty == Type::String);
                this.emit(Op::Sort { key, value: dst, mark, text });
            }),
            ExprKind::Likeness => self.emit(Op::Likeness { dst }),
            ExprKind::Match { subject, pattern } => {
                self.with_dialect_rollback(comments, fail, |this, fail| {
                    this.match_value(subject, pattern, dst, fail);
                });
            }
            ExprKind::Group(number) => {
                let (number, fail) = (*number, fail);
                self.emit(Op::Group { dst, number, fail });
            }
            ExprKind::GroupIndex(number) => {
                let (number, fail) = (*number, fail);
                self.emit(Op::GroupIndex { dst, number, fail });
            }
            ExprKind::Str(parts) => {
                self.text(parts, dst);
            }
            ExprKind::CommandPipe { command, request } => {
                let text = self.temp();
                self.value(request, text, fail);
                let (pipe, fail) = (self.pipe(command), fail);
                self.emit(Op::CommandPipe { dst, request: text, pipe, fail });
            }
            // The typing pass makes no filter with a value of these.
            ExprKind::Bool(_)
            | ExprKind::Condition(_)
            | ExprKind::Equal(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::FenPattern(_)
            | ExprKind::ForSquares { all: true, .. }
            | ExprKind::ForPieces { all: true, .. }
            | ExprKind::ForKeys { .. }
            | ExprKind::State(_)
            | ExprKind::Output(_)
            | ExprKind::IsBound(_)
            | ExprKind::ForMatches { .. }
            | ExprKind::SimilarPosition
            | ExprKind::Orbit { result: OrbitResult::Any, .. }
            | ExprKind::HasNag(_)
            | ExprKind::Assert(_)
            | ExprKind::GameLists(_)
            | ExprKind::PositionSequence(_)
            | ExprKind::Pairs(_)
            | ExprKind::Recurrence(_) => self.jump(fail),
        }
    }

    pub(super) fn optional(&mut self, expr: Option<&Expr>, fail: Label) -> OptionalRegister {
        expr.map_or(OptionalRegister::NONE, |expr| {
            let dst = self.temp();
            self.value(expr, dst, fail);
            dst.into()
        })
    }

    /// The union of the designators.
    fn designators(&mut self, parts: &[Designator], dst: Register) {
        let Some((first, rest)) = parts.split_first() else {
            return self.emit(Op::Const { dst, value: 0 });
        };
        self.emit(squares_of(*first, dst));
        let one = self.temp();
        for part in rest {
            self.emit(squares_of(*part, one));
            self.emit(Op::Or { dst, a: dst, b: one });
        }
    }

    fn property(&mut self, which: Property, dst: Register, fail: Label) {
        if let (Property::LastFrom | Property::LastTo, Some(parts)) = (which, self.owner) {
            let to = which == Property::LastTo;
            return self.emit(Op::OwnSquares { dst, parts, to });
        }
        self.emit(Op::Value { dst, which, fail });
    }

    fn unary(&mut self, op: UnaryFilter, a: &Expr, dst: Register, fail: Label) {
        match (op, &a.kind) {
            (UnaryFilter::Count, ExprKind::Designator(designator)) if !self.is_traced() => {
                let (squares, content) = (SquareMask(designator.squares), designator.content);
                return self.emit(Op::CountDesignator { dst, squares, content });
            }
            (UnaryFilter::Count, _) => {
                let set = self.operand(a, fail);
                return self.emit(Op::Count { dst, set });
            }
            (UnaryFilter::Power, _) => {
                let set = self.operand(a, fail);
                return self.emit(Op::Power { dst, set });
            }
            (UnaryFilter::Tag, ExprKind::Text(name)) => {
                let name = self.name(&String::from_utf8_lossy(name));
                return self.emit(Op::Tag { dst, name, fail });
            }
            (UnaryFilter::PieceId, _) if a.ty == Type::Piece => {
                let piece = self.operand(a, fail);
                return self.emit(Op::PieceNumber { dst, piece });
            }
            (UnaryFilter::PieceSquare, ExprKind::Var(var)) => {
                let var = self.var(*var);
                return self.emit(Op::PieceSquare { dst, var });
            }
            (UnaryFilter::ReadFile, name) => {
                self.uses_files = true;
                if let ExprKind::Text(name) = name {
                    self.read_files.insert(String::from_utf8_lossy(name).into_owned());
                }
            }
            _ => {}
        }
        let a = self.operand(a, fail);
        self.emit(Op::Unary { dst, a, op, fail });
    }

    /// The best of several values; filters without a value are skipped.
    fn best(&mut self, list: &[Expr], min: bool, ty: Type, dst: Register, fail: Label) {
        let comments = list.iter().any(|expr| self.effects(expr).comments);
        self.with_rollback(comments, fail, |this, fail| {
            // Registers: the best value, whether there is one, the mark of the beginning; the value
            // and the mark of this operand.
            let best = this.temps(3);
            let value = this.temps(2);
            this.emit(Op::Const { dst: best + 1, value: 0 });
            this.emit(Op::Mark { dst: best + 2 });
            let each = |this: &mut Self, expr: &Expr, next| {
                let failed = this.label();
                this.emit(Op::Mark { dst: value + 1 });
                this.value(expr, value, failed);
                this.emit(Op::Best { best, value, min, text: ty == Type::String });
                this.jump(next);
                this.bind(failed);
                this.emit(Op::Rollback { mark: value + 1, text: false });
            };
            this.each_image(list, each);
            let to = fail;
            this.emit(Op::TestSet { set: best + 1, fail: to });
            this.emit(Op::Copy { dst, src: best });
        });
    }

    /// Puts a set into the register. A filter that fails gives the empty set.
    pub(super) fn set(&mut self, expr: &Expr, dst: Register) {
        if let Some(src) = self.held_value(expr) {
            return self.emit(Op::Copy { dst, src });
        }
        self.scope(expr, |this| {
            let (failed, done) = (this.label(), this.label());
            if this.once(expr, Some(dst), failed) {
                return this.bind(failed);
            }
            let before = this.here();
            this.value_kind(expr, dst, failed);
            if this.may_fail(expr) {
                this.jump(done);
                this.bind(failed);
                this.emit(Op::Const { dst, value: 0 });
                this.bind(done);
            } else {
                // Nothing jumps there, but every label must be bound.
                this.bind(failed);
            }
            this.trace_value(dst, Type::Set);
            debug_assert!(this.here() >= before);
        });
    }

    /// Whether the code of a set filter may jump to its fail label.
    fn may_fail(&self, expr: &Expr) -> bool {
        !matches!(
            expr.kind,
            ExprKind::Designator(_)
                | ExprKind::Squares(_)
                | ExprKind::Var(_)
                | ExprKind::Orbit { .. }
                | ExprKind::Set(_)
                | ExprKind::NoTransform(_)
                | ExprKind::Binary(
                    BinaryFilter::Attacks | BinaryFilter::AttackedBy | BinaryFilter::Between,
                    ..
                )
        ) && !matches!(SetShape::of(expr), SetShape::PieceOf(_))
    }
}

/// The designators of a union, one for each content, if it is one of designators alone.
fn designators(elements: &[Expr]) -> Option<Vec<Designator>> {
    let all: Option<Vec<Designator>> = elements
        .iter()
        .map(
            |element| {
                if let ExprKind::Designator(found) = element.kind { Some(found) } else { None }
            },
        )
        .collect();
    all.map(|all| Designator::merged(&all))
}

/// The instruction for the squares of a designator.
fn squares_of(designator: Designator, dst: Register) -> Op<Label> {
    let squares = SquareMask(designator.squares);
    match ContentBit::of(designator.content) {
        Some(piece) => Op::Piece { dst, squares, piece },
        None => Op::Designator { dst, squares, content: designator.content },
    }
}
