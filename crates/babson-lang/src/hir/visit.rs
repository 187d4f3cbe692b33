//! Visits the operands of a node, in textual order. Every walk over the HIR uses it.

use super::{
    BoardChange, DictId, Expr, ExprKind, FindMode, LineConstituent, LineConstituentKind,
    NumberRange, OrbitResult, Update, VarId,
};

/// One list of arms for shared and exclusive access.
macro_rules! operands {
    ($kind:expr, $visit:ident, $constituents:path, $operands:ident, $each:ident, $($mut:tt)?) => {
        match $kind {
            ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Designator(_)
            | ExprKind::Squares(_)
            | ExprKind::Var(_)
            | ExprKind::Condition(_)
            | ExprKind::Quantity(_)
            | ExprKind::FenPattern(_)
            | ExprKind::Unbind(_)
            | ExprKind::IsBound(_)
            | ExprKind::DictionaryLen(_)
            | ExprKind::HasNag(_)
            | ExprKind::RemoveTag(_)
            | ExprKind::SimilarPosition
            | ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::ConsecutiveMoves(_)
            | ExprKind::Recurrence(_)
            | ExprKind::CurrentTransform(_) => {}
            ExprKind::Unary(_, a)
            | ExprKind::Not(a)
            | ExprKind::Loop(a)
            | ExprKind::Assert(a)
            | ExprKind::NoTransform(a)
            | ExprKind::Direction { set: a, .. }
            | ExprKind::BindPiece { set: a, .. }
            | ExprKind::Assign { value: a, .. }
            | ExprKind::Update { value: a, .. }
            | ExprKind::Lookup { key: a, .. }
            | ExprKind::Sort { value: a, .. }
            | ExprKind::SetTag { value: a, .. }
            | ExprKind::CommandPipe { request: a, .. }
            | ExprKind::ForKeys { body: a, .. } => $visit(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Arithmetic(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Equal(a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::While { condition: a, body: b }
            | ExprKind::With { position: a, body: b }
            | ExprKind::ForSquares { set: a, body: b, .. }
            | ExprKind::ForPieces { set: a, body: b, .. }
            | ExprKind::CharAt { text: a, index: b }
            | ExprKind::WriteFile { name: a, text: b }
            | ExprKind::Match { subject: a, pattern: b }
            | ExprKind::Store { key: a, value: b, .. } => {
                $visit(a);
                $visit(b);
            }
            ExprKind::Extreme { operands: list, .. }
            | ExprKind::Sequence(list)
            | ExprKind::Ray { sets: list, .. }
            | ExprKind::Orbit { elements: list, .. }
            | ExprKind::Comment(list)
            | ExprKind::Message { parts: list, .. }
            | ExprKind::Str(list) => {
                for operand in list {
                    $visit(operand);
                }
            }
            ExprKind::If { condition, then, otherwise } => {
                $visit(condition);
                $visit(then);
                if let Some(otherwise) = otherwise {
                    $visit(otherwise);
                }
            }
            ExprKind::Pin { from, through, to, .. } => {
                $visit(from);
                $visit(through);
                $visit(to);
            }
            ExprKind::ForMatches { subject, pattern, body } => {
                $visit(subject);
                $visit(pattern);
                $visit(body);
            }
            ExprKind::Erase { key, .. } => {
                if let Some(key) = key {
                    $visit(key);
                }
            }
            ExprKind::Slice { text, from, to } => {
                $visit(text);
                if let Some(from) = from {
                    $visit(from);
                }
                if let Some(to) = to {
                    $visit(to);
                }
            }
            ExprKind::AssignSlice { from, to, value, .. } => {
                if let Some(from) = from {
                    $visit(from);
                }
                if let Some(to) = to {
                    $visit(to);
                }
                $visit(value);
            }
            ExprKind::Move(m) => {
                let m = &$($mut)? **m;
                for set in [&$($mut)? m.from, &$($mut)? m.to, &$($mut)? m.capture, &$($mut)? m.en_passant_square] {
                    if let Some(set) = set {
                        $visit(set);
                    }
                }
                if let Some(parts) = &$($mut)? m.comment {
                    for part in parts {
                        $visit(part);
                    }
                }
            }
            ExprKind::SpeculativeMove(s) => {
                let s = &$($mut)? **s;
                let m = &$($mut)? s.moves;
                for set in [&$($mut)? m.from, &$($mut)? m.to, &$($mut)? m.capture, &$($mut)? m.en_passant_square] {
                    if let Some(set) = set {
                        $visit(set);
                    }
                }
                $visit(&$($mut)? s.body);
            }
            ExprKind::Imagine { changes, body } => {
                for change in changes {
                    match change {
                        BoardChange::Place { to, .. } => $visit(to),
                        BoardChange::Swap(one, other) => {
                            $visit(one);
                            $visit(other);
                        }
                        BoardChange::SideToMove(_) => {}
                    }
                }
                $visit(body);
            }
            ExprKind::Dash(filter) => {
                let filter = &$($mut)? **filter;
                for operand in filter.dash.$operands() {
                    $visit(operand);
                }
                if let Some(target) = &$($mut)? filter.target {
                    $visit(target);
                }
            }
            ExprKind::GameLists(lists) => {
                for list in &$($mut)? lists.lists {
                    $visit(&$($mut)? list.body);
                    if let Some((bodies, _)) = &$($mut)? list.counted {
                        for body in bodies {
                            $visit(body);
                        }
                    }
                }
            }
            ExprKind::PositionSequence(steps) => {
                for filter in &$($mut)? steps.filters {
                    $visit(filter);
                }
            }
            ExprKind::Pairs(pairs) => {
                for set in &$($mut)? pairs.sets {
                    $visit(set);
                }
            }
            ExprKind::Find(find) => $visit(&$($mut)? find.body),
            ExprKind::Echo(echo) => $visit(&$($mut)? echo.body),
            ExprKind::Line(line) => $constituents(&$($mut)? line.constituents, $visit),
            ExprKind::Path(path) => path.$each(&mut *$visit),
        }
    };
}

impl Expr {
    /// The range of a node that has one. Its bounds may be variables, which are not operands.
    pub fn range(&self) -> Option<&NumberRange> {
        match &self.kind {
            ExprKind::Direction { range, .. } => Some(range),
            ExprKind::Orbit { result: OrbitResult::Count(range), .. } => Some(range),
            ExprKind::Find(find) => match &find.mode {
                FindMode::Range(range) => Some(range),
                FindMode::First | FindMode::All => None,
            },
            ExprKind::Line(line) => line.range.as_ref(),
            ExprKind::Path(path) => path.range.as_ref(),
            ExprKind::ConsecutiveMoves(moves) => moves.range.as_ref(),
            _ => None,
        }
    }

    /// Calls `visit` on each operand, in textual order.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(&Expr)) {
        operands!(&self.kind, visit, constituents, operands, for_each_operand,);
    }

    /// Whether this node or one below it passes `test`.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = test(self);
        self.for_each_operand(&mut |operand| found = found || operand.any(test));
        found
    }

    /// Does the same as [`Expr::for_each_operand`], mutably.
    pub fn for_each_operand_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        operands!(&mut self.kind, visit, constituents_mut, operands_mut, for_each_operand_mut, mut);
    }
}

/// A name that a node has in itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUse {
    /// A variable.
    Variable(VarId, VariableUse),
    /// A dictionary.
    Dictionary(DictId, DictionaryUse),
}

/// How a node uses a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableUse {
    /// Reads its value.
    Read,
    /// Asks whether it is bound.
    Test,
    /// `x = e`
    Assign,
    /// `x op= e`
    Update(Update),
    /// `x[i] = s`
    Splice,
    /// `piece x = S`
    BindPiece,
    /// `unbind x`
    Unbind,
    /// Binds it to one value after the other while operands are evaluated.
    Loop,
}

/// How a node uses a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DictionaryUse {
    /// Reads entries.
    Read,
    /// `D[k] = v`; the fields of [`ExprKind::Store`].
    Store {
        /// How the new value joins the old one.
        op: Option<Update>,
        /// A missing key starts from nothing.
        from_zero: bool,
    },
    /// `unbind D[k]`, `unbind D`
    Erase,
}

impl Expr {
    /// Calls `visit` for each name that the node itself has; those of its operands and the bounds
    /// of its range are not among them.
    pub fn for_each_name(&self, visit: &mut dyn FnMut(NameUse)) {
        let mut variable = |var, how| visit(NameUse::Variable(var, how));
        match &self.kind {
            ExprKind::Var(var) => variable(*var, VariableUse::Read),
            ExprKind::ConsecutiveMoves(moves) => {
                variable(moves.left, VariableUse::Read);
                variable(moves.right, VariableUse::Read);
            }
            ExprKind::Unbind(var) => variable(*var, VariableUse::Unbind),
            ExprKind::IsBound(var) => variable(*var, VariableUse::Test),
            ExprKind::Assign { var, .. } => variable(*var, VariableUse::Assign),
            ExprKind::Update { var, op, .. } => variable(*var, VariableUse::Update(*op)),
            ExprKind::AssignSlice { var, .. } => variable(*var, VariableUse::Splice),
            ExprKind::BindPiece { var, .. } => variable(*var, VariableUse::BindPiece),
            ExprKind::ForSquares { var, .. } | ExprKind::ForPieces { var, .. } => {
                variable(*var, VariableUse::Loop);
            }
            ExprKind::ForKeys { var, dictionary, .. } => {
                variable(*var, VariableUse::Loop);
                visit(NameUse::Dictionary(*dictionary, DictionaryUse::Read));
            }
            ExprKind::Echo(echo) => {
                variable(echo.source, VariableUse::Loop);
                variable(echo.target, VariableUse::Loop);
            }
            ExprKind::Lookup { dictionary, .. } | ExprKind::DictionaryLen(dictionary) => {
                visit(NameUse::Dictionary(*dictionary, DictionaryUse::Read));
            }
            ExprKind::Store { dictionary, op, from_zero, .. } => {
                let how = DictionaryUse::Store { op: *op, from_zero: *from_zero };
                visit(NameUse::Dictionary(*dictionary, how));
            }
            ExprKind::Erase { dictionary, .. } => {
                visit(NameUse::Dictionary(*dictionary, DictionaryUse::Erase));
            }
            ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Designator(_)
            | ExprKind::Squares(_)
            | ExprKind::Condition(_)
            | ExprKind::Quantity(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Compare(..)
            | ExprKind::Equal(..)
            | ExprKind::Extreme { .. }
            | ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::With { .. }
            | ExprKind::Direction { .. }
            | ExprKind::Ray { .. }
            | ExprKind::Pin { .. }
            | ExprKind::FenPattern(_)
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::Match { .. }
            | ExprKind::ForMatches { .. }
            | ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::SimilarPosition
            | ExprKind::Orbit { .. }
            | ExprKind::NoTransform(_)
            | ExprKind::CurrentTransform(_)
            | ExprKind::Move(_)
            | ExprKind::SpeculativeMove(_)
            | ExprKind::Imagine { .. }
            | ExprKind::Dash(_)
            | ExprKind::Find(_)
            | ExprKind::Line(_)
            | ExprKind::Path(_)
            | ExprKind::Sort { .. }
            | ExprKind::Comment(_)
            | ExprKind::Message { .. }
            | ExprKind::Str(_)
            | ExprKind::SetTag { .. }
            | ExprKind::RemoveTag(_)
            | ExprKind::HasNag(_)
            | ExprKind::WriteFile { .. }
            | ExprKind::CommandPipe { .. }
            | ExprKind::Assert(_)
            | ExprKind::GameLists(_)
            | ExprKind::PositionSequence(_)
            | ExprKind::Pairs(_)
            | ExprKind::Recurrence(_) => {}
        }
    }
}

fn constituents(list: &[LineConstituent], visit: &mut dyn FnMut(&Expr)) {
    for constituent in list {
        match &constituent.kind {
            LineConstituentKind::Filter(filter) => visit(filter),
            LineConstituentKind::Group(group) => constituents(group, visit),
        }
    }
}

fn constituents_mut(list: &mut [LineConstituent], visit: &mut dyn FnMut(&mut Expr)) {
    for constituent in list {
        match &mut constituent.kind {
            LineConstituentKind::Filter(filter) => visit(filter),
            LineConstituentKind::Group(group) => constituents_mut(group, visit),
        }
    }
}
