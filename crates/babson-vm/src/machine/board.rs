//! Filters without loops: tests and values of the board, the node and the tags.

use babson_chess::{Color, Kind, Position, Rules, Square, SquareSet, VariantEnd};
use babson_chess::{retro, san};
use babson_lang::hir::{
    BinaryFilter, ComparisonOperator, Condition, Directions, Participants, Property, Type,
    UnaryFilter, VariantEnding,
};
use babson_pgn::{clock, evaluation};

use super::dispatch::SLOW_OP_STEPS;
use super::{Run, Stop, push};
use crate::filters::{
    self, attacks, between, dark, fen, light, numbers, participants, pawns, pieces, strings,
};
use crate::op::{Pc, Register};

/// Steps that reading a tag takes.
pub(super) const TAG_STEPS: u64 = 8;
/// Steps that retrograde analysis of a position takes.
const RETRO_STEPS: u64 = 20;

/// The squares with the same content on both boards.
#[inline]
fn same_content(one: &Position, other: &Position) -> SquareSet {
    let mut differ = one.color(Color::White).0 ^ other.color(Color::White).0;
    differ |= one.color(Color::Black).0 ^ other.color(Color::Black).0;
    for kind in Kind::ALL {
        differ |= one.kind(kind).0 ^ other.kind(kind).0;
    }
    SquareSet(!differ)
}

fn set(squares: SquareSet) -> Option<u64> {
    Some(squares.0)
}

fn number(value: i32) -> u64 {
    u64::from(value as u32)
}

impl Run<'_, '_> {
    /// `variantwin` and similar filters.
    pub(super) fn ends_by_variant(&self, wanted: VariantEnding) -> bool {
        let board = &*self.here.board;
        let Some(end) = board.variant_end(self.game.rules()) else {
            return false;
        };
        match (wanted, end) {
            (VariantEnding::Any, _) => true,
            (VariantEnding::Win, VariantEnd::Win(color)) => color == board.side(),
            (VariantEnding::Loss, VariantEnd::Win(color)) => color != board.side(),
            (VariantEnding::Draw, end) => !matches!(end, VariantEnd::Win(_)),
            (VariantEnding::Win | VariantEnding::Loss, VariantEnd::Draw) => false,
        }
    }

    /// Filters without a value: each matches or does not match.
    pub(super) fn condition(&mut self, pc: Pc, which: Condition) -> Result<bool, Stop> {
        let node = self.here.node;
        let board = &*self.here.board;
        Ok(match which {
            Condition::Check => board.in_check(),
            Condition::Mate => board.is_mate(self.game.rules()),
            Condition::Stalemate => {
                !(board.in_check() || self.is_own() && self.has_children(node))
                    && board.is_stalemate(self.game.rules())
            }
            Condition::SideToMove(side) => side == board.side(),
            Condition::Initial => node == 0,
            Condition::Terminal => !self.has_children(node),
            Condition::Mainline => self.nodes[node as usize].depth == 0,
            Condition::Variation => self.nodes[node as usize].depth > 0,
            Condition::VirtualMainline => self.is_virtual_main_line(node),
            Condition::Try => self.is_try(node),
            Condition::Primary => node != 0 && !self.is_secondary(node),
            Condition::Secondary => node != 0 && self.is_secondary(node),
            Condition::NullMove => node != 0 && self.nodes[node as usize].mv.is_null(),
            Condition::Castling(castle) => self.is_castling(node, castle),
            Condition::EnPassant => node != 0 && self.nodes[node as usize].mv.is_en_passant(),
            Condition::LegalPosition => {
                self.state.pay_steps(RETRO_STEPS);
                retro::is_legal(board)
            }
            Condition::ReachablePosition => {
                self.state.pay_steps(RETRO_STEPS);
                self.state.carryover.analyzer.is_reachable(board)
            }
            Condition::IsVariant(variant) => self.game.rules().variant == variant,
            Condition::VariantEnd(wanted) => self.ends_by_variant(wanted),
            Condition::Result(result) => self.has_result(result),
            Condition::RemoveComment => {
                self.remove_comment(node);
                true
            }
            Condition::Abort => {
                return self.stop(pc, "cql_abort", "the query ended the run".to_owned(), true);
            }
            Condition::BareValue => {
                let message = "a value alone always matches, and CQL 6.2 takes it for a mistake";
                return self.stop(pc, "filter", message.to_owned(), true);
            }
            Condition::Hhdb(key) => self.hhdb_condition(key),
            Condition::HasAward(wanted) => {
                self.state.pay_steps(TAG_STEPS);
                self.award(&wanted).is_some()
            }
        })
    }

    /// Removes the comment of the position in the output.
    fn remove_comment(&mut self, node: u32) {
        if self.context.options.no_remove_comment {
            return;
        }
        if !push(&mut self.state.removed_comments, node) {
            self.state.overflow();
        }
        if node == 0 && !self.program.dialect.removals_end_with_the_game {
            self.state.carryover.removes_first_comments = true;
        }
    }

    /// Filters with a value.
    pub(super) fn property(&mut self, pc: Pc, which: Property) -> Result<Option<u64>, Stop> {
        let node = self.here.node;
        let board = &*self.here.board;
        Ok(match which {
            Property::SideSign => Some(number(if board.side() == Color::White { 1 } else { -1 })),
            Property::SideValue(side) => Some(number(if side == Color::White { 1 } else { -1 })),
            Property::Ply => Some(number(self.ply())),
            Property::MoveNumber => Some(number(self.number())),
            Property::Depth => Some(u64::from(self.nodes[node as usize].depth)),
            Property::PositionId => Some(u64::from(self.here.id)),
            Property::GameNumber => Some(number(self.context.number as i32)),
            Property::LastGameNumber => match self.context.last_number {
                Some(last) => Some(number(last as i32)),
                None => {
                    let message = "the number of games is not known".to_owned();
                    return self.stop(pc, "lastgamenumber", message, true);
                }
            },
            Property::Elo(side) => self.elo(side).map(number),
            Property::Year => self.year().map(number),
            Property::HalfMoveClock => Some(u64::from(board.half_moves())),
            Property::LastFrom => set(self.origins(node)),
            Property::LastTo => set(self.destinations(node)),
            Property::EnPassantSquare => set(self.en_passant_victim(node)),
            Property::PassedPawns => set(pawns::passed(board)),
            Property::ConnectedPawns => set(pawns::connected(board)),
            Property::IsolatedPawns => set(pawns::isolated(board)),
            Property::DoubledPawns => set(pawns::doubled(board)),
            Property::Participants(which) => set(self.participants(which)),
            Property::Tag(tag) => {
                self.state.pay_steps(TAG_STEPS);
                let text = self.built_in_tag(tag);
                text.map(|text| self.state.intern(&text))
            }
            Property::Fen if !self.program.dialect.fen_is_standard && self.is_own() => {
                let touched = self.touched(node);
                let passed = self.passed_over(node);
                let mut out = Vec::with_capacity(fen::TYPICAL_LEN);
                let rights = fen::home_rights(board, touched);
                fen::write6(&mut out, board, board.side(), rights, passed);
                Some(self.state.intern(&out))
            }
            Property::MaterialKey => {
                let text = pieces::material_key(self.contents());
                Some(self.state.intern(text.as_bytes()))
            }
            Property::CurrentMutation => {
                let text = self.current_mutation();
                Some(self.state.intern(text.as_bytes()))
            }
            Property::LegalText => {
                self.state.pay_steps(RETRO_STEPS);
                let text = retro::legality(board).to_string();
                Some(self.state.intern(text.as_bytes()))
            }
            Property::ReachableText => {
                self.state.pay_steps(RETRO_STEPS);
                let text = self.state.carryover.analyzer.analyze(board).to_string();
                Some(self.state.intern(text.as_bytes()))
            }
            Property::Variant => {
                let name = self.game.rules().variant.name();
                Some(self.state.intern(name.as_bytes()))
            }
            Property::PromotedPieces => set(self.promoted_pieces()),
            Property::Fen | Property::StandardFen => {
                let text = babson_chess::fen::write(board, &Rules::STANDARD);
                Some(self.state.intern(text.as_bytes()))
            }
            Property::CurrentFen => {
                let text = babson_chess::fen::write(board, self.game.rules());
                Some(self.state.intern(text.as_bytes()))
            }
            Property::ZobristKey => Some(self.zobrist_text()),
            Property::OriginalComment => {
                let comment = self.game.comment(node);
                comment.map(|text| self.state.intern(&text))
            }
            Property::San => self.last_move_text(node),
            Property::Clock => {
                // Before the first move nobody has moved.
                let comment = self.game.comment(node).filter(|_| node != 0);
                let seconds = comment.and_then(|comment| {
                    self.state.pay(comment.len());
                    clock(&comment)
                });
                seconds.map(u64::from)
            }
            Property::Evaluation => {
                let value = self.game.comment(node).and_then(|comment| {
                    self.state.pay(comment.len());
                    evaluation(&comment)
                });
                value.map(number)
            }
            Property::SubmissionGame => self.state.submission.map(u64::from),
            Property::Hhdb(key) => {
                self.charge(pc, SLOW_OP_STEPS)?;
                self.hhdb_value(key)
            }
            Property::Award(wanted) => {
                self.state.pay_steps(TAG_STEPS);
                let found = self.award(&wanted).and_then(|found| found.value(&wanted));
                found.map(number)
            }
            Property::CurrentPosition => Some(u64::from(self.here.id)),
            Property::SavePosition => Some(u64::from(self.save_position(pc)?)),
            Property::Parent => self.parent(node).map(u64::from),
            Property::InitialPosition => Some(0),
            Property::Path(status) => self.path_status(status),
        })
    }

    /// The SAN of the move that led to a node of the game.
    fn last_move_text(&mut self, node: u32) -> Option<u64> {
        let parent = self.parent(node)?;
        let (before, after) = (self.board_of(parent), self.board_of(node));
        let mv = self.nodes[node as usize].mv;
        let text = san::write_between(before, after, self.game.rules(), mv).to_string();
        Some(self.state.intern(text.as_bytes()))
    }

    fn participants(&mut self, which: Participants) -> SquareSet {
        let node = self.here.node;
        let board = &*self.here.board;
        let rules = self.game.rules();
        let own = self.is_own();
        let mate = matches!(
            which,
            Participants::PureMate | Participants::ModelMate | Participants::IdealMate
        );
        if mate != board.in_check() {
            return SquareSet::EMPTY;
        }
        let situation = participants::Situation {
            turn: board.side(),
            en_passant: if own { self.passed_over(node) } else { board.ep() },
            has_children: own && self.has_children(node),
        };
        let contents = *self.contents();
        let board = &*self.here.board;
        participants::participants(&contents, which, situation, || !board.has_legal_move(rules))
    }

    pub(super) fn unary(&mut self, pc: Pc, op: UnaryFilter, a: u64) -> Result<Option<u64>, Stop> {
        let squares = SquareSet(a);
        let n = a as u32 as i32;
        Ok(match op {
            UnaryFilter::Complement => Some(!a),
            UnaryFilter::Light => set(light(squares)),
            UnaryFilter::Dark => set(dark(squares)),
            UnaryFilter::Count => Some(u64::from(a.count_ones())),
            UnaryFilter::Power => {
                Some(number(pieces::power(|kind| self.here.board.kind(kind), squares)))
            }
            UnaryFilter::Type => pieces::kind_number(self.contents(), squares).map(number),
            UnaryFilter::ColorType => pieces::color_number(self.contents(), squares).map(number),
            UnaryFilter::PieceId => {
                let square = squares.single();
                square.and_then(|square| self.piece_ids().id_at(square)).map(u64::from)
            }
            UnaryFilter::Rank => pieces::rank(squares).map(number),
            UnaryFilter::File => pieces::file(squares).map(number),
            UnaryFilter::TypeName => {
                let letter = pieces::kind_name(self.contents(), squares);
                letter.map(|letter| self.state.intern(&[letter]))
            }
            UnaryFilter::PieceName => {
                let letter = pieces::piece_name(self.contents(), squares);
                letter.map(|letter| self.state.intern(&[letter]))
            }
            UnaryFilter::Negate => Some(number(numbers::negate(n))),
            UnaryFilter::Abs => Some(number(numbers::abs(n))),
            UnaryFilter::Sqrt => numbers::sqrt(n).map(number),
            UnaryFilter::Length => {
                self.pay_units(a);
                Some(number(strings::len(self.state.bytes(a), self.unit())))
            }
            UnaryFilter::Int => {
                self.state.pay_singly(a);
                strings::parse_int(self.state.bytes(a)).map(number)
            }
            UnaryFilter::AsciiCode => strings::ascii_code(self.state.bytes(a)).map(number),
            UnaryFilter::AsciiChar => strings::ascii_char(n).map(|byte| self.state.intern(&[byte])),
            UnaryFilter::Lowercase | UnaryFilter::Uppercase => {
                self.pay_units(a);
                let convert = if op == UnaryFilter::Lowercase {
                    strings::lowercase
                } else {
                    strings::uppercase
                };
                let text = convert(self.state.bytes(a), self.unit());
                Some(self.state.intern(&text))
            }
            UnaryFilter::ReadFile => Some(self.read_file(pc, a)?),
            UnaryFilter::MakeSquareText => set(pieces::make_square_text(self.state.bytes(a))),
            UnaryFilter::PositionAt => self.is_position(n).then_some(u64::from(n as u32)),
            UnaryFilter::Child => {
                let mut child = self.first_child(self.here.node);
                for _ in 0..n.clamp(0, 70_000) {
                    child = child.and_then(|child| self.next_sibling(child));
                }
                child.filter(|_| n >= 0).map(u64::from)
            }
            UnaryFilter::PieceSquare => {
                let square = self.piece_ids().square_of(a as u8);
                set(square.map_or(SquareSet::EMPTY, SquareSet::of))
            }
            UnaryFilter::Tag => {
                self.state.pay_text(a);
                self.state.pay_steps(TAG_STEPS);
                let name = String::from_utf8_lossy(self.state.bytes(a)).into_owned();
                self.tag(&name).map(|text| self.state.intern(&text))
            }
        })
    }

    pub(super) fn binary(&mut self, op: BinaryFilter, a: u64, b: u64) -> Option<u64> {
        let (x, y) = (SquareSet(a), SquareSet(b));
        let (first, second) = (a as u32, b as u32);
        match op {
            BinaryFilter::Intersection => Some(a & b),
            BinaryFilter::Union => Some(a | b),
            BinaryFilter::Attacks => set(attacks::attacks(&*self.here.board, x, y)),
            BinaryFilter::AttackedBy => set(attacks::attacked_by(&*self.here.board, x, y)),
            BinaryFilter::Between => set(between::between(x, y)),
            BinaryFilter::Subset => (a & !b == 0).then_some(1),
            BinaryFilter::SameContent => {
                let [one, other] = [first, second].map(|id| self.board_of(id));
                set(same_content(one, other))
            }
            BinaryFilter::Lca => {
                let [one, other] = [first, second].map(|id| self.node_of(id));
                Some(u64::from(self.common_ancestor(one, other)))
            }
            BinaryFilter::Distance => {
                let [one, other] = [first, second].map(|id| self.node_of(id));
                Some(number(self.distance(one, other)))
            }
            BinaryFilter::AncestorOf => self.is_ancestor(first, second).then_some(1),
            BinaryFilter::DescendantOf => self.is_ancestor(second, first).then_some(1),
            BinaryFilter::Concat => Some(self.concat(a, b)),
            BinaryFilter::Substring => self.holds_text(a, b).then_some(1),
            BinaryFilter::IndexOf => {
                self.state.pay_text(b);
                strings::index_of(self.state.bytes(a), self.state.bytes(b), self.unit()).map(number)
            }
            BinaryFilter::MakeSquare => set(pieces::make_square(first as i32, second as i32)),
        }
    }

    /// Whether a string is part of another.
    pub(super) fn holds_text(&mut self, part: u64, whole: u64) -> bool {
        self.state.pay_text(whole);
        strings::find(self.state.bytes(part), self.state.bytes(whole)).is_some()
    }

    /// Whether one position is an ancestor of another.
    fn is_ancestor(&self, first: u32, second: u32) -> bool {
        let [first, second] = [first, second].map(|id| self.node_of(id));
        first != second && self.contains(first, second)
    }

    pub(super) fn compare(
        &mut self,
        ty: Type,
        relation: ComparisonOperator,
        a: u64,
        b: u64,
    ) -> bool {
        use std::cmp::Ordering;
        let (first, second) = (a as u32, b as u32);
        if ty == Type::String {
            // The lower half of a string is its length.
            self.state.pay(first.min(second) as usize);
        }
        match relation {
            ComparisonOperator::Ancestor => return self.is_ancestor(first, second),
            ComparisonOperator::AncestorOrSame => {
                return self.contains(self.node_of(first), self.node_of(second));
            }
            ComparisonOperator::Descendant => return self.is_ancestor(second, first),
            ComparisonOperator::DescendantOrSame => {
                return self.contains(self.node_of(second), self.node_of(first));
            }
            ComparisonOperator::Equal
            | ComparisonOperator::NotEqual
            | ComparisonOperator::Less
            | ComparisonOperator::LessEqual
            | ComparisonOperator::Greater
            | ComparisonOperator::GreaterEqual => {}
        }
        let order = match ty {
            Type::String => self.state.bytes(a).cmp(self.state.bytes(b)),
            Type::Number => (first as i32).cmp(&(second as i32)),
            Type::Bool | Type::Set | Type::Position | Type::Piece => a.cmp(&b),
        };
        match relation {
            ComparisonOperator::Equal => order == Ordering::Equal,
            ComparisonOperator::NotEqual => order != Ordering::Equal,
            ComparisonOperator::Less => order == Ordering::Less,
            ComparisonOperator::LessEqual => order != Ordering::Greater,
            ComparisonOperator::Greater => order == Ordering::Greater,
            ComparisonOperator::GreaterEqual
            | ComparisonOperator::Ancestor
            | ComparisonOperator::AncestorOrSame
            | ComparisonOperator::Descendant
            | ComparisonOperator::DescendantOrSame => order != Ordering::Less,
        }
    }

    /// The identity of the piece on the only square of a set, if there is one.
    pub(super) fn piece_on(&mut self, squares: u64) -> Option<u64> {
        let square: Square = SquareSet(squares).single()?;
        self.piece_ids().id_at(square).map(u64::from)
    }

    /// `ray`: the sets are in consecutive registers.
    pub(super) fn ray(
        &mut self,
        sets: Register,
        len: u16,
        directions: Directions,
        attack: bool,
        first: bool,
    ) -> u64 {
        let mut list = [SquareSet::EMPTY; 8];
        let spilled: Vec<SquareSet>;
        let words = self.state.registers.run(sets, usize::from(len));
        let list = if words.len() <= list.len() {
            for (slot, &word) in list.iter_mut().zip(words) {
                *slot = SquareSet(word);
            }
            &list[..words.len()]
        } else {
            spilled = words.iter().map(|&word| SquareSet(word)).collect();
            &spilled
        };
        if filters::ray::is_possible(directions, list) {
            filters::ray::ray(&*self.here.board, directions, attack, first, list).0
        } else {
            0
        }
    }
}
