//! What a node consists of: its operands, and the names and the range that it has in itself.
//!
//! Each walk over the HIR uses these functions, which list all kinds of expressions. A new kind
//! does not compile until it has an arm here.

use super::{
    BoardChange, DictId, Expr, ExprKind, FindMode, LineConstituent, LineConstituentKind,
    MoveFilter, NumberRange, OrbitResult, Update, VarId,
};

/// Calls `$visit` with each operand of a kind of expression, in textual order.
///
/// The macro makes one list of arms serve shared and exclusive access: `$($mut)?` is `mut` or
/// nothing, and the other parameters name the functions of that access.
macro_rules! visit_operands {
    (
        $kind:expr,
        $visit:ident,
        $visit_constituents:path,
        $sets:ident,
        $operands:ident,
        $for_each_operand:ident,
        $($mut:tt)?
    ) => {
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
            | ExprKind::Field { parts: list, .. }
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
            ExprKind::Move(filter) => {
                for set in filter.$sets() {
                    $visit(set);
                }
                if let Some(parts) = &$($mut)? filter.comment {
                    for part in parts {
                        $visit(part);
                    }
                }
            }
            ExprKind::SpeculativeMove(speculative) => {
                for set in speculative.moves.$sets() {
                    $visit(set);
                }
                $visit(&$($mut)? speculative.body);
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
            ExprKind::Line(line) => $visit_constituents(&$($mut)? line.constituents, $visit),
            ExprKind::Path(path) => path.$for_each_operand(&mut *$visit),
        }
    };
}

impl Expr {
    /// Calls `visit` with each operand, in textual order.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(&Expr)) {
        visit_operands!(&self.kind, visit, visit_constituents, sets, operands, for_each_operand,);
    }

    /// Does the same as [`Expr::for_each_operand`], mutably.
    pub(crate) fn for_each_operand_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        visit_operands!(
            &mut self.kind,
            visit,
            visit_constituents_mut,
            sets_mut,
            operands_mut,
            for_each_operand_mut,
            mut
        );
    }

    /// Whether this node or one below it passes `test`.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = test(self);
        self.for_each_operand(&mut |operand| found = found || operand.any(test));
        found
    }
}

impl MoveFilter {
    /// The operands that are sets, in the order of evaluation.
    pub fn sets(&self) -> impl Iterator<Item = &Expr> {
        [&self.from, &self.to, &self.capture, &self.en_passant_square].into_iter().flatten()
    }

    /// The operands that are sets, mutably.
    pub fn sets_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let sets = [&mut self.from, &mut self.to, &mut self.capture, &mut self.en_passant_square];
        sets.into_iter().flatten()
    }
}

fn visit_constituents(constituents: &[LineConstituent], visit: &mut dyn FnMut(&Expr)) {
    for constituent in constituents {
        match &constituent.kind {
            LineConstituentKind::Filter(filter) => visit(filter),
            LineConstituentKind::Group(group) => visit_constituents(group, visit),
        }
    }
}

fn visit_constituents_mut(constituents: &mut [LineConstituent], visit: &mut dyn FnMut(&mut Expr)) {
    for constituent in constituents {
        match &mut constituent.kind {
            LineConstituentKind::Filter(filter) => visit(filter),
            LineConstituentKind::Group(group) => visit_constituents_mut(group, visit),
        }
    }
}

/// A variable or dictionary that a node names itself, and how it uses it.
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

/// What a node has in itself, besides its operands.
enum OwnAttribute<'e> {
    Name(NameUse),
    Range(&'e NumberRange),
}

impl Expr {
    /// Calls `visit` with each name that the node itself has. The names of its operands and of the
    /// bounds of its range are not among them.
    pub fn for_each_name(&self, visit: &mut dyn FnMut(NameUse)) {
        self.for_each_own_attribute(&mut |attribute| {
            if let OwnAttribute::Name(name) = attribute {
                visit(name);
            }
        });
    }

    /// The range of a node that has one. Its bounds may be variables, which are not operands.
    pub fn range(&self) -> Option<&NumberRange> {
        let mut found = None;
        self.for_each_own_attribute(&mut |attribute| {
            if let OwnAttribute::Range(range) = attribute {
                found = Some(range);
            }
        });
        found
    }

    fn for_each_own_attribute<'e>(&'e self, visit: &mut dyn FnMut(OwnAttribute<'e>)) {
        use {DictionaryUse as Dictionary, VariableUse as Variable};
        let mut own = OwnAttributeVisitor { visit };
        match &self.kind {
            ExprKind::Var(var) => own.variable(*var, Variable::Read),
            ExprKind::ConsecutiveMoves(moves) => {
                own.variable(moves.left, Variable::Read);
                own.variable(moves.right, Variable::Read);
                own.range(moves.range.as_ref());
            }
            ExprKind::Unbind(var) => own.variable(*var, Variable::Unbind),
            ExprKind::IsBound(var) => own.variable(*var, Variable::Test),
            ExprKind::Assign { var, .. } => own.variable(*var, Variable::Assign),
            ExprKind::Update { var, op, .. } => own.variable(*var, Variable::Update(*op)),
            ExprKind::AssignSlice { var, .. } => own.variable(*var, Variable::Splice),
            ExprKind::BindPiece { var, .. } => own.variable(*var, Variable::BindPiece),
            ExprKind::ForSquares { var, .. } | ExprKind::ForPieces { var, .. } => {
                own.variable(*var, Variable::Loop);
            }
            ExprKind::ForKeys { var, dictionary, .. } => {
                own.variable(*var, Variable::Loop);
                own.dictionary(*dictionary, Dictionary::Read);
            }
            ExprKind::Echo(echo) => {
                own.variable(echo.source, Variable::Loop);
                own.variable(echo.target, Variable::Loop);
            }
            ExprKind::Lookup { dictionary, .. } | ExprKind::DictionaryLen(dictionary) => {
                own.dictionary(*dictionary, Dictionary::Read);
            }
            ExprKind::Store { dictionary, op, from_zero, .. } => {
                let store = Dictionary::Store { op: *op, from_zero: *from_zero };
                own.dictionary(*dictionary, store);
            }
            ExprKind::Erase { dictionary, .. } => {
                own.dictionary(*dictionary, Dictionary::Erase);
            }
            ExprKind::Direction { range, .. } => own.range(Some(range)),
            ExprKind::Orbit { result, .. } => match result {
                OrbitResult::Count(range) => own.range(Some(range)),
                OrbitResult::Union | OrbitResult::Max | OrbitResult::Any => {}
            },
            ExprKind::Find(find) => match &find.mode {
                FindMode::Range(range) => own.range(Some(range)),
                FindMode::First | FindMode::All => {}
            },
            ExprKind::Line(line) => own.range(line.range.as_ref()),
            ExprKind::Path(path) => own.range(path.range.as_ref()),
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
            | ExprKind::NoTransform(_)
            | ExprKind::CurrentTransform(_)
            | ExprKind::Move(_)
            | ExprKind::SpeculativeMove(_)
            | ExprKind::Imagine { .. }
            | ExprKind::Dash(_)
            | ExprKind::Sort { .. }
            | ExprKind::Comment(_)
            | ExprKind::Field { .. }
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

/// The visitor of [`Expr::for_each_own_attribute`].
struct OwnAttributeVisitor<'v, 'e> {
    visit: &'v mut dyn FnMut(OwnAttribute<'e>),
}

impl<'e> OwnAttributeVisitor<'_, 'e> {
    fn variable(&mut self, var: VarId, how: VariableUse) {
        (self.visit)(OwnAttribute::Name(NameUse::Variable(var, how)));
    }

    fn dictionary(&mut self, dictionary: DictId, how: DictionaryUse) {
        (self.visit)(OwnAttribute::Name(NameUse::Dictionary(dictionary, how)));
    }

    fn range(&mut self, range: Option<&'e NumberRange>) {
        if let Some(range) = range {
            (self.visit)(OwnAttribute::Range(range));
        }
    }
}
