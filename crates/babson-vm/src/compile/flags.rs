//! What a filter may do beyond matching: decides what may be reordered, skipped or left unmarked.

use std::collections::{HashMap, HashSet};

use babson_lang::hir::{Bound, Content, Expr, ExprKind, Join, Quantity, Range, Type, Unary, VarId};

use super::constancy::{self, Constancy};
use super::leaves;

/// The possible effects of a filter and its operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// Adds comments.
    pub(crate) comments: bool,
    /// A string that it made, or the text of a comment, may be in use after it has failed.
    pub(crate) keeps_text: bool,
    /// Changes something that outlives it: variables, dictionaries, tags, sort keys, messages.
    pub(crate) state: bool,
    /// May end in a run-time error.
    pub(crate) errors: bool,
    /// Looks at other nodes than the current one, or needs the tree.
    pub(crate) tree: bool,
    /// Where it need not be evaluated anew.
    pub(crate) constancy: Constancy,
    /// Rough cost of one evaluation, in nanoseconds.
    pub(crate) cost: u32,
}

/// The cost of a filter whose outcome is known, in nanoseconds.
const COST_OF_KNOWN: u32 = 2;

/// What is taken back when a filter fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undo {
    /// It leaves nothing that could be.
    Nothing,
    /// Its comments, but not their text, which something else may use.
    Comments,
    /// Its comments and all text that it made.
    CommentsAndText,
}

impl From<bool> for Undo {
    fn from(comments: bool) -> Undo {
        if comments { Undo::Comments } else { Undo::Nothing }
    }
}

impl From<Flags> for Undo {
    fn from(flags: Flags) -> Undo {
        match (flags.comments, flags.keeps_text) {
            (false, _) => Undo::Nothing,
            (true, true) => Undo::Comments,
            (true, false) => Undo::CommentsAndText,
        }
    }
}

impl Flags {
    /// Whether it may be moved, repeated or left out.
    pub(crate) fn is_pure(self) -> bool {
        !self.comments && !self.state && !self.errors
    }

    /// Rough cost of an evaluation that is not the first.
    pub(crate) fn cost_again(self) -> u32 {
        match self.constancy {
            Constancy::None | Constancy::Position => self.cost,
            Constancy::Game | Constancy::Tags | Constancy::Query => self.cost.min(COST_OF_KNOWN),
        }
    }
}

/// Computes flags once for each node.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// Whether a filter outside of all paths asks for the last one: then every path has an effect.
    asks_for_path: bool,
    known: HashMap<*const Expr, Flags>,
    /// The variables of `square` and `piece` loops that are read inside these loops only, so that
    /// they are never unbound; with the contents of the sets they run through. `None`: other
    /// variables.
    loops: HashMap<VarId, Option<Content>>,
    /// The variables whose texts are made where they are read.
    deferred: HashSet<VarId>,
    /// Whether the query asks for groups of regular expressions: then each match changes them.
    reads_groups: bool,
}

impl Analysis {
    /// Knows the query's loops, and whether it asks for its last path.
    pub(crate) fn new(body: &[Expr]) -> Analysis {
        let is_group =
            |expr: &Expr| matches!(expr.kind, ExprKind::Group(_) | ExprKind::GroupIndex(_));
        let mut analysis = Analysis {
            reads_groups: body.iter().any(|expr| expr.any(&is_group)),
            asks_for_path: body.iter().any(asks_for_path),
            ..Analysis::default()
        };
        for expr in body {
            analysis.loops_of(expr, &mut Vec::new());
        }
        analysis
    }

    fn loops_of(&mut self, expr: &Expr, bound: &mut Vec<VarId>) {
        match &expr.kind {
            ExprKind::ForSquares { var, set, body, .. }
            | ExprKind::ForPieces { var, set, body, .. } => {
                let content = match &set.kind {
                    ExprKind::Designator(found) => found.content,
                    _ => Content::ANY,
                };
                if let Some(known) = self.loops.entry(*var).or_insert(Some(Content(0))) {
                    known.0 |= content.0;
                }
                self.loops_of(set, bound);
                bound.push(*var);
                self.loops_of(body, bound);
                bound.pop();
                return;
            }
            // The two positions of an `echo` are bound inside it as well.
            ExprKind::Echo(echo) => {
                for var in [echo.source, echo.target] {
                    self.loops.entry(var).or_insert(Some(Content(0)));
                    bound.push(var);
                }
                self.loops_of(&echo.body, bound);
                bound.truncate(bound.len() - 2);
                return;
            }
            ExprKind::ConsecutiveMoves(moves) => {
                for var in [moves.left, moves.right] {
                    if !bound.contains(&var) {
                        self.loops.insert(var, None);
                    }
                }
            }
            ExprKind::Var(var) if bound.contains(var) => {}
            ExprKind::Var(var)
            | ExprKind::Unbind(var)
            | ExprKind::IsBound(var)
            | ExprKind::ForKeys { var, .. }
            | ExprKind::Assign { var, .. }
            | ExprKind::Update { var, .. }
            | ExprKind::AssignSlice { var, .. }
            | ExprKind::BindPiece { var, .. } => {
                self.loops.insert(*var, None);
            }
            _ => {}
        }
        expr.for_each_operand(&mut |operand| self.loops_of(operand, bound));
    }

    /// Whether the variable is that of a loop, and nothing but the loop changes it.
    pub(super) fn is_loop_variable(&self, var: VarId) -> bool {
        self.loops.get(&var).copied().flatten().is_some()
    }

    /// Tells of a variable whose text is made where it is read. Flags must not have been asked for.
    pub(super) fn defer(&mut self, var: VarId) {
        debug_assert!(self.known.is_empty());
        self.deferred.insert(var);
    }

    /// Contents of the colours that the piece of a loop variable can have; its kind can change.
    pub(crate) fn colors_of(&self, var: VarId) -> Option<Content> {
        let content = self.loops.get(&var).copied().flatten()?;
        let all = [Content::WHITE, Content::BLACK].into_iter();
        let found = all.filter(|color| content.0 & color.0 != 0);
        Some(Content(found.fold(0, |sum, color| sum | color.0)))
    }

    pub(crate) fn flags(&mut self, expr: &Expr) -> Flags {
        if let Some(&flags) = self.known.get(&std::ptr::from_ref(expr)) {
            return flags;
        }
        let mut flags = own(expr, self.reads_groups);
        if let ExprKind::Var(var) = &expr.kind {
            flags.errors = !self.is_loop_variable(*var);
            flags.keeps_text |= self.deferred.contains(var);
        }
        flags.state |= self.asks_for_path && matches!(expr.kind, ExprKind::Path(_));
        let mut operands = Flags { constancy: Constancy::Query, ..Flags::default() };
        let mut again = 0u32;
        expr.for_each_operand(&mut |operand| {
            let inner = self.flags(operand);
            operands.comments |= inner.comments;
            operands.keeps_text |= inner.keeps_text;
            operands.state |= inner.state;
            operands.errors |= inner.errors;
            operands.tree |= inner.tree;
            operands.constancy = operands.constancy.min(inner.constancy);
            operands.cost = operands.cost.saturating_add(inner.cost);
            again = again.saturating_add(inner.cost_again());
        });
        flags.comments |= operands.comments;
        flags.keeps_text |= operands.keeps_text;
        // The string of a filter may be kept for its next evaluation in the game.
        flags.keeps_text |=
            expr.ty == Type::String && !matches!(expr.kind, ExprKind::Text(_) | ExprKind::Var(_));
        flags.state |= operands.state;
        flags.errors |= operands.errors;
        flags.tree |= operands.tree;
        flags.constancy = match flags.comments || flags.state {
            true => Constancy::None,
            false => constancy::own(expr).min(operands.constancy),
        };
        if flags.constancy < Constancy::Game {
            operands.cost = again;
        }
        let factor = match &expr.kind {
            ExprKind::ForSquares { .. } | ExprKind::ForPieces { .. } => 16,
            ExprKind::Speculate(_) => 32,
            ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::ForKeys { .. }
            | ExprKind::ForMatches { .. } => 16,
            ExprKind::Find(_) | ExprKind::Line(_) | ExprKind::Path(_) | ExprKind::Echo(_) => 64,
            _ => 1,
        };
        flags.cost = flags.cost.saturating_add(operands.cost.saturating_mul(factor));
        self.known.insert(std::ptr::from_ref(expr), flags);
        flags
    }
}

/// Whether the filter asks for the last path of the game.
fn asks_for_path(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Quantity(Quantity::Path(_)) => true,
        // What asks inside a path is told of that one.
        ExprKind::Path(path) => path.before().any(asks_for_path),
        _ => {
            let mut asks = false;
            expr.for_each_operand(&mut |operand| asks = asks || asks_for_path(operand));
            asks
        }
    }
}

fn own(expr: &Expr, reads_groups: bool) -> Flags {
    let mut flags = Flags { cost: 2, ..Flags::default() };
    let prints_position = |parts: &[Expr]| parts.iter().any(|part| part.ty == Type::Position);
    match &expr.kind {
        ExprKind::Assert(_) => flags.errors = true,
        ExprKind::AssignSlice { .. } => {
            flags.errors = true;
            flags.keeps_text = true;
        }
        ExprKind::Condition(which) => flags = leaves::of_condition(*which),
        ExprKind::Quantity(which) => flags = leaves::of_quantity(*which),
        ExprKind::Unary(op, _) => {
            flags.errors = *op == Unary::ReadFile;
            flags.tree = matches!(
                op,
                Unary::PositionAt | Unary::Child | Unary::PieceSquare | Unary::PieceId
            );
        }
        ExprKind::Binary(..) => {
            flags.cost = 20;
            flags.tree = expr.ty != Type::Set && expr.ty != Type::Bool;
        }
        ExprKind::Direction { range, .. } => {
            flags.cost = 10;
            flags.errors = match range {
                Range { min: Bound::Const(min), max: Bound::Const(max) } => {
                    min > max || *min < -7 || *max > 7
                }
                _ => true,
            };
        }
        ExprKind::Ray { .. } | ExprKind::Pin { .. } => flags.cost = 40,
        ExprKind::ForSquares { .. } | ExprKind::While { .. } | ExprKind::Loop(_) => {
            flags.errors = true
        }
        ExprKind::ForPieces { .. } => {
            flags.errors = true;
            flags.tree = true;
        }
        ExprKind::Orbit { join: Join::Count(range), .. } => {
            flags.errors = matches!(
                range,
                Range { min: Bound::Var(_), .. } | Range { max: Bound::Var(_), .. }
            );
        }
        ExprKind::ForKeys { .. }
        | ExprKind::Assign { .. }
        | ExprKind::Update { .. }
        | ExprKind::Unbind(_)
        | ExprKind::Lookup { .. }
        | ExprKind::Store { .. }
        | ExprKind::Erase { .. }
        | ExprKind::SetTag { .. }
        | ExprKind::RemoveTag(_)
        | ExprKind::Sort { .. } => {
            flags.state = true;
            flags.errors = true;
            // A dictionary has a copy of its own.
            flags.keeps_text = match &expr.kind {
                ExprKind::Assign { value, .. } | ExprKind::Update { value, .. } => {
                    value.ty == Type::String
                }
                ExprKind::ForKeys { .. } | ExprKind::Sort { .. } => true,
                _ => false,
            };
        }
        // A conversation: each request is sent, once, in its place.
        ExprKind::CommandPipe { .. } => {
            flags.state = true;
            flags.errors = true;
            flags.cost = 1_000_000;
        }
        ExprKind::IsBound(_) | ExprKind::DictionaryLen(_) => flags.errors = true,
        ExprKind::BindPiece { .. } | ExprKind::WriteFile { .. } => {
            flags.state = true;
            flags.errors = true;
            flags.tree = true;
        }
        ExprKind::With { .. } => flags.tree = true,
        ExprKind::Move(spec) => {
            flags.comments = spec.comment.is_some();
            flags.tree = true;
            flags.cost = match spec.source {
                babson_lang::hir::MoveSource::Played | babson_lang::hir::MoveSource::Previous => 8,
                source if source.is_reverse() => 4000,
                _ => 60,
            };
        }
        ExprKind::Speculate(filter) => {
            // It may take too many steps.
            flags.errors = true;
            flags.tree = !filter.moves.source.is_generated();
            flags.cost = 100;
        }
        ExprKind::Imagine { .. } => flags.cost = 40,
        ExprKind::Dash(_) => {
            flags.tree = true;
            flags.cost = 4;
        }
        ExprKind::Find(find) => {
            flags.comments = !find.quiet;
            flags.errors = true;
            flags.tree = true;
        }
        ExprKind::Match { pattern, .. } => {
            flags.state = reads_groups;
            flags.keeps_text = reads_groups;
            flags.errors = !matches!(pattern.kind, ExprKind::Text(_));
            flags.cost = 200;
        }
        ExprKind::ForMatches { .. } => {
            flags.state = reads_groups;
            flags.keeps_text = reads_groups;
            flags.errors = true;
            flags.cost = 200;
        }
        ExprKind::Group(_) | ExprKind::GroupIndex(_) => flags.errors = true,
        ExprKind::SimilarPosition => {
            flags.comments = true;
            flags.state = true;
            flags.cost = 60;
        }
        ExprKind::Echo(echo) => {
            flags.comments = !echo.quiet;
            flags.errors = true;
            flags.tree = true;
        }
        ExprKind::ConsecutiveMoves(moves) => {
            flags.state = !moves.quiet;
            flags.errors = true;
            flags.tree = true;
            flags.cost = 400;
        }
        ExprKind::Line(line) => {
            flags.comments = !line.quiet;
            flags.errors = true;
            flags.state = line.nest_ban.is_some();
            flags.tree = true;
        }
        ExprKind::Path(path) => {
            flags.comments = super::path::writes(path);
            flags.errors = true;
            flags.state = path.nest_ban.is_some();
            flags.tree = true;
        }
        ExprKind::Comment(_) => {
            flags.comments = true;
        }
        ExprKind::Message { quiet, parts } => {
            flags.state = true;
            flags.tree = true;
            // Printing a position of a variation leaves a comment with its id there.
            flags.comments = !quiet || prints_position(parts);
        }
        ExprKind::Str(parts) => {
            flags.comments = prints_position(parts);
            flags.tree = flags.comments;
            flags.errors = true;
            flags.cost = 60;
        }
        ExprKind::HasNag(_) => flags.tree = true,
        ExprKind::GameLists(_) => {
            flags.state = true;
            flags.errors = true;
            flags.tree = true;
        }
        ExprKind::Steps(_) | ExprKind::Recurrence(_) => {
            flags.errors = true;
            flags.tree = true;
            flags.cost = 400;
        }
        ExprKind::Pairs(_) => flags.cost = 60,
        _ => {}
    }
    flags
}
