//! From the images of a filter to what they need.
//!
//! The images are walked side by side, a *column* being what stands at one place in all of them.
//! Where their shapes differ nothing is known.

use babson_lang::hir::{
    BinaryFilter, ComparisonOperator, Condition, Content, Dash, Designator, Expr, ExprKind,
    FindFilter, FindMode, MoveFilter, MoveResult, MoveSource, OrbitResult, Side, Type, UnaryFilter,
};

use super::sets::{is_exact, of_content, superset, union};
use super::{CONTENTS, Images, MoveNeed, Need, Reach, Table};
use crate::analysis::{Analysis, Shape, conjuncts};
use crate::limits::{MAX_IMAGE_ALTERNATIVES, MAX_IMAGE_DEPTH};
use crate::prefilter::Prefilter;

/// What stands at one place in all images; in the images of an inner transform several for each
/// image.
pub(super) type Column<'e> = Vec<&'e Expr>;

pub(super) struct Derivation<'a> {
    pub(super) analysis: &'a Analysis,
    /// Words that tables may still take.
    budget: &'a mut usize,
    /// Number of images.
    len: usize,
    /// The image to which each place of the columns belongs.
    owners: Vec<usize>,
    tables: usize,
    depth: usize,
    /// Whether a `move` sees only the move that is looked at.
    pub(super) tied: bool,
}

impl Images {
    /// What the images need, if anything is known. `tied`: they are evaluated together with a move,
    /// the only one that a `move` sees.
    pub(crate) fn of(
        images: Column<'_>,
        tied: bool,
        analysis: &Analysis,
        budget: &mut usize,
    ) -> Option<Images> {
        let len = images.len();
        let mut derivation = Derivation {
            analysis,
            budget,
            len,
            owners: (0..len).collect(),
            tables: 0,
            depth: 0,
            tied,
        };
        let need = derivation.need(&images);
        (!need.is_nothing()).then_some(Images { len, need, tables: derivation.tables })
    }
}

/// A conjunction without what says nothing, the cheapest first.
pub(super) fn all(list: impl IntoIterator<Item = Need>) -> Need {
    let mut flat = Vec::new();
    for need in list {
        if let Need::All(inner) = need {
            flat.extend(inner);
        } else if !need.is_nothing() {
            flat.push(need);
        }
    }
    flat.sort_by_key(Need::cost);
    match flat.len() {
        0 => Need::Nothing,
        1 => flat.remove(0),
        _ => Need::All(flat),
    }
}

fn any(list: Vec<Need>) -> Need {
    if list.iter().any(Need::is_nothing) {
        return Need::Nothing;
    }
    Need::Any(list)
}

/// What `pick` finds in the shape of each image, if it finds something in all.
pub(super) fn each<'e, T>(
    column: &[&'e Expr],
    pick: impl Fn(Shape<'e>) -> Option<T>,
) -> Option<Vec<T>> {
    column.iter().map(|expr| pick(Shape::of(expr))).collect()
}

/// The columns of lists that have one length.
fn columns<'e>(lists: &[Column<'e>]) -> Option<Vec<Column<'e>>> {
    let len = lists.first()?.len();
    if lists.iter().any(|list| list.len() != len) {
        return None;
    }
    Some((0..len).map(|place| lists.iter().map(|list| list[place]).collect()).collect())
}

impl Derivation<'_> {
    pub(super) fn is_pure(&self, column: &[&Expr]) -> bool {
        column.iter().all(|expr| self.analysis.flags(expr).is_pure())
    }

    /// What a filter needs to match or to have an effect.
    pub(super) fn need(&mut self, column: &[&Expr]) -> Need {
        let lists = column.iter().map(|expr| {
            let mut list = Vec::new();
            conjuncts([*expr], &mut list);
            list
        });
        let lists: Vec<Column<'_>> = lists.collect();
        let Some(columns) = columns(&lists) else {
            return Need::Nothing;
        };
        self.conjunction(&columns)
    }

    /// Of the filters up to the first with an effect.
    pub(super) fn conjunction(&mut self, columns: &[Column<'_>]) -> Need {
        let mut needs = Vec::new();
        for column in columns {
            if !self.is_pure(column) {
                needs.push(self.before_effects(column));
                break;
            }
            needs.push(self.single(column));
        }
        all(needs)
    }

    /// What a filter with an effect needs before it has any.
    fn before_effects(&mut self, column: &[&Expr]) -> Need {
        let Some(&first) = column.first() else {
            return Need::Nothing;
        };
        match Shape::of(first) {
            Shape::Line(_)
            | Shape::Path(_)
            | Shape::Find(_)
            | Shape::Echo(_)
            | Shape::Steps(_)
            | Shape::Or(..)
            | Shape::AnyOf(..) => self.single(column),
            Shape::Compare(..) => self.compared(column),
            // Its comment is made where a move fits, after its operands were evaluated.
            Shape::Move(_) | Shape::Dash(_) if self.has_pure_operands(column) => {
                self.single(column)
            }
            // The body is evaluated for nothing of no squares.
            Shape::ForEach(_) => {
                let set = |expr| if let Shape::ForEach(set) = expr { Some(set) } else { None };
                match each(column, set) {
                    Some(sets) if self.is_pure(&sets) => self.some(&sets),
                    Some(_) | None => Need::Nothing,
                }
            }
            // A sort key is kept only where its value is there.
            Shape::Sort(_) => {
                let value = |expr| if let Shape::Sort(value) = expr { Some(value) } else { None };
                match each(column, value) {
                    Some(values) if self.is_pure(&values) => self.need(&values),
                    Some(_) | None => Need::Nothing,
                }
            }
            Shape::Conjunction
            | Shape::Not(_)
            | Shape::Condition(_)
            | Shape::Fen(_)
            | Shape::Pairs(_)
            | Shape::Move(_)
            | Shape::Dash(_)
            | Shape::Other => Need::Nothing,
        }
    }

    /// Whether the operands of moves, which are evaluated first, have no effect.
    fn has_pure_operands(&self, column: &[&Expr]) -> bool {
        column.iter().all(|expr| {
            if let Shape::Move(found) = Shape::of(expr) {
                let sets = [&found.from, &found.to, &found.capture, &found.en_passant_square];
                sets.into_iter().flatten().all(|set| self.analysis.flags(set).is_pure())
            } else if let Shape::Dash(filter) = Shape::of(expr) {
                filter.dash.operands().all(|operand| self.analysis.flags(operand).is_pure())
            } else {
                false
            }
        })
    }

    /// What one filter needs.
    fn single(&mut self, column: &[&Expr]) -> Need {
        let Some((&first, others)) = column.split_first() else {
            return Need::Nothing;
        };
        // What is the same and about the board alone is tested once.
        let same = || others.iter().all(|other| *other == first);
        match Shape::of(first) {
            Shape::Conjunction => self.need(column),
            Shape::Or(..) => {
                let left = |expr| if let Shape::Or(a, _) = expr { Some(a) } else { None };
                let right = |expr| if let Shape::Or(_, b) = expr { Some(b) } else { None };
                let (Some(a), Some(b)) = (each(column, left), each(column, right)) else {
                    return Need::Nothing;
                };
                let list = vec![self.need(&a), self.need(&b)];
                any(list)
            }
            Shape::AnyOf(..) => self.orbit(column),
            Shape::Line(_) => self.line(column),
            Shape::Path(_) => self.path(column),
            Shape::Find(found) => self.find(column, found),
            Shape::Echo(_) => self.echo(column),
            Shape::Steps(_) => self.steps(column),
            Shape::Move(_) => self.moves(column),
            Shape::Dash(_) => self.dashes(column),
            Shape::Pairs(_) => self.pairs(column),
            Shape::Fen(_) => self.fen(column),
            Shape::Condition(_)
            | Shape::Not(_)
            | Shape::Compare(..)
            | Shape::ForEach(_)
            | Shape::Sort(_)
            | Shape::Other
                if same() =>
            {
                Prefilter::of([first], self.analysis).map_or(Need::Nothing, Need::Prefilter)
            }
            Shape::Condition(which) => {
                if let Condition::SideToMove(_) = which {
                    self.side_to_move(column)
                } else {
                    Need::Nothing
                }
            }
            Shape::Not(_) => {
                let inner =
                    each(
                        column,
                        |expr| {
                            if let Shape::Not(inner) = expr { Some(inner) } else { None }
                        },
                    );
                inner
                    .filter(|inner| inner.iter().all(|inner| inner.ty == Type::Set))
                    .map_or(Need::Nothing, |inner| self.absent(&inner))
            }
            Shape::Compare(relation, a, b) => {
                if let (ExprKind::Number(value), ExprKind::Unary(UnaryFilter::Count, _)) =
                    (&b.kind, &a.kind)
                {
                    self.counted(column, relation, *value)
                } else {
                    self.compared(column)
                }
            }
            Shape::ForEach(_) | Shape::Sort(_) | Shape::Other => {
                if first.ty == Type::Set {
                    self.some(column)
                } else {
                    Need::Nothing
                }
            }
        }
    }

    /// One of the images of an inner transform.
    fn orbit(&mut self, column: &[&Expr]) -> Need {
        if column.iter().all(|expr| expr.ty == Type::Set && is_exact(expr)) {
            return self.some(column);
        }
        let lists: Option<Vec<Column<'_>>> = each(column, |expr| {
            if let Shape::AnyOf(elements, _) = expr {
                Some(elements.iter().collect())
            } else {
                None
            }
        });
        let Some(lists) = lists else {
            return Need::Nothing;
        };
        let few = lists.iter().all(|list| list.len() <= MAX_IMAGE_ALTERNATIVES);
        let Some(columns) = columns(&lists).filter(|_| few) else {
            // Each condition for itself holds in one of them.
            let mut owners = Vec::new();
            for (list, owner) in lists.iter().zip(&self.owners) {
                owners.extend(std::iter::repeat_n(*owner, list.len()));
            }
            let outer = std::mem::replace(&mut self.owners, owners);
            let need = self.need(&lists.concat());
            self.owners = outer;
            return need;
        };
        let list = columns.iter().map(|column| self.need(column)).collect();
        any(list)
    }

    /// The set is not empty.
    pub(super) fn some(&mut self, column: &[&Expr]) -> Need {
        let mut needs = Vec::new();
        self.parts(column, &mut needs);
        let masks: Vec<_> = column.iter().map(|expr| superset(expr)).collect();
        needs.extend(self.table(&masks).map(Need::Present));
        all(needs)
    }

    /// What the operands of a set filter need, besides what its own value tells.
    fn parts(&mut self, column: &[&Expr], out: &mut Vec<Need>) {
        if column.iter().all(|expr| is_exact(expr)) {
            return;
        }
        let lists: Option<Vec<Column<'_>>> = column.iter().map(|expr| set_operands(expr)).collect();
        for column in lists.as_deref().and_then(columns).into_iter().flatten() {
            let need = self.some(&column);
            out.push(need);
        }
    }

    /// The set is empty.
    fn absent(&mut self, column: &[&Expr]) -> Need {
        if !column.iter().all(|expr| is_exact(expr)) {
            return Need::Nothing;
        }
        self.empty(column.iter().map(|expr| superset(expr)))
    }

    /// No square has what the masks say; of several masks of an image one.
    fn empty(&mut self, masks: impl Iterator<Item = [u64; CONTENTS]>) -> Need {
        let mut joined = vec![[!0; CONTENTS]; self.len];
        for (mask, &owner) in masks.zip(&self.owners) {
            for (sum, squares) in joined[owner].iter_mut().zip(mask) {
                *sum &= squares;
            }
        }
        let owners: Vec<usize> = (0..self.len).collect();
        let table = Table::of(&joined, &owners, self.len, self.budget);
        table.map_or(Need::Nothing, Need::Absent)
    }

    fn table(&mut self, masks: &[[u64; CONTENTS]]) -> Option<Table> {
        Table::of(masks, &self.owners, self.len, self.budget)
    }

    /// A condition on the number of squares of a set.
    fn counted(&mut self, column: &[&Expr], relation: ComparisonOperator, value: i32) -> Need {
        let sets = each(column, |expr| {
            if let Shape::Compare(other, a, b) = expr
                && other == relation
                && let ExprKind::Unary(UnaryFilter::Count, set) = &a.kind
                && b.kind == ExprKind::Number(value)
            {
                Some(&**set)
            } else {
                None
            }
        });
        let Some(sets) = sets else {
            return Need::Nothing;
        };
        match (relation, value) {
            (ComparisonOperator::Greater, 0..)
            | (ComparisonOperator::GreaterEqual | ComparisonOperator::Equal, 1..) => {
                self.some(&sets)
            }
            (ComparisonOperator::Equal | ComparisonOperator::LessEqual, 0)
            | (ComparisonOperator::Less, 1) => self.absent(&sets),
            _ => Need::Nothing,
        }
    }

    /// Both operands of a comparison have a value.
    fn compared(&mut self, column: &[&Expr]) -> Need {
        let lists: Option<Vec<Column<'_>>> = each(column, |expr| {
            // To `!=` no value is unequal; a set has always one.
            if let Shape::Compare(relation, a, b) = expr
                && relation != ComparisonOperator::NotEqual
                && a.ty != Type::Set
            {
                Some(vec![a, b])
            } else {
                None
            }
        });
        let mut needs = Vec::new();
        for column in lists.as_deref().and_then(columns).into_iter().flatten() {
            let asks = |expr: &&Expr| {
                matches!(
                    expr.kind,
                    ExprKind::Sequence(_)
                        | ExprKind::Find(_)
                        | ExprKind::Line(_)
                        | ExprKind::Path(_)
                        | ExprKind::Orbit { result: OrbitResult::Max, .. }
                        | ExprKind::Compare(..)
                )
            };
            if column.iter().all(asks) {
                needs.push(self.need(&column));
            }
            if !self.is_pure(&column) {
                break;
            }
        }
        all(needs)
    }

    /// `:attackcount`, `:ray`
    fn pairs(&mut self, column: &[&Expr]) -> Need {
        let lists: Option<Vec<Column<'_>>> = each(column, |expr| {
            if let Shape::Pairs(pairs) = expr
                && pairs.range.0 >= 1
            {
                Some(pairs.sets.iter().collect())
            } else {
                None
            }
        });
        let Some(columns) = lists.as_deref().and_then(columns) else {
            return Need::Nothing;
        };
        let needs: Vec<Need> = columns.iter().map(|column| self.some(column)).collect();
        all(needs)
    }

    /// Each designator holds on all its squares: nothing else stands there.
    fn fen(&mut self, column: &[&Expr]) -> Need {
        let wrong = each(column, |expr| {
            let Shape::Fen(parts) = expr else {
                return None;
            };
            Some(parts.iter().fold([0; CONTENTS], |sum, &Designator { squares, content }| {
                union(sum, of_content(Content(!content.0), squares))
            }))
        });
        wrong.map_or(Need::Nothing, |masks| self.empty(masks.into_iter()))
    }

    fn side_to_move(&self, column: &[&Expr]) -> Need {
        let mut sides = [0, 1].map(|_| vec![0; self.len.div_ceil(64)]);
        for (expr, &image) in column.iter().zip(&self.owners) {
            let needed = if let Shape::Condition(Condition::SideToMove(side)) = Shape::of(expr) {
                [side == Side::White, side == Side::Black]
            } else {
                [true, true]
            };
            for (side, needed) in sides.iter_mut().zip(needed) {
                side[image / 64] |= u64::from(needed) << (image % 64);
            }
        }
        Need::Side(sides)
    }

    fn moves(&mut self, column: &[&Expr]) -> Need {
        let moves =
            each(column, |expr| if let Shape::Move(found) = expr { Some(found) } else { None });
        let moves = moves.filter(|all| all.iter().all(|one| one.result != MoveResult::Count));
        let Some((first, moves)) = moves.as_ref().and_then(|all| Some((all.first()?, all))) else {
            return Need::Nothing;
        };
        if moves.iter().any(|found| found.source != first.source) {
            return Need::Nothing;
        }
        let (source, tied) = (first.source, self.tied);
        if source.is_reverse() {
            return Need::Nothing;
        }
        if source.is_generated() {
            let from: Option<Column<'_>> = moves.iter().map(|found| found.from.as_ref()).collect();
            let to: Option<Column<'_>> = moves.iter().map(|found| found.to.as_ref()).collect();
            let mut needs = Vec::new();
            for sets in [from, to].into_iter().flatten() {
                needs.push(self.some(&sets));
            }
            return all(needs);
        }
        let mut table = |pick: fn(&MoveFilter) -> &Option<Expr>| {
            let sets: Vec<Option<&Expr>> = moves.iter().map(|m| pick(m).as_ref()).collect();
            self.operand(&sets)
        };
        let need = MoveNeed {
            from: table(|found| &found.from),
            to: table(|found| &found.to),
            capture: table(|found| &found.capture),
            tied,
            previous: source == MoveSource::Previous,
            rook: false,
        };
        Need::Move(Box::new(need))
    }

    /// What an operand of a move admits; an operand that is left out admits all.
    fn operand(&mut self, sets: &[Option<&Expr>]) -> Option<Table> {
        let masks: Vec<_> = sets.iter().map(|set| set.map_or([!0; CONTENTS], superset)).collect();
        self.table(&masks)
    }

    fn dashes(&mut self, column: &[&Expr]) -> Need {
        let filters =
            each(column, |expr| if let Shape::Dash(filter) = expr { Some(filter) } else { None });
        let Some(filters) = filters.filter(|all| all.iter().all(|filter| !filter.count)) else {
            return Need::Nothing;
        };
        let previous = filters.iter().any(|filter| filter.previous);
        if previous && !filters.iter().all(|filter| filter.previous) {
            return Need::Nothing;
        }
        let dashes: Vec<&Dash> = filters.iter().map(|filter| &filter.dash).collect();
        let step = self.dash(&dashes, previous);
        if previous {
            return step;
        }
        let targets: Option<Column<'_>> =
            filters.iter().map(|filter| filter.target.as_ref()).collect();
        let after = match targets {
            Some(targets) => self.deeper(false, |this| this.need(&targets)),
            None => Need::Nothing,
        };
        Need::Here(Box::new(all([step, next(after)])))
    }

    /// The move of a dash, as the one that is looked at.
    pub(super) fn dash(&mut self, dashes: &[&Dash], previous: bool) -> Need {
        let left: Vec<Option<&Expr>> = dashes.iter().map(|dash| dash.left.as_ref()).collect();
        let right: Vec<Option<&Expr>> = dashes.iter().map(|dash| dash.right.as_ref()).collect();
        let (from, right) = (self.operand(&left), self.operand(&right));
        let capture = dashes.iter().all(|dash| dash.capture);
        let plain = dashes.iter().all(|dash| !dash.capture);
        let mut need =
            MoveNeed { from, to: None, capture: None, tied: true, previous, rook: plain };
        if capture {
            need.capture = right;
        } else if plain {
            need.to = right;
        }
        Need::Move(Box::new(need))
    }

    fn find(&mut self, column: &[&Expr], first: &FindFilter) -> Need {
        let bodies = each(column, |expr| {
            if let Shape::Find(find) = expr
                && find.backward == first.backward
                && needs_one(find.mode)
            {
                Some(&find.body)
            } else {
                None
            }
        });
        let Some(bodies) = bodies else {
            return Need::Nothing;
        };
        let body = self.deeper(false, |this| this.need(&bodies));
        self.elsewhere(body, if first.backward { Reach::Earlier } else { Reach::Later })
    }

    fn echo(&mut self, column: &[&Expr]) -> Need {
        let bodies =
            each(column, |expr| if let Shape::Echo(echo) = expr { Some(&echo.body) } else { None });
        let Some(bodies) = bodies else {
            return Need::Nothing;
        };
        let body = self.deeper(false, |this| this.need(&bodies));
        self.elsewhere(body, Reach::All)
    }

    /// Runs `f` for another position, unless there have been too many.
    pub(super) fn deeper(&mut self, tied: bool, f: impl FnOnce(&mut Self) -> Need) -> Need {
        if self.depth == MAX_IMAGE_DEPTH {
            return Need::Nothing;
        }
        let outer = std::mem::replace(&mut self.tied, tied);
        self.depth += 1;
        let need = f(self);
        self.depth -= 1;
        self.tied = outer;
        need
    }

    /// Here or at a position within reach.
    pub(super) fn elsewhere(&mut self, need: Need, reach: Reach) -> Need {
        if need.is_nothing() {
            return need;
        }
        let table = self.tables;
        self.tables += 1;
        Need::Elsewhere { table, reach, need: Box::new(need) }
    }
}

/// After the move that is looked at.
pub(super) fn next(need: Need) -> Need {
    if need.is_nothing() { need } else { Need::Next(Box::new(need)) }
}

/// The sets that a set filter is computed from, if it is empty where one of them is.
fn set_operands(expr: &Expr) -> Option<Column<'_>> {
    if let ExprKind::Binary(
        BinaryFilter::Attacks
        | BinaryFilter::AttackedBy
        | BinaryFilter::Between
        | BinaryFilter::Intersection,
        a,
        b,
    ) = &expr.kind
    {
        Some(vec![a, b])
    } else if let ExprKind::Ray { sets, .. } = &expr.kind {
        Some(sets.iter().collect())
    } else if let ExprKind::Pin { from, through, to, .. } = &expr.kind {
        Some(vec![from, through, to])
    } else if let ExprKind::NoTransform(set)
    | ExprKind::Direction { set, .. }
    | ExprKind::Unary(UnaryFilter::Light | UnaryFilter::Dark, set) = &expr.kind
    {
        Some(vec![set])
    } else {
        None
    }
}

/// Whether a search that finds nothing fails.
fn needs_one(mode: FindMode) -> bool {
    use babson_lang::hir::{Bound, NumberRange};
    match mode {
        FindMode::First | FindMode::All => true,
        FindMode::Range(NumberRange { min: Bound::Const(min), max: Bound::Const(_) }) => min >= 1,
        FindMode::Range(_) => false,
    }
}
