//! The type of each kind of node and what it does by itself, one row for each kind.

use super::Type::{Bool, Number, Position, Set, String};
use super::{
    ComparisonOperator, Constancy, Content, Expr, ExprKind, FindMode, MoveSource, NumberRange,
    OrbitResult, Signature, Traits, Type,
};
use crate::dialect::DialectSwitch;
use crate::filters::filter;

/// A filter whose outcome may change with each evaluation.
const PLAIN: Signature = filter(Bool, 2);

/// A function of its operands.
const DERIVED: Signature = PLAIN.lasts(Constancy::Query).anywhere();

/// A loop that may never end.
const LOOP: Signature = PLAIN.may_fail().repeats(16).anywhere();

/// A loop over the elements of a set.
const FOR_EACH: Signature = PLAIN.searches().repeats(16);

/// A filter that looks at other nodes, in steps that are limited.
const SEARCH: Signature = PLAIN.searches().in_tree();

/// A filter that changes something that outlives it.
const CHANGE: Signature = PLAIN.changes_state().may_fail();

/// Whether a position is among the values that a list prints.
fn prints_position(parts: &[Expr]) -> bool {
    parts.iter().any(|part| part.ty == Position)
}

/// What a search for moves costs.
fn cost_of_moves(source: MoveSource) -> u32 {
    match source {
        MoveSource::Played | MoveSource::Previous => 8,
        MoveSource::Legal | MoveSource::Pseudolegal => 60,
        MoveSource::LegalReverse | MoveSource::PseudolegalReverse => 4000,
    }
}

/// The type of the last of some nodes.
fn last_type(list: &[Expr]) -> Type {
    list.last().map_or(Bool, |last| last.ty)
}

/// The type of `line` and `path`.
pub(crate) fn type_of_sequence(last_position: bool) -> Type {
    if last_position { Position } else { Number }
}

impl ExprKind {
    /// What it does by itself.
    pub fn traits(&self) -> Traits {
        self.signature(Bool).traits
    }

    /// The row of its kind. What depends on the whole query is not in it: whether a variable may be
    /// unbound or hold text, whether that of a loop may be bound, and whether a group of a regular
    /// expression is asked for.
    ///
    /// `declared` is the type of a variable, or of the values of a dictionary, which their
    /// declaration decides. The type of any other node follows from its operands and parameters.
    pub(super) fn signature(&self, declared: Type) -> Signature {
        match self {
            ExprKind::Condition(which) => which.signature(),
            ExprKind::Property(which) => which.signature(),
            ExprKind::Unary(which, _) => which.signature(),
            ExprKind::Binary(which, ..) => which.signature(),
            ExprKind::Number(_) => DERIVED.always().gives(Number),
            ExprKind::Text(_) | ExprKind::CurrentTransform(_) => DERIVED.always().gives(String),
            ExprKind::Extreme { operands, .. } => DERIVED.always().gives(last_type(operands)),
            ExprKind::Bool(_)
            | ExprKind::Equal(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_) => DERIVED.gives(Bool),
            ExprKind::Squares(_) => DERIVED.gives(Set),
            ExprKind::Arithmetic(..) => DERIVED.gives(Number),
            ExprKind::Sequence(list) => DERIVED.gives(last_type(list)),
            ExprKind::If { then, otherwise, .. } => DERIVED.gives(match otherwise {
                Some(otherwise) if otherwise.ty == then.ty => then.ty,
                Some(_) | None => Bool,
            }),
            ExprKind::NoTransform(operand) => DERIVED.gives(operand.ty),
            ExprKind::Compare(relation, left, _) => {
                let is_condition = *relation == ComparisonOperator::NotEqual || left.ty == Set;
                DERIVED.needs_game_if(left.ty == Position).gives(if is_condition {
                    Bool
                } else {
                    left.ty
                })
            }
            // A designator of any content is a constant set.
            ExprKind::Designator(designator) => {
                PLAIN.needs_game_if(designator.content != Content::ANY).gives(Set)
            }
            ExprKind::FenPattern(_) => PLAIN.gives(Bool),
            ExprKind::With { body, .. } => PLAIN.in_tree().gives(body.ty),
            ExprKind::Direction { range, .. } => {
                PLAIN.costs(10).may_fail_if(!range.is_distance()).anywhere().gives(Set)
            }
            ExprKind::Aligned(..) => PLAIN.costs(40).gives(Set),
            ExprKind::Pairs(_) => PLAIN.costs(60).gives(Bool),
            ExprKind::Orbit { elements, result, .. } => match result {
                OrbitResult::Count(range) if !range.is_constant() => {
                    PLAIN.may_fail().anywhere().gives(Number)
                }
                OrbitResult::Count(_) | OrbitResult::Max => DERIVED.gives(Number),
                OrbitResult::Union => {
                    DERIVED.gives(elements.first().map_or(Set, |element| element.ty))
                }
                OrbitResult::Any => DERIVED.gives(Bool),
            },
            ExprKind::While { .. } | ExprKind::Loop(_) => LOOP.gives(Bool),
            ExprKind::ForSquares { all, .. } => {
                FOR_EACH.anywhere().gives(if *all { Bool } else { Set })
            }
            ExprKind::ForPieces { all, .. } => FOR_EACH.in_tree().gives(if *all { Bool } else { Set }),
            ExprKind::ForKeys { .. } => {
                CHANGE.keeps_text_if(true).repeats(16).anywhere().gives(Bool)
            }
            ExprKind::Var(_) => PLAIN.anywhere().gives(declared),
            ExprKind::Assign { value, .. } | ExprKind::Update { value, .. } => {
                CHANGE.keeps_text_if(value.ty == String).anywhere().gives(Bool)
            }
            ExprKind::AssignSlice { .. } => CHANGE
                .keeps_text_if(true)
                .anywhere()
                .differs(DialectSwitch::UnicodeStrings)
                .gives(Bool),
            ExprKind::BindPiece { .. } => CHANGE.in_tree().gives(Bool),
            // A dictionary has a copy of its own.
            ExprKind::Lookup { .. } => CHANGE.anywhere().gives(declared),
            ExprKind::Unbind(_) | ExprKind::Erase { .. } => CHANGE.anywhere().gives(Bool),
            ExprKind::Store { op, .. } => match op.is_some() {
                true => CHANGE.anywhere().differs(DialectSwitch::MissingKeys).gives(Bool),
                false => CHANGE.anywhere().gives(Bool),
            },
            ExprKind::IsBound(_) => PLAIN.may_fail().anywhere().gives(Bool),
            ExprKind::DictionaryLen(_) => PLAIN.may_fail().anywhere().always().gives(Number),
            ExprKind::CharAt { .. } | ExprKind::Slice { .. } => {
                DERIVED.differs(DialectSwitch::UnicodeStrings).gives(String)
            }
            ExprKind::Match { pattern, .. } => DERIVED
                .costs(200)
                .may_fail_if(!matches!(pattern.kind, ExprKind::Text(_)))
                .gives(String),
            ExprKind::ForMatches { .. } => LOOP.costs(200).gives(Bool),
            ExprKind::Group(_) => PLAIN.may_fail().anywhere().gives(String),
            ExprKind::GroupIndex(_) => PLAIN.may_fail().anywhere().gives(Number),
            ExprKind::SimilarPosition => PLAIN
                .costs(60)
                .adds_comments_if(true)
                .changes_state()
                .opens("similarposition")
                .gives(Bool),
            ExprKind::Likeness => PLAIN.costs(60).always().gives(Number),
            ExprKind::Move(filter) => PLAIN
                .costs(cost_of_moves(filter.source))
                .adds_comments_if(filter.comment.is_some())
                .in_tree()
                .gives(filter.result.ty()),
            ExprKind::SpeculativeMove(filter) => PLAIN
                .costs(100)
                .searches()
                .in_tree_if(!filter.moves.source.is_generated())
                .repeats(32)
                .gives(filter.moves.result.ty()),
            ExprKind::Imagine { body, .. } => PLAIN.costs(40).gives(body.ty),
            ExprKind::Dash(filter) => PLAIN.costs(4).in_tree().gives(match &filter.target {
                _ if filter.count => Number,
                Some(target) => target.ty,
                None => Bool,
            }),
            ExprKind::Find(find) => {
                let search = SEARCH.adds_comments_if(!find.quiet).repeats(64);
                match find.mode {
                    FindMode::First => search.gives(Position),
                    FindMode::All => search.gives(Number),
                    FindMode::Range(range) => {
                        search.may_fail_if(!range.is_constant()).gives(Number)
                    }
                }
            }
            ExprKind::Echo(echo) => SEARCH
                .may_fail()
                .adds_comments_if(!echo.quiet)
                .repeats(64)
                .gives(if echo.body.ty == Number { Number } else { Bool }),
            ExprKind::Line(line) => SEARCH
                .may_fail_if(!line.range.is_none_or(NumberRange::is_constant))
                .adds_comments_if(!line.quiet)
                .changes_state_if(line.nest_ban.is_some())
                .repeats(64)
                .gives(type_of_sequence(line.last_position)),
            ExprKind::Path(path) => SEARCH
                .may_fail_if(!path.range.is_none_or(NumberRange::is_constant))
                .adds_comments_if(path.writes())
                .changes_state_if(path.nest_ban.is_some())
                .repeats(64)
                .gives(type_of_sequence(path.last_position)),
            ExprKind::ConsecutiveMoves(moves) => {
                SEARCH.may_fail().costs(400).changes_state_if(!moves.quiet).gives(Number)
            }
            ExprKind::PositionSequence(_) | ExprKind::Recurrence(_) => {
                SEARCH.costs(400).gives(Bool)
            }
            ExprKind::GameLists(_) => CHANGE.in_tree().gives(Bool),
            ExprKind::Assert(_) => PLAIN.may_fail().anywhere().gives(Bool),
            ExprKind::Sort { value, .. } => CHANGE.keeps_text_if(true).gives(value.ty),
            ExprKind::Comment(_) | ExprKind::Field { .. } => {
                PLAIN.adds_comments_if(true).gives(Bool)
            }
            // Printing a position of a variation leaves a comment with its id there.
            ExprKind::Message { quiet, parts } => PLAIN
                .changes_state()
                .in_tree()
                .adds_comments_if(!quiet || prints_position(parts))
                .anywhere()
                .gives(Bool),
            ExprKind::Str(parts) => DERIVED
                .costs(60)
                .may_fail()
                .adds_comments_if(prints_position(parts))
                .in_tree_if(prints_position(parts))
                .always()
                .gives(String),
            ExprKind::SetTag { .. } | ExprKind::RemoveTag(_) => CHANGE.gives(Bool),
            ExprKind::HasNag(_) => {
                PLAIN.lasts(Constancy::Position).in_tree().with_comments().gives(Bool)
            }
            ExprKind::WriteFile { .. } => {
                CHANGE.in_tree().anywhere().opens("writefile").gives(Bool)
            }
            // A conversation: each request is sent, once, in its place.
            ExprKind::CommandPipe { .. } => {
                CHANGE.costs(1_000_000).anywhere().opens("commandpipe").gives(String)
            }
        }
    }
}
