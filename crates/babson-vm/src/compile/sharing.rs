//! What games share, and whether several threads may run the games.
//!
//! Persistent variables and dictionaries go from game to game in the order of the file. If the
//! games only add to one, or only store values in it, each part of the file can be run alone.
//! Joining the parts in order then gives the same result as one thread. If a game may read what an
//! earlier one stored, one thread must run all games.
//!
//! To decide this, the analysis follows the query from the first position of a game to the last. A
//! name is the game's own once the game has definitely emptied or assigned it. Only the uses before
//! that count.

use babson_lang::hir::{
    Arithmetic, Bound, Condition, DictId, DictionaryUse, Expr, ExprKind, NameUse, NumberRange,
    Query, StateFilter, Type, Update, VarId, VariableUse,
};

use crate::code::{SharedState, SharingRule};
use crate::game_dependence::{DependentUse, GameDependence};
use crate::op::MissingKey;

/// The uses of a name while it is not the game's own.
#[derive(Clone, Debug, Default)]
struct NameUses {
    /// Whether any game changes it, the game's own or not.
    changed: bool,
    /// The rules that join its changes, each once.
    rules: Vec<SharingRule>,
    /// A use that no rule can join.
    bound: Option<DependentUse>,
    unbound: bool,
}

struct SharingAnalysis<'q> {
    query: &'q Query,
    /// The uses of each variable, then of each dictionary.
    uses: Vec<NameUses>,
    own: Vec<bool>,
    /// The names that became the game's own, in order.
    trail: Vec<usize>,
}

/// Finds what the games share; `from_root` says that each is evaluated from its first position on.
pub(super) fn shared(query: &Query, from_root: bool, uses_files: bool) -> SharedState {
    if uses_files {
        return SharedState::InOrder(GameDependence::Files);
    }
    if !query.dialect.removals_end_with_the_game && removes_comments(query) {
        return SharedState::InOrder(GameDependence::RemovedComments);
    }
    let persistent = query.vars.iter().any(|var| var.persistent.is_some());
    if !persistent && query.dictionaries.is_empty() {
        return SharedState::Nothing;
    }
    let names = query.vars.len() + query.dictionaries.len();
    let mut analysis = SharingAnalysis {
        query,
        uses: vec![NameUses::default(); names],
        own: vec![false; names],
        trail: Vec::new(),
    };
    for (index, dictionary) in query.dictionaries.iter().enumerate() {
        if dictionary.local {
            analysis.own(query.vars.len() + index);
        }
    }
    for filter in query.begin.iter().chain(&query.body) {
        analysis.find_unbind(filter);
    }
    if from_root {
        // At the first position a filter that fails keeps the others from being evaluated.
        let mut certain = None;
        for filter in &query.body {
            if !always_matches(filter) {
                certain.get_or_insert(analysis.trail.len());
            }
            analysis.filter(filter, Some(true));
        }
        analysis.undo(certain.unwrap_or(analysis.trail.len()));
    }
    for filter in &query.body {
        analysis.filter(filter, from_root.then_some(false));
    }
    analysis.result()
}

impl SharingAnalysis<'_> {
    fn result(&self) -> SharedState {
        let mut rules = Vec::with_capacity(self.uses.len());
        for (index, uses) in self.uses.iter().enumerate() {
            match uses.rule() {
                Ok(rule) => rules.push(rule),
                Err(usage) => {
                    let name = self.name(index).to_owned();
                    return SharedState::InOrder(GameDependence::Name { name, usage });
                }
            }
        }
        let dictionaries = rules.split_off(self.query.vars.len());
        SharedState::Joined { vars: rules, dictionaries }
    }

    fn name(&self, index: usize) -> &str {
        match index.checked_sub(self.query.vars.len()) {
            Some(dictionary) => &self.query.dictionaries[dictionary].name,
            None => &self.query.vars[index].name,
        }
    }

    /// The place of a variable among the names, if it is persistent.
    fn var(&self, var: VarId) -> Option<usize> {
        let index = var.0 as usize;
        self.query.vars[index].persistent.map(|_| index)
    }

    fn own(&mut self, index: usize) {
        if !self.own[index] {
            self.own[index] = true;
            self.trail.push(index);
        }
    }

    /// Takes back the names that became the game's own since the trail had this length. Returns
    /// them.
    fn undo(&mut self, len: usize) -> Vec<usize> {
        let undone = self.trail.split_off(len.min(self.trail.len()));
        for index in &undone {
            self.own[*index] = false;
        }
        undone
    }

    fn bind(&mut self, index: usize, usage: DependentUse) {
        self.uses[index].bound.get_or_insert(usage);
    }

    fn read(&mut self, index: usize) {
        if !self.own[index] {
            self.bind(index, DependentUse::Read);
        }
    }

    fn change(&mut self, index: usize, op: Option<Update>, missing: MissingKey) {
        match op {
            None => self.change_by(index, SharingRule::Last),
            Some(Update::Number(Arithmetic::Add | Arithmetic::Subtract)) => {
                self.change_by(index, SharingRule::Sum);
            }
            Some(Update::Union) => self.change_by(index, SharingRule::Union),
            Some(Update::Intersection) if missing == MissingKey::Operand => {
                self.change_by(index, SharingRule::Intersection);
            }
            Some(_) => {
                self.uses[index].changed = true;
                if !self.own[index] {
                    self.bind(index, DependentUse::Updated);
                }
            }
        }
    }

    fn change_by(&mut self, index: usize, rule: SharingRule) {
        let uses = &mut self.uses[index];
        uses.changed = true;
        if !self.own[index] && !uses.rules.contains(&rule) {
            uses.rules.push(rule);
        }
    }

    /// Follows `x = max(x f)` or `D[k] = min(D[k] f)`; returns false for other values. The old
    /// value is read only to be stored again if it is the better one. The operands before it must
    /// not change it.
    fn extreme(&mut self, index: usize, value: &Expr, is_old: impl Fn(&Expr) -> bool) -> bool {
        let ExprKind::Extreme { min, operands } = &value.kind else {
            return false;
        };
        let mut before = operands.iter().take_while(|operand| !is_old(operand));
        if !before.all(is_plain) || operands.iter().filter(|operand| is_old(operand)).count() != 1 {
            return false;
        }
        for operand in operands.iter().filter(|operand| !is_old(operand)) {
            self.operand(operand);
        }
        self.change_by(index, if *min { SharingRule::Min } else { SharingRule::Max });
        true
    }

    /// Parts do not distinguish an unbound variable from one that no game has changed.
    fn find_unbind(&mut self, expr: &Expr) {
        if let ExprKind::State(StateFilter::Unbind(var)) = expr.kind
            && let Some(index) = self.var(var)
        {
            self.uses[index].unbound = true;
        }
        expr.for_each_operand(&mut |operand| self.find_unbind(operand));
    }

    /// Follows a filter that is evaluated at a position of the game: what becomes the game's own in
    /// it is so where it matches. `root` says whether the position is the first one, if that is
    /// known.
    fn filter(&mut self, expr: &Expr, root: Option<bool>) {
        let dictionaries = self.query.vars.len();
        if let ExprKind::Sequence(list) = &expr.kind {
            for filter in list {
                self.filter(filter, root);
            }
        } else if let ExprKind::And(a, b) = &expr.kind {
            self.filter(a, root);
            self.filter(b, root);
        } else if let ExprKind::NoTransform(a) = &expr.kind {
            self.filter(a, root);
        } else if let ExprKind::If { condition, then, otherwise } = &expr.kind {
            self.alternatives(condition, then, otherwise.as_deref(), root);
        } else if let ExprKind::State(StateFilter::Assign { var, value, if_any }) = &expr.kind {
            self.assignment(*var, value, *if_any);
        } else if let ExprKind::State(StateFilter::Erase { dictionary, key: None }) = &expr.kind {
            let index = dictionaries + dictionary.0 as usize;
            self.uses[index].changed = true;
            self.own(index);
        } else if let ExprKind::State(StateFilter::Store {
            dictionary, key, op: None, value, ..
        }) = &expr.kind
            && is_plain(key)
        {
            let index = dictionaries + dictionary.0 as usize;
            let old = ExprKind::Lookup { dictionary: *dictionary, key: key.clone() };
            self.operand(key);
            if !self.extreme(index, value, |operand| operand.kind == old) {
                self.operand(value);
                self.change(index, None, MissingKey::Error);
            }
        } else {
            self.other(expr);
        }
    }

    fn alternatives(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: Option<&Expr>,
        root: Option<bool>,
    ) {
        if let Some(root) = root
            && condition.kind == ExprKind::Condition(Condition::Initial)
        {
            if let Some(taken) = if root { Some(then) } else { otherwise } {
                self.filter(taken, Some(root));
            }
            return;
        }
        self.operand(condition);
        let before = self.trail.len();
        self.filter(then, root);
        let in_one = self.undo(before);
        if let Some(otherwise) = otherwise {
            self.filter(otherwise, root);
        }
        let in_other = self.undo(before);
        for index in in_one {
            if in_other.contains(&index) {
                self.own(index);
            }
        }
    }

    fn assignment(&mut self, var: VarId, value: &Expr, if_any: bool) {
        let index = self.var(var);
        // Only numbers: there is no greatest string with which a part could begin.
        if value.ty == Type::Number
            && index.is_some_and(|index| {
                self.extreme(index, value, |old| old.kind == ExprKind::Var(var))
            })
        {
            return;
        }
        self.operand(value);
        if let Some(index) = index {
            self.change(index, None, MissingKey::Error);
            if !if_any {
                self.own(index);
            }
        }
    }

    /// Follows a node that makes no name the game's own.
    fn other(&mut self, expr: &Expr) {
        if let Some(NumberRange { min, max }) = expr.range() {
            for bound in [min, max] {
                if let Bound::Var(var) = bound
                    && let Some(index) = self.var(var)
                {
                    self.read(index);
                }
            }
        }
        expr.for_each_operand(&mut |operand| self.operand(operand));
        expr.for_each_name(&mut |name| match name {
            NameUse::Variable(var, how) => {
                if let Some(index) = self.var(var) {
                    self.variable(index, how);
                }
            }
            NameUse::Dictionary(dictionary, how) => self.dictionary(dictionary, how),
        });
    }

    fn variable(&mut self, index: usize, how: VariableUse) {
        match how {
            VariableUse::Read | VariableUse::Test => self.read(index),
            VariableUse::Assign => self.change(index, None, MissingKey::Error),
            VariableUse::Update(op) => self.change(index, Some(op), MissingKey::Error),
            VariableUse::Splice => {
                self.uses[index].changed = true;
                self.read(index);
            }
            VariableUse::Loop | VariableUse::BindPiece => {
                self.bind(index, DependentUse::Loop);
            }
            // Found by `find_unbind`.
            VariableUse::Unbind => {}
        }
    }

    fn dictionary(&mut self, dictionary: DictId, how: DictionaryUse) {
        let index = self.query.vars.len() + dictionary.0 as usize;
        match how {
            DictionaryUse::Read => self.read(index),
            DictionaryUse::Store { op, from_zero } => {
                let declared = &self.query.dictionaries[dictionary.0 as usize];
                let missing = MissingKey::of(declared, op, from_zero);
                if op.is_some() && missing == MissingKey::Error {
                    self.read(index);
                }
                self.change(index, op, missing);
            }
            DictionaryUse::Erase => {
                self.uses[index].changed = true;
                if !self.own[index] {
                    self.bind(index, DependentUse::KeyErased);
                }
            }
        }
    }

    /// Follows a filter that may be evaluated at another position, more than once, or not at all.
    fn operand(&mut self, expr: &Expr) {
        let before = self.trail.len();
        self.filter(expr, None);
        self.undo(before);
    }
}

impl NameUses {
    fn rule(&self) -> Result<SharingRule, DependentUse> {
        if self.unbound {
            return Err(DependentUse::Unbound);
        }
        if !self.changed {
            // All games may read what no game changes.
            return Ok(SharingRule::Fixed);
        }
        match (self.bound, self.rules.as_slice()) {
            (Some(usage), _) => Err(usage),
            // Changed only where it is the game's own.
            (None, []) => Ok(SharingRule::Last),
            (None, [rule]) => Ok(*rule),
            _ => Err(DependentUse::ChangedDifferently),
        }
    }
}

fn removes_comments(query: &Query) -> bool {
    fn is_in(expr: &Expr) -> bool {
        let mut found = expr.kind == ExprKind::Condition(Condition::RemoveComment);
        expr.for_each_operand(&mut |operand| found = found || is_in(operand));
        found
    }
    query.body.iter().any(is_in)
}

/// Whether a filter is known to match wherever it is evaluated.
fn always_matches(expr: &Expr) -> bool {
    if let ExprKind::Sequence(list) = &expr.kind {
        list.iter().all(always_matches)
    } else if let ExprKind::And(a, b) = &expr.kind {
        always_matches(a) && always_matches(b)
    } else if let ExprKind::If { then, otherwise, .. } = &expr.kind {
        always_matches(then) && otherwise.as_deref().is_none_or(always_matches)
    } else if let ExprKind::State(StateFilter::Assign { value, if_any, .. }) = &expr.kind {
        !if_any && has_value(value)
    } else if let ExprKind::State(StateFilter::Update { op, value, .. }) = &expr.kind {
        matches!(op, Update::Number(Arithmetic::Add | Arithmetic::Subtract) | Update::Union)
            && has_value(value)
    } else {
        matches!(
            expr.kind,
            ExprKind::Bool(true) | ExprKind::State(StateFilter::Erase { key: None, .. })
        )
    }
}

/// Whether an expression has the same value when it is evaluated twice at one position, and no
/// other effect.
fn is_plain(expr: &Expr) -> bool {
    let plain = matches!(
        expr.kind,
        ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Condition(_)
            | ExprKind::Property(_)
            | ExprKind::Var(_)
            | ExprKind::Designator(_)
            | ExprKind::Unary(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Str(_)
    );
    let mut operands = plain;
    expr.for_each_operand(&mut |operand| operands = operands && is_plain(operand));
    operands
}

/// Whether an expression has a value wherever it is evaluated.
fn has_value(expr: &Expr) -> bool {
    expr.ty == Type::Set || matches!(expr.kind, ExprKind::Number(_) | ExprKind::Text(_))
}
