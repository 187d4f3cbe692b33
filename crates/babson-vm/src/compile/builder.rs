//! The builder of the code: it hands out labels, registers and entries of tables.

use std::collections::{BTreeSet, HashMap};
use std::ops::{Deref, DerefMut};

use babson_lang::diagnostic::Span;
use babson_lang::dialect::Dialect;
use babson_lang::hir::{Bound, Constancy, Effects, Expr, ExprKind, Query, Type, VarId};
use babson_lang::pattern::Unit;
use babson_pgn::Needs;

use super::Conditions;
use super::held::Held;
use super::undo::Undo;
use crate::analysis::{Analysis, Loops, deferrable_texts};
use crate::code::{Code, LikeSpec, SharedState};
use crate::filters::likeness::Likeness;
use crate::game_guard::GameGuard;
use crate::limits::MAX_IMAGE_TABLE_WORDS;
use crate::op::{
    EntryPoint, Id, Label, Labels, OnceSpec, Op, Pc, Register, Table, Tables, TextConstant,
    TextSegment,
};
use crate::optimize::VisitPlan;
use crate::options::CompileOptions;
use crate::prefilter::Prefilter;
use crate::profile::ProfiledFilter;
use crate::regex::Matcher;

/// Registers of a deferred text, which hold its board.
const DEFERRED_REGISTERS: usize = 2;

/// The registers and parts of a deferred text.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeferredText {
    /// The first of its registers.
    pub(super) place: Register,
    /// The first part and their number, once the assignment is compiled.
    pub(super) text: Option<(Id<TextSegment>, u16)>,
}

/// A filter that is evaluated at most once.
pub(super) struct OnceFilter {
    pub(super) expr: Box<Expr>,
    /// Whether only its match counts, not its value.
    pub(super) test: bool,
    pub(super) at_position: bool,
}

/// A loop over pieces: its variable, and the register of the current square. The register after
/// that has the stamp of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceLoop {
    pub(super) var: Register,
    pub(super) current: Register,
}

pub(super) struct Builder {
    pub(super) tables: Tables,
    pub(super) analysis: Analysis,
    pub(super) dialect: Dialect,
    /// The unit of regular expressions: a byte or a character.
    pub(super) unit: Unit,
    /// The literal regular expressions, and their text.
    pub(super) regexes: Vec<(Box<[u8]>, Matcher)>,
    pub(super) notes: Vec<String>,
    /// The number of words that the tables of images may still take.
    pub(super) table_words: usize,
    pub(super) uses_files: bool,
    pub(super) read_files: BTreeSet<String>,
    /// The filters that are evaluated once per game or position, and their numbers by hash.
    pub(super) once: Vec<OnceFilter>,
    pub(super) once_by_hash: HashMap<u64, Vec<Id<OnceSpec>>>,
    /// Whether the current code is the block of a filter that is evaluated once.
    pub(super) in_once: bool,
    /// Whether the current code runs once per game.
    pub(super) runs_once: bool,
    /// Whether the current filter is evaluated once per game, even if its operands are not.
    pub(super) begins_once: bool,
    /// The filters evaluated once that are known to match when the current code runs.
    pub(super) known_matches: Vec<Id<OnceSpec>>,
    /// The least constancy of the filters that [`Builder::require`] has tested.
    pub(super) least_required: Constancy,
    /// Inside a constituent of a forward `line`, where `move` sees the followed move only.
    pub(super) in_tie: bool,
    /// Inside the operand of a `sort`, where `echo` keeps the comments of its best position only.
    pub(super) in_sort: bool,
    /// In the target of a dash: the register of the parts of the move that `from` and `to` mean.
    pub(super) owner: Option<Register>,
    /// The loops over pieces around what is being compiled, the innermost last.
    pub(super) piece_loops: Vec<PieceLoop>,
    /// The variables of the loops around, and what does not change with their rounds.
    pub(super) loops_around: Vec<VarId>,
    pub(super) held: Vec<Held>,
    /// The variables whose texts are deferred.
    pub(super) deferred: HashMap<VarId, DeferredText>,
    /// The filters with counters, and the one that is being compiled; `None` for no profile.
    profile: Option<(Vec<ProfiledFilter>, Option<u32>)>,
    /// Whether the counted filters also leave their values.
    traced: bool,
    conditions: Conditions,
    var_names: Vec<String>,
    name_ids: HashMap<String, Id<String>>,
    text: Vec<u8>,
    ops: Vec<Op<Label>>,
    entries: Table<EntryPoint>,
    spans: Vec<Span>,
    span: Span,
    labels: Labels,
    pub(super) next: usize,
    highest: usize,
    /// Whether a filter is too large to be compiled.
    pub(super) too_large: bool,
}

/// Finds the variables whose texts are deferred. Gives each of them registers after the registers
/// of all variables.
fn deferred_texts(query: &Query, loops: &Loops) -> HashMap<VarId, DeferredText> {
    let places = (query.vars.len()..).step_by(DEFERRED_REGISTERS);
    let place_of = |place: usize| Register::new(place).unwrap_or(Register::FIRST);
    let numbered = deferrable_texts(query, loops).into_iter().zip(places);
    numbered
        .map(|(var, place)| (var, DeferredText { place: place_of(place), text: None }))
        .collect()
}

impl Deref for Builder {
    type Target = Tables;

    fn deref(&self) -> &Tables {
        &self.tables
    }
}

impl DerefMut for Builder {
    fn deref_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }
}

impl Builder {
    pub(super) fn new(query: &Query, options: &CompileOptions, conditions: Conditions) -> Builder {
        let profile = options.profile || options.trace;
        let loops = Loops::of(&query.body);
        // In a profiled program every filter is evaluated where it stands.
        let deferred = match profile {
            true => HashMap::new(),
            false => deferred_texts(query, &loops),
        };
        let analysis = Analysis::new(query, loops, deferred.keys().copied().collect());
        let first = query.vars.len() + deferred.len() * DEFERRED_REGISTERS;
        let dictionaries = Table::from(query.dictionaries.clone());
        Builder {
            tables: Tables { dictionaries, ..Tables::default() },
            profile: profile.then(Default::default),
            conditions,
            traced: options.trace,
            analysis,
            dialect: query.dialect,
            unit: if query.dialect.unicode_strings { Unit::Character } else { Unit::Byte },
            regexes: Vec::new(),
            notes: Vec::new(),
            table_words: MAX_IMAGE_TABLE_WORDS,
            uses_files: false,
            read_files: BTreeSet::new(),
            once: Vec::new(),
            once_by_hash: HashMap::new(),
            in_once: false,
            runs_once: false,
            begins_once: false,
            known_matches: Vec::new(),
            least_required: Constancy::Query,
            in_tie: false,
            in_sort: false,
            owner: None,
            piece_loops: Vec::new(),
            loops_around: Vec::new(),
            held: Vec::new(),
            deferred,
            var_names: query.vars.iter().map(|var| var.name.clone()).collect(),
            name_ids: HashMap::new(),
            text: Vec::new(),
            ops: Vec::new(),
            entries: Table::default(),
            spans: Vec::new(),
            span: Span::default(),
            labels: Labels::default(),
            next: first,
            highest: first,
            too_large: false,
        }
    }

    pub(super) fn emit(&mut self, op: Op<Label>) {
        self.ops.push(op);
        self.spans.push(self.span);
    }

    pub(super) fn here(&self) -> Pc {
        Pc::new(self.ops.len())
    }

    /// An entry point at the next instruction.
    pub(super) fn entry(&mut self, name: &'static str) -> Id<EntryPoint> {
        let pc = self.here();
        self.entries.push(EntryPoint { pc, name })
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.fresh()
    }

    pub(super) fn bind(&mut self, label: Label) {
        self.labels.bind(label, self.here());
    }

    pub(super) fn var_name(&self, var: Register) -> &str {
        self.var_names.get(var.index()).map_or("", String::as_str)
    }

    pub(super) fn jump(&mut self, to: Label) {
        self.emit(Op::Jump { to });
    }

    pub(super) fn temp(&mut self) -> Register {
        self.temps(1)
    }

    /// `count` consecutive registers. Returns the first one.
    pub(super) fn temps(&mut self, count: usize) -> Register {
        let first = self.next;
        self.next += count;
        self.highest = self.highest.max(self.next);
        // A query that needs more registers than there are is an error at the end, so the register
        // is never used.
        Register::new(first).unwrap_or(Register::FIRST)
    }

    /// From now on hands out only registers that no code uses yet.
    pub(super) fn skip_used_registers(&mut self) {
        self.next = self.highest;
    }

    /// Runs `f` with the span of the filter; registers that it takes are free again afterwards.
    pub(super) fn scope<T>(&mut self, expr: &Expr, f: impl FnOnce(&mut Self) -> T) -> T {
        let span = std::mem::replace(&mut self.span, expr.span);
        let counted = self.begin_counting(expr.span);
        let runs_once = self.runs_once;
        let begins_once = std::mem::replace(&mut self.begins_once, runs_once);
        self.runs_once &= !repeats_operands(expr);
        let result = self.with_temps(|this| this.holding(expr, f));
        (self.runs_once, self.begins_once) = (runs_once, begins_once);
        self.end_counting(counted);
        self.span = span;
        result
    }

    /// Runs `f`; registers that it takes are free again afterwards.
    pub(super) fn with_temps<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let next = self.next;
        let result = f(self);
        self.next = next;
        result
    }

    /// Whether positions may be skipped where a filter cannot match.
    pub(super) fn uses_conditions(&self) -> bool {
        self.conditions == Conditions::Used && !self.is_profiled()
    }

    pub(super) fn is_profiled(&self) -> bool {
        self.profile.is_some()
    }

    /// Whether no filter may be compiled into another, since each leaves a trace.
    pub(super) fn is_traced(&self) -> bool {
        self.traced
    }

    /// In a traced program, emits code that records the value of the filter that is compiled.
    pub(super) fn trace_value(&mut self, value: Register, ty: Type) {
        if self.traced
            && ty != Type::Bool
            && let Some((_, Some(filter))) = self.profile
        {
            self.emit(Op::TraceValue { filter, value, ty });
        }
    }

    /// In a profiled program, emits code that counts an evaluation of the filter. Returns the
    /// number of this filter and the number of the filter around it.
    fn begin_counting(&mut self, span: Span) -> Option<(u32, Option<u32>)> {
        let (filters, current) = self.profile.as_mut()?;
        let parent = *current;
        // A filter that is compiled in two steps is counted once.
        if parent.is_some_and(|index| filters[index as usize].span == span) {
            return None;
        }
        let known = filters.iter().position(|known| known.span == span);
        let index = known.unwrap_or_else(|| {
            filters.push(ProfiledFilter { span, parent });
            filters.len() - 1
        }) as u32;
        *current = Some(index);
        self.emit(Op::Begin { filter: index });
        Some((index, parent))
    }

    fn end_counting(&mut self, counted: Option<(u32, Option<u32>)>) {
        if let Some((filter, around)) = counted {
            self.emit(Op::Matched { filter });
            if let Some((_, current)) = &mut self.profile {
                *current = around;
            }
        }
    }

    pub(super) fn effects(&self, expr: &Expr) -> Effects {
        self.analysis.effects(expr)
    }

    /// A string constant, packed as registers hold strings.
    pub(super) fn text_constant(&mut self, text: &[u8]) -> TextConstant {
        let offset = self.text.len();
        self.text.extend_from_slice(text);
        TextConstant(crate::packed::pack_text(offset, text.len()))
    }

    /// The prefilter of a filter that is evaluated at many positions, if it has one.
    pub(super) fn prefilter(&mut self, filter: &Expr) -> Option<Id<Prefilter>> {
        if self.conditions != Conditions::Used || self.traced {
            return None;
        }
        let prefilter = Prefilter::of([filter], &self.analysis)?;
        Some(self.prefilters.push(prefilter))
    }

    pub(super) fn name(&mut self, name: &str) -> Id<String> {
        if let Some(&known) = self.name_ids.get(name) {
            return known;
        }
        let id = self.names.push(name.to_owned());
        self.name_ids.insert(name.to_owned(), id);
        id
    }

    /// The number of a command; the same one wherever it is used.
    pub(super) fn pipe(&mut self, command: &[String]) -> Id<Box<[String]>> {
        self.pipes.find_or_push(|other| **other == *command, || command.into())
    }

    pub(super) fn constant(&mut self, value: u64) -> Register {
        let dst = self.temp();
        self.emit(Op::Const { dst, value });
        dst
    }

    pub(super) fn var(&self, var: VarId) -> Register {
        Register::of_var(var)
    }

    pub(super) fn bound(&mut self, bound: Bound) -> Register {
        match bound {
            Bound::Const(number) => self.constant(u64::from(number as u32)),
            Bound::Var(var) => {
                let dst = self.temp();
                self.emit(Op::Load { dst, var: self.var(var) });
                dst
            }
        }
    }

    /// Runs `f` for filters that look at another position: no `move` in them is tied to the move
    /// that a `line` follows, and `from` and `to` belong to no dash around.
    pub(super) fn elsewhere<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let (tie, owner) = (self.in_tie, self.owner);
        (self.in_tie, self.owner) = (false, None);
        let result = f(self);
        (self.in_tie, self.owner) = (tie, owner);
        result
    }

    /// Enters the position that is the value of the filter.
    pub(super) fn enter(&mut self, position: &Expr, fail: Label) {
        let at = self.temp();
        self.value(position, at, fail);
        self.emit(Op::Enter { position: at });
    }

    /// Runs `f` on the board that was entered last, which is left whether `f` fails or not.
    pub(super) fn entered(&mut self, fail: Label, f: impl FnOnce(&mut Self, Label)) {
        let (failed, done) = (self.label(), self.label());
        self.elsewhere(|this| f(this, failed));
        self.emit(Op::Leave {});
        self.jump(done);
        self.bind(failed);
        self.emit(Op::Leave {});
        self.jump(fail);
        self.bind(done);
    }

    /// The values of two filters, in two registers. Returns the first one.
    pub(super) fn pair(&mut self, left: &Expr, right: &Expr, fail: Label) -> Register {
        let first = self.temps(2);
        self.value(left, first, fail);
        self.value(right, first + 1, fail);
        first
    }

    /// Runs `f` so that its comments are rolled back when it fails.
    pub(super) fn with_rollback(
        &mut self,
        undo: impl Into<Undo>,
        fail: Label,
        f: impl FnOnce(&mut Self, Label),
    ) {
        let undo = undo.into();
        if undo == Undo::Nothing {
            return f(self, fail);
        }
        let text = undo == Undo::CommentsAndText;
        let mark = self.temp();
        self.emit(Op::Mark { dst: mark });
        let (failed, done) = (self.label(), self.label());
        f(self, failed);
        self.jump(done);
        self.bind(failed);
        self.emit(Op::Rollback { mark, text });
        self.jump(fail);
        self.bind(done);
    }

    /// The same, but in a dialect in which failed filters keep their comments, they stay. For the
    /// filters that CQL 6.2 does not roll back.
    pub(super) fn with_dialect_rollback(
        &mut self,
        undo: impl Into<Undo>,
        fail: Label,
        f: impl FnOnce(&mut Self, Label),
    ) {
        if self.dialect.failed_comments_vanish {
            self.with_rollback(undo, fail, f);
        } else {
            f(self, fail);
        }
    }

    /// The only filter in braces, if braces around one filter have no effect. In a dialect in which
    /// failed filters keep their comments, only braces around several filters roll them back.
    pub(super) fn only_filter<'e>(&self, list: &'e [Expr]) -> Option<&'e Expr> {
        match list {
            [only] if !self.dialect.failed_comments_vanish => Some(only),
            _ => None,
        }
    }

    /// Whether braces roll comments back if they have no value. In CQL 6.2, braces that end in a
    /// set always have a value.
    pub(super) fn braces_take_back(&self, list: &[Expr], ty: Type) -> bool {
        self.dialect.failed_comments_vanish || ty != Type::Set && list.len() != 1
    }

    /// Runs `f` so that its comments are rolled back whether it fails or not.
    pub(super) fn without_comments(
        &mut self,
        undo: impl Into<Undo>,
        fail: Label,
        f: impl FnOnce(&mut Self, Label),
    ) {
        let undo = undo.into();
        if undo == Undo::Nothing {
            return f(self, fail);
        }
        let text = undo == Undo::CommentsAndText;
        let mark = self.temp();
        self.emit(Op::Mark { dst: mark });
        let (failed, done) = (self.label(), self.label());
        f(self, failed);
        self.emit(Op::Rollback { mark, text });
        self.jump(done);
        self.bind(failed);
        self.emit(Op::Rollback { mark, text });
        self.jump(fail);
        self.bind(done);
    }

    pub(super) fn finish(mut self, query: &Query, visit: VisitPlan, needs: Needs) -> Option<Code> {
        let once = self.once_blocks();
        if self.too_large || self.highest > Register::COUNT {
            return None;
        }
        let labels = &self.labels;
        let mut ops: Vec<Op> =
            self.ops.into_iter().map(|op| op.relabel(|label| labels.get(label))).collect();
        let (mut spans, mut entries) = (self.spans, self.entries);
        let (regex_texts, regexes): (Vec<_>, Vec<_>) = self.regexes.into_iter().unzip();
        super::peephole::simplify(&mut ops, &mut spans, &mut entries);
        Some(Code {
            tables: Tables { once: once.into(), ..self.tables },
            ops,
            entries,
            spans,
            text: self.text,
            similar: None,
            like: query.like.as_ref().map(|like| LikeSpec {
                likeness: Likeness::new(&like.position),
                key: like.key.0 as usize,
            }),
            regexes: Table::from(regexes),
            regex_texts,
            run_keys: query.runs as usize,
            atomics: atomics(query),
            nest_bans: query.nest_bans as usize,
            vars: query.vars.clone(),
            registers: self.highest,
            visit,
            prefilter: None,
            guard: GameGuard::default(),
            needs,
            is_silent: false,
            comments: false,
            uses_files: self.uses_files,
            read_files: self.read_files,
            tags_required: None,
            game_required: None,
            shared: SharedState::Nothing,
            begin: None,
            end: None,
            value: None,
            traced: Vec::new(),
            profiled: self.profile.map_or_else(Vec::new, |(filters, _)| filters),
            notes: self.notes,
        })
    }
}

/// Whether operands of the filter may be evaluated more than once.
fn repeats_operands(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::ForSquares { .. }
            | ExprKind::ForPieces { .. }
            | ExprKind::ForKeys { .. }
            | ExprKind::ForMatches { .. }
            | ExprKind::Orbit { .. }
            | ExprKind::SpeculativeMove(_)
            | ExprKind::Dash(_)
            | ExprKind::Find(_)
            | ExprKind::Line(_)
            | ExprKind::Echo(_)
            | ExprKind::Path(_)
            | ExprKind::GameLists(_)
            | ExprKind::PositionSequence(_)
    )
}

/// The variables that a `path` restores when its search backtracks.
fn atomics(query: &Query) -> Vec<Register> {
    let vars = query.vars.iter().enumerate();
    vars.filter(|(_, var)| var.atomic).filter_map(|(index, _)| Register::new(index)).collect()
}
