//! What each kind of node does by itself, one row for each kind.

use super::{Constancy, Content, Effects, Expr, ExprKind, MoveSource, OrbitResult, Type};
use crate::dialect::DialectSwitch;

/// What a node does by itself, whatever its operands do.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// Its own effects and cost; the constancy of the whole if no operand has less.
    pub effects: Effects,
    /// How often, roughly, it evaluates its operands.
    pub repeats: u32,
    /// Looks at the comments of the game.
    pub reads_comments: bool,
    /// The name of the filter if it opens a file or starts a program.
    pub(crate) outside: Option<&'static str>,
    /// Needs a game or a position, so it cannot stand in `cqlbegin` and `cqlend`.
    pub(crate) needs_game: bool,
    /// Always matches. As a condition, CQL 6.2 takes it for a mistake.
    pub(crate) always_matches: bool,
    /// The field of the dialect that can change its meaning. Of some, the operands or the
    /// parameters decide whether it does.
    pub(crate) switch: Option<DialectSwitch>,
}

/// A filter whose outcome may change with each evaluation.
const PLAIN: Traits = Traits::of_filter(2);

/// A function of its operands.
const DERIVED: Traits = PLAIN.lasts(Constancy::Query).anywhere();

/// A loop, which takes steps that are limited.
const LOOP: Traits = PLAIN.may_fail().repeats(16);

/// A filter that looks at other nodes, or takes steps that are limited.
const SEARCH: Traits = PLAIN.may_fail().in_tree();

/// A filter that changes something that outlives it.
const CHANGE: Traits = PLAIN.changes_state().may_fail();

impl Traits {
    /// A filter of the board or the context.
    pub(crate) const fn of_filter(cost: u32) -> Traits {
        let effects = Effects {
            comments: false,
            keeps_text: false,
            state: false,
            errors: false,
            tree: false,
            constancy: Constancy::None,
            cost,
        };
        Traits {
            effects,
            repeats: 1,
            reads_comments: false,
            outside: None,
            needs_game: true,
            always_matches: false,
            switch: None,
        }
    }

    pub(crate) const fn lasts(mut self, constancy: Constancy) -> Traits {
        self.effects.constancy = constancy;
        self
    }

    /// Needs the tree of the game.
    pub(crate) const fn in_tree(mut self) -> Traits {
        self.effects.tree = true;
        self
    }

    pub(crate) const fn may_fail(mut self) -> Traits {
        self.effects.errors = true;
        self
    }

    pub(crate) const fn changes_state(mut self) -> Traits {
        self.effects.state = true;
        self
    }

    pub(crate) const fn with_comments(mut self) -> Traits {
        self.reads_comments = true;
        self
    }

    pub(crate) const fn anywhere(mut self) -> Traits {
        self.needs_game = false;
        self
    }

    pub(crate) const fn always(mut self) -> Traits {
        self.always_matches = true;
        self
    }

    pub(crate) const fn differs(mut self, switch: DialectSwitch) -> Traits {
        self.switch = Some(switch);
        self
    }

    pub(crate) const fn opens(mut self, filter: &'static str) -> Traits {
        self.outside = Some(filter);
        self
    }

    const fn costs(mut self, cost: u32) -> Traits {
        self.effects.cost = cost;
        self
    }

    const fn repeats(mut self, repeats: u32) -> Traits {
        self.repeats = repeats;
        self
    }

    const fn keeps_text_if(mut self, keeps: bool) -> Traits {
        self.effects.keeps_text = keeps;
        self
    }

    const fn changes_state_if(mut self, state: bool) -> Traits {
        self.effects.state |= state;
        self
    }

    const fn adds_comments_if(mut self, comments: bool) -> Traits {
        self.effects.comments |= comments;
        self
    }

    const fn in_tree_if(mut self, tree: bool) -> Traits {
        self.effects.tree |= tree;
        self
    }

    const fn may_fail_if(mut self, errors: bool) -> Traits {
        self.effects.errors |= errors;
        self
    }

    const fn needs_game_if(mut self, needs_game: bool) -> Traits {
        self.needs_game = needs_game;
        self
    }
}

/// Whether a position is among the values that a list prints.
fn prints_position(parts: &[Expr]) -> bool {
    parts.iter().any(|part| part.ty == Type::Position)
}

/// What a search for moves costs.
fn cost_of_moves(source: MoveSource) -> u32 {
    match source {
        MoveSource::Played | MoveSource::Previous => 8,
        MoveSource::Legal | MoveSource::Pseudolegal => 60,
        MoveSource::LegalReverse | MoveSource::PseudolegalReverse => 4000,
    }
}

impl ExprKind {
    /// The row of its kind. What depends on the whole query is not in it: whether a variable may be
    /// unbound or hold text, and whether a group of a regular expression is asked for.
    pub fn traits(&self) -> Traits {
        match self {
            ExprKind::Condition(which) => which.signature().traits,
            ExprKind::Quantity(which) => which.signature().traits,
            ExprKind::Unary(which, _) => which.signature().traits,
            ExprKind::Binary(which, ..) => which.signature().traits,
            ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::CurrentTransform(_)
            | ExprKind::Extreme { .. } => DERIVED.always(),
            ExprKind::Bool(_)
            | ExprKind::Squares(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::Equal(..)
            | ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::NoTransform(_) => DERIVED,
            ExprKind::Compare(_, a, _) => DERIVED.needs_game_if(a.ty == Type::Position),
            // A designator of any content is a constant set.
            ExprKind::Designator(designator) => {
                PLAIN.needs_game_if(designator.content != Content::ANY)
            }
            ExprKind::FenPattern(_) => PLAIN,
            ExprKind::With { .. } => PLAIN.in_tree(),
            ExprKind::Direction { range, .. } => {
                PLAIN.costs(10).may_fail_if(!range.is_distance()).anywhere()
            }
            ExprKind::Ray { .. } | ExprKind::Pin { .. } => PLAIN.costs(40),
            ExprKind::Pairs(_) => PLAIN.costs(60),
            ExprKind::Orbit { result, .. } => match result {
                OrbitResult::Count(range) if !range.is_constant() => PLAIN.may_fail().anywhere(),
                OrbitResult::Count(_)
                | OrbitResult::Union
                | OrbitResult::Max
                | OrbitResult::Any => DERIVED,
            },
            ExprKind::While { .. } | ExprKind::Loop(_) | ExprKind::ForSquares { .. } => {
                LOOP.anywhere()
            }
            ExprKind::ForPieces { .. } => LOOP.in_tree(),
            ExprKind::ForKeys { .. } => CHANGE.keeps_text_if(true).repeats(16).anywhere(),
            ExprKind::Var(_) => PLAIN.anywhere(),
            ExprKind::Assign { value, .. } | ExprKind::Update { value, .. } => {
                CHANGE.keeps_text_if(value.ty == Type::String).anywhere()
            }
            ExprKind::AssignSlice { .. } => {
                CHANGE.keeps_text_if(true).anywhere().differs(DialectSwitch::UnicodeStrings)
            }
            ExprKind::BindPiece { .. } => CHANGE.in_tree(),
            // A dictionary has a copy of its own.
            ExprKind::Unbind(_) | ExprKind::Lookup { .. } | ExprKind::Erase { .. } => {
                CHANGE.anywhere()
            }
            ExprKind::Store { op, from_zero, .. } => match op.is_some() && *from_zero {
                true => CHANGE.anywhere().differs(DialectSwitch::MissingKeys),
                false => CHANGE.anywhere(),
            },
            ExprKind::IsBound(_) => PLAIN.may_fail().anywhere(),
            ExprKind::DictionaryLen(_) => PLAIN.may_fail().anywhere().always(),
            ExprKind::CharAt { .. } | ExprKind::Slice { .. } => {
                DERIVED.differs(DialectSwitch::UnicodeStrings)
            }
            ExprKind::Match { pattern, .. } => {
                DERIVED.costs(200).may_fail_if(!matches!(pattern.kind, ExprKind::Text(_)))
            }
            ExprKind::ForMatches { .. } => LOOP.costs(200).anywhere(),
            ExprKind::Group(_) | ExprKind::GroupIndex(_) => PLAIN.may_fail().anywhere(),
            ExprKind::SimilarPosition => {
                PLAIN.costs(60).adds_comments_if(true).changes_state().opens("similarposition")
            }
            ExprKind::Move(filter) => PLAIN
                .costs(cost_of_moves(filter.source))
                .adds_comments_if(filter.comment.is_some())
                .in_tree(),
            // It may take too many steps.
            ExprKind::SpeculativeMove(filter) => PLAIN
                .costs(100)
                .may_fail()
                .in_tree_if(!filter.moves.source.is_generated())
                .repeats(32),
            ExprKind::Imagine { .. } => PLAIN.costs(40),
            ExprKind::Dash(_) => PLAIN.costs(4).in_tree(),
            ExprKind::Find(find) => SEARCH.adds_comments_if(!find.quiet).repeats(64),
            ExprKind::Echo(echo) => SEARCH.adds_comments_if(!echo.quiet).repeats(64),
            ExprKind::Line(line) => SEARCH
                .adds_comments_if(!line.quiet)
                .changes_state_if(line.nest_ban.is_some())
                .repeats(64),
            ExprKind::Path(path) => SEARCH
                .adds_comments_if(path.writes())
                .changes_state_if(path.nest_ban.is_some())
                .repeats(64),
            ExprKind::ConsecutiveMoves(moves) => SEARCH.costs(400).changes_state_if(!moves.quiet),
            ExprKind::PositionSequence(_) | ExprKind::Recurrence(_) => SEARCH.costs(400),
            ExprKind::GameLists(_) => CHANGE.in_tree(),
            ExprKind::Assert(_) => PLAIN.may_fail().anywhere(),
            ExprKind::Sort { .. } => CHANGE.keeps_text_if(true),
            ExprKind::Comment(_) | ExprKind::Field { .. } => PLAIN.adds_comments_if(true),
            // Printing a position of a variation leaves a comment with its id there.
            ExprKind::Message { quiet, parts } => PLAIN
                .changes_state()
                .in_tree()
                .adds_comments_if(!quiet || prints_position(parts))
                .anywhere(),
            ExprKind::Str(parts) => DERIVED
                .costs(60)
                .may_fail()
                .adds_comments_if(prints_position(parts))
                .in_tree_if(prints_position(parts))
                .always(),
            ExprKind::SetTag { .. } | ExprKind::RemoveTag(_) => CHANGE,
            ExprKind::HasNag(_) => PLAIN.lasts(Constancy::Position).in_tree().with_comments(),
            ExprKind::WriteFile { .. } => CHANGE.in_tree().anywhere().opens("writefile"),
            // A conversation: each request is sent, once, in its place.
            ExprKind::CommandPipe { .. } => CHANGE.costs(1_000_000).anywhere().opens("commandpipe"),
        }
    }
}
