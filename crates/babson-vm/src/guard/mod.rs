//! Necessary conditions of a query, as far as they are simple tests of the board.
//!
//! Most queries hold at few positions, and what decides is mostly a count of pieces or an attack.
//! A guard tests these on the position's own bitboards, without registers or instructions; where
//! it fails the query cannot match nor do anything else, where it holds the machine decides.

mod eval;
mod squares;

use babson_chess::Color;
use babson_lang::hir::{
    Binary, Directions, Expr, ExprKind, Join, Nullary, Relation, Side, Type, Unary,
};

use crate::compile::flags::Analysis;
use crate::optimize::{self, Pattern};
use squares::{Squares, squares};

/// More elements than this are left to the machine.
const MOST_ELEMENTS: usize = 8;

/// Conditions that must all hold, the cheapest first.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    atoms: Vec<Atom>,
}

/// One condition.
#[derive(Debug)]
enum Atom {
    /// Whether the side to move is in check.
    Check(bool),
    SideToMove(Color),
    /// The number of the squares.
    Count {
        set: Squares,
        relation: Relation,
        value: i32,
    },
    /// Two numbers of squares.
    Compare {
        a: Squares,
        b: Squares,
        relation: Relation,
    },
    /// At least so many squares of `from` have a piece that attacks a square of `to`.
    Attacks {
        from: Squares,
        to: Squares,
        least: u32,
    },
    /// At least so many squares of `targets` are attacked by a piece of `by`.
    Attacked {
        targets: Squares,
        by: Squares,
        least: u32,
    },
    /// The squares are on one line, as far as this is cheap to know.
    Ray {
        sets: Vec<Squares>,
        directions: Directions,
    },
    /// One of the conjunctions holds.
    Any(Vec<Guard>),
}

impl Guard {
    /// The conditions of a query, if there are any.
    pub(crate) fn of(body: &[Expr], analysis: &mut Analysis) -> Option<Guard> {
        let guard = conjunction(body, analysis);
        (!guard.atoms.is_empty()).then_some(guard)
    }
}

/// The conditions of the filters before the first with an effect.
fn conjunction<'e>(list: impl IntoIterator<Item = &'e Expr>, analysis: &mut Analysis) -> Guard {
    let mut flat = Vec::new();
    optimize::conjuncts(list, &mut flat);
    let mut atoms = Vec::new();
    for expr in flat {
        if let ExprKind::Sort { value, .. } = &expr.kind {
            // A sort key is kept only where its value is there.
            if analysis.flags(value).is_pure() {
                atoms.extend(atom(value, analysis));
            }
            break;
        }
        if !analysis.flags(expr).is_pure() {
            break;
        }
        atoms.extend(atom(expr, analysis));
    }
    atoms.sort_by_key(Atom::cost);
    Guard { atoms }
}

/// A condition without which the filter fails.
fn atom(expr: &Expr, analysis: &mut Analysis) -> Option<Atom> {
    match &expr.kind {
        ExprKind::Nullary(Nullary::Check) => Some(Atom::Check(true)),
        ExprKind::Nullary(Nullary::SideToMove(side)) => {
            Some(Atom::SideToMove(if *side == Side::White {
                Color::White
            } else {
                Color::Black
            }))
        }
        ExprKind::Not(inner) => match &inner.kind {
            ExprKind::Nullary(Nullary::Check) => Some(Atom::Check(false)),
            ExprKind::Designator(_) => counted(inner, Relation::Equal, 0),
            _ => None,
        },
        ExprKind::Compare(relation, a, b) => comparison(*relation, a, b),
        ExprKind::Or(a, b) => any([&**a, &**b], analysis),
        ExprKind::Orbit {
            elements,
            join: Join::Any | Join::Union | Join::Max,
            ..
        } if elements.len() <= MOST_ELEMENTS && Pattern::of(elements).is_none() => {
            any(elements, analysis)
        }
        ExprKind::Designator(_) | ExprKind::Binary(..) | ExprKind::Ray { .. }
            if expr.ty == Type::Set =>
        {
            counted(expr, Relation::Greater, 0)
        }
        _ => None,
    }
}

fn any<'e>(elements: impl IntoIterator<Item = &'e Expr>, analysis: &mut Analysis) -> Option<Atom> {
    let guards: Vec<Guard> = elements
        .into_iter()
        .map(|element| conjunction([element], analysis))
        .collect();
    let useful = guards.iter().all(|guard| !guard.atoms.is_empty());
    useful.then_some(Atom::Any(guards))
}

fn comparison(relation: Relation, a: &Expr, b: &Expr) -> Option<Atom> {
    use Relation::*;
    if !matches!(
        relation,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
    ) {
        return None;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Unary(Unary::Count, set), ExprKind::Number(value)) => {
            counted(set, relation, *value)
        }
        (ExprKind::Unary(Unary::Count, a), ExprKind::Unary(Unary::Count, b)) => {
            Some(Atom::Compare {
                a: squares(a)?,
                b: squares(b)?,
                relation,
            })
        }
        _ => None,
    }
}

/// A condition on the number of squares of a set.
fn counted(set: &Expr, relation: Relation, value: i32) -> Option<Atom> {
    let least = match relation {
        Relation::Greater => value.checked_add(1),
        Relation::GreaterEqual | Relation::Equal => Some(value),
        _ => None,
    };
    let least = least.and_then(|least| u32::try_from(least).ok());
    match &set.kind {
        ExprKind::NoTransform(inner) => counted(inner, relation, value),
        ExprKind::Binary(Binary::Attacks, from, to) => Some(Atom::Attacks {
            from: squares(from)?,
            to: squares(to)?,
            least: least.filter(|&least| least > 0)?,
        }),
        ExprKind::Binary(Binary::AttackedBy, targets, by) => Some(Atom::Attacked {
            targets: squares(targets)?,
            by: squares(by)?,
            least: least.filter(|&least| least > 0)?,
        }),
        ExprKind::Ray {
            directions, sets, ..
        } if least.is_some_and(|least| least > 0) => Some(Atom::Ray {
            sets: sets.iter().map(squares).collect::<Option<_>>()?,
            directions: *directions,
        }),
        _ => Some(Atom::Count {
            set: squares(set)?,
            relation,
            value,
        }),
    }
}

impl Atom {
    /// Orders the conditions of a conjunction.
    fn cost(&self) -> u32 {
        match self {
            Atom::Check(_) | Atom::SideToMove(_) => 0,
            Atom::Count { set, .. } => set.cost(),
            Atom::Compare { a, b, .. } => a.cost() + b.cost(),
            Atom::Ray { sets, .. } => 4 + sets.iter().map(Squares::cost).sum::<u32>(),
            Atom::Attacks { .. } => 12,
            Atom::Any(guards) => {
                let first = |guard: &Guard| guard.atoms.first().map_or(0, Atom::cost);
                2 + guards.iter().map(first).sum::<u32>()
            }
            Atom::Attacked { .. } => 30,
        }
    }
}
