//! Conditions on how often something happens along a game: numbers of checks, checks in a row, and
//! numbers of moves.
//!
//! They are tested on the codes of the moves and the bits of the checks of a main line. A game with
//! variations has more nodes: it passes.

use babson_chess::{CastlingSide, Kind, MoveAction, MoveCode};
use babson_lang::hir::{CastlingKind, Condition, Expr, MoveFilter, MoveResult, MoveSource};
use babson_pgn::GameFlags;

use super::derive::{GuardDerivation, join};
use super::{GameSet, GameTest, Row};
use crate::limits::{MAX_CHECK_SEQUENCE, MAX_CHECK_SEQUENCES};
use crate::need::{
    Chain, ChainForm, Gaps, MoveKind, MoveNeed, Need, Part, PartKind, has_own_check,
};

/// Some moves, by their codes (docs/src/tables.md#moves): no other move fits the filter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MoveCondition {
    pub(super) from: Option<GameSet>,
    pub(super) to: Option<GameSet>,
    pub(super) capture: Option<GameSet>,
    pub(super) castle: Option<CastlingKind>,
    /// Bit set of kinds.
    pub(super) promote: Option<u8>,
    pub(super) en_passant: bool,
    /// The origins, by the highest four bits of a code.
    origins: [u64; 16],
    /// The targets, by the highest four bits of a code.
    targets: [u64; 16],
}

impl MoveCondition {
    fn of(filter: &MoveFilter, set: impl Fn(&Expr) -> GameSet) -> MoveCondition {
        let [from, to, capture] =
            [&filter.from, &filter.to, &filter.capture].map(|expr| expr.as_ref().map(&set));
        let any = |set: &GameSet| set.pieces.iter().fold(set.empty, |sum, part| sum | part.1);
        let of_kind = |set: &GameSet, kind: usize| {
            let parts = set.pieces.iter().filter(|part| usize::from(part.0) % 6 == kind);
            parts.fold(0, |sum, part| sum | part.1)
        };
        // The set of origins is evaluated before the move, also before the previous one.
        let origins: [u64; 6] = std::array::from_fn(|kind| match (&from, filter.source) {
            (None, _) => !0,
            (Some(set), MoveSource::Played | MoveSource::Previous) => of_kind(set, kind),
            (
                Some(set),
                MoveSource::Legal
                | MoveSource::Pseudolegal
                | MoveSource::LegalReverse
                | MoveSource::PseudolegalReverse,
            ) => any(set),
        });
        let targets = to.as_ref().map_or(!0, any);
        let captured = capture.as_ref().map_or(!0, any);
        let en_passant = filter.en_passant || filter.en_passant_square.is_some();
        let squares: [(u64, u64); 16] = std::array::from_fn(|bits| {
            let Some(action) = MoveAction::of_bits(bits as u16) else {
                // What it does is not known.
                return (!0, !0);
            };
            let is_asked_for = filter.castle.is_none_or(|kind| castles(action, kind))
                && filter.promote.is_none_or(|kinds| promotes(action, kinds))
                && (!en_passant || action == MoveAction::EnPassant);
            if !is_asked_for {
                return (0, 0);
            }
            match action {
                MoveAction::Plain(kind) => (origins[kind.index()], targets & captured),
                MoveAction::DoubleStep | MoveAction::Promotion(_) => {
                    (origins[Kind::Pawn.index()], targets & captured)
                }
                // Two pieces move.
                MoveAction::Castling(_) => (!0, !0),
                // The captured pawn is not on the target.
                MoveAction::EnPassant => (origins[Kind::Pawn.index()], targets),
            }
        });
        let (castle, promote) = (filter.castle, filter.promote);
        let (origins, targets) = (squares.map(|pair| pair.0), squares.map(|pair| pair.1));
        MoveCondition { from, to, capture, castle, promote, en_passant, origins, targets }
    }

    /// Returns true if at least `least` of the moves may fit. `flags` are the flags of the game.
    pub(super) fn holds(&self, moves: &[u16], flags: GameFlags, least: u32) -> bool {
        if self.count(moves) < least {
            return false;
        }
        let other_start = GameFlags::OWN_START | GameFlags::VARIANT;
        let knows_captures = self.capture.is_some() && !flags.has_any(other_start);
        !knows_captures || self.count_captures(moves) >= least
    }

    fn fits(&self, code: u16) -> bool {
        let kind = usize::from(code >> 12);
        self.origins[kind] >> (code & 63) & self.targets[kind] >> (code >> 6 & 63) & 1 != 0
    }

    /// Counts the moves that may fit by their squares.
    fn count(&self, moves: &[u16]) -> u32 {
        if self.origins.iter().zip(&self.targets).all(|(from, to)| *from == !0 || *to == 0) {
            let fits = |code: &u16| self.targets[usize::from(code >> 12)] >> (code >> 6 & 63) & 1;
            return moves.iter().map(|code| fits(code) as u32).sum();
        }
        moves.iter().map(|code| u32::from(self.fits(*code))).sum()
    }

    /// Counts the moves that fit and capture, in a game from the initial array.
    fn count_captures(&self, moves: &[u16]) -> u32 {
        let mut occupied: u64 = 0xffff_0000_0000_ffff;
        let mut count = 0;
        for &code in moves {
            let (from, to, action) = (code & 63, code >> 6 & 63, MoveCode(code).action());
            let captures = occupied >> to & 1 != 0 || action == Some(MoveAction::EnPassant);
            count += u32::from(captures && self.fits(code));
            occupied = occupied & !(1 << from) | 1 << to;
            let rank = from & 56;
            match action {
                Some(MoveAction::EnPassant) => occupied &= !(1 << (rank | to & 7)),
                Some(MoveAction::Castling(CastlingSide::King)) => {
                    occupied = occupied & !(1 << (rank | 7)) | 1 << (rank | 5);
                }
                Some(MoveAction::Castling(CastlingSide::Queen)) => {
                    occupied = occupied & !(1 << rank) | 1 << (rank | 3);
                }
                Some(MoveAction::Plain(_) | MoveAction::DoubleStep | MoveAction::Promotion(_))
                | None => {}
            }
        }
        count
    }
}

fn castles(action: MoveAction, asked: CastlingKind) -> bool {
    match (action, asked) {
        (MoveAction::Castling(_), CastlingKind::Either) => true,
        (MoveAction::Castling(side), CastlingKind::KingSide) => side == CastlingSide::King,
        (MoveAction::Castling(side), CastlingKind::QueenSide) => side == CastlingSide::Queen,
        (
            MoveAction::Plain(_)
            | MoveAction::DoubleStep
            | MoveAction::EnPassant
            | MoveAction::Promotion(_),
            _,
        ) => false,
    }
}

/// Whether the move is a promotion to one of a bit set of kinds.
fn promotes(action: MoveAction, kinds: u8) -> bool {
    matches!(action, MoveAction::Promotion(kind) if kinds >> kind.index() & 1 != 0)
}

/// The number of positions in check.
pub(super) fn count_checks(checks: &[u64]) -> u32 {
    checks.iter().map(|word| word.count_ones()).sum()
}

/// Whether there is a position from which on all positions of the mask are in check. The mask has
/// the lowest bit.
pub(super) fn has_checks(checks: &[u64], mask: u64) -> bool {
    if count_checks(checks) < mask.count_ones() {
        return false;
    }
    (0..checks.len()).any(|at| {
        let (low, high) = (checks[at], checks.get(at + 1).copied().unwrap_or(0));
        let (mut starts, mut rest) = (low, mask & !1);
        while rest != 0 && starts != 0 {
            let shift = rest.trailing_zeros();
            starts &= low >> shift | high << (64 - shift);
            rest &= rest - 1;
        }
        starts != 0
    })
}

/// Returns true if every game with the check sequence `first` also has the check sequence `second`.
pub(super) fn contains_checks(first: u64, second: u64) -> bool {
    (0..64).any(|shift| second & !(first >> shift) == 0)
}

/// Returns true if the game has nodes outside its main line.
pub(super) fn has_more_nodes(row: &impl Row) -> bool {
    row.flags().has(GameFlags::VARIATIONS)
}

/// Which positions of a line must be in check.
#[derive(Clone, Debug, PartialEq)]
struct CheckForm {
    /// The first positions.
    begin: Vec<bool>,
    /// The last positions.
    end: Vec<bool>,
    /// Whether `begin` holds all positions of the line. Then `end` holds the same positions.
    whole: bool,
    /// Sequences of positions somewhere in the line.
    inner: Vec<Vec<bool>>,
    /// The number of all checks.
    total: u32,
}

impl CheckForm {
    /// A line of these positions.
    fn of(positions: &[bool]) -> CheckForm {
        CheckForm {
            begin: positions.to_vec(),
            end: positions.to_vec(),
            whole: true,
            inner: Vec::new(),
            total: positions.iter().map(|check| u32::from(*check)).sum(),
        }
    }

    /// Appends the line `next`.
    fn then(mut self, next: CheckForm) -> CheckForm {
        self.total = self.total.saturating_add(next.total);
        self.inner.extend(next.inner);
        let joined = |a: &[bool], b: &[bool]| [a, b].concat();
        let meeting = joined(&self.end, &next.begin);
        (self.begin, self.end) = match (self.whole, next.whole) {
            (true, true) => (meeting.clone(), meeting),
            (true, false) => (meeting, next.end),
            (false, true) => (self.begin, meeting),
            (false, false) => {
                self.inner.push(meeting);
                (self.begin, next.end)
            }
        };
        self.whole = self.whole && next.whole && self.begin.len() <= MAX_CHECK_SEQUENCE;
        self.begin.truncate(MAX_CHECK_SEQUENCE);
        self.end.drain(..self.end.len().saturating_sub(MAX_CHECK_SEQUENCE));
        for sequence in &mut self.inner {
            sequence.truncate(MAX_CHECK_SEQUENCE);
        }
        self.inner.sort();
        self.inner.dedup();
        self.inner.truncate(MAX_CHECK_SEQUENCES);
        self
    }

    fn repeated(self, (min, max): (u32, u32)) -> CheckForm {
        let total = self.total.saturating_mul(min);
        let copies = (min as usize).min(MAX_CHECK_SEQUENCE);
        let mut form = CheckForm::of(&[]);
        for _ in 0..copies {
            form = form.then(self.clone());
        }
        form.whole = form.whole && min == max && copies == min as usize;
        CheckForm { total, ..form }
    }

    /// The conditions, for a line that goes to later positions or to earlier ones.
    fn tests(self, backward: bool) -> Vec<GameTest> {
        let mut tests = Vec::new();
        for mut sequence in [self.begin, self.end].into_iter().chain(self.inner) {
            if backward {
                sequence.reverse();
            }
            let bits = sequence
                .iter()
                .zip(0..)
                .fold(0, |bits, (check, at)| bits | u64::from(*check) << at);
            let mask = bits >> bits.trailing_zeros().min(63);
            if mask.count_ones() > 1 {
                join(&mut tests, vec![GameTest::CheckSequence(mask)]);
            }
        }
        if self.total > 1 {
            join(&mut tests, vec![GameTest::Checks(self.total)]);
        }
        tests
    }
}

impl GuardDerivation<'_> {
    /// What a game needs in which at least this number of positions meet the need.
    pub(super) fn counted(&self, need: &Need<'_>, least: u32) -> Vec<GameTest> {
        if least < 2 {
            return Vec::new();
        }
        let mut tests = Vec::new();
        if let Need::All(list) = need {
            for need in list {
                join(&mut tests, self.counted(need, least));
            }
        } else if let Need::InGame(need) | Need::Tags(_, need) = need {
            tests = self.counted(need, least);
        } else if let Need::Condition(Condition::Check | Condition::Mate) = need {
            tests.push(GameTest::Checks(least));
        } else if let Need::Move(MoveNeed { kind: MoveKind::Filter(filter), .. }) = need
            && is_found_in_codes(filter)
        {
            let test = Box::new(MoveCondition::of(filter, |expr| self.set(expr)));
            tests.push(GameTest::Moves { test, least });
        }
        tests
    }

    /// The checks that a line needs.
    pub(super) fn checks_of_chain(&self, chain: &Chain<'_>) -> Vec<GameTest> {
        let mut form = check_form(&chain.parts);
        if chain.gaps != Gaps::None {
            // Between two of its positions there are others.
            form = CheckForm { total: form.total, ..CheckForm::of(&[]) };
        }
        form.tests(chain.form == ChainForm::Backward)
    }
}

/// The checks of the parts of a line.
fn check_form(parts: &[Part<'_>]) -> CheckForm {
    let mut form = CheckForm::of(&[]);
    for part in parts {
        let once = match &part.kind {
            PartKind::Filter(need) => CheckForm::of(&[has_own_check(need)]),
            PartKind::Group(inner) => check_form(inner),
            // Only paths have steps.
            PartKind::Step(_) => CheckForm { whole: false, ..CheckForm::of(&[]) },
        };
        let repeats = part.repeats.iter();
        form = form.then(repeats.fold(once, |form, &repeat| form.repeated(repeat)));
    }
    form
}

/// Returns true if each match of the filter stands for a different move of the game, and that move
/// has a code.
fn is_found_in_codes(filter: &MoveFilter) -> bool {
    !filter.source.is_generated()
        && filter.result != MoveResult::Count
        && !(filter.null || filter.drop || filter.secondary)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> CheckForm {
        CheckForm::of(&text.bytes().map(|byte| byte == b'+').collect::<Vec<_>>())
    }

    fn tests(form: CheckForm) -> Vec<GameTest> {
        form.tests(false)
    }

    #[test]
    fn sequences_of_checks() {
        let some = (1, 100_000);
        for (form, sequences, total) in [
            (form("+"), &[][..], 1),
            (form("+").repeated((5, 100_000)), &[0b11111][..], 5),
            (form("-").then(form("+-+")), &[0b101], 2),
            (form("+-").repeated((3, 3)), &[0b10101], 3),
            (form("++").then(form("-").repeated(some)).then(form("+-+")), &[0b11, 0b101], 4),
            (form("++").then(form("+").repeated(some)).then(form("-+")), &[0b111], 4),
            (form("++").then(form("-").repeated((0, 1))).then(form("++")), &[0b11], 4),
            (form("+").repeated((0, 7)), &[], 0),
            (form("+").repeated((70, 70)), &[!0], 70),
            (form("+++").repeated((50, 50)).then(form("-+")), &[!0], 151),
        ] {
            let mut expected: Vec<GameTest> =
                sequences.iter().map(|mask| GameTest::CheckSequence(*mask)).collect();
            let most = sequences.iter().map(|mask| mask.count_ones()).max().unwrap_or(1);
            if total > most {
                expected.push(GameTest::Checks(total));
            }
            assert_eq!(tests(form.clone()), expected, "{form:?}");
        }
        assert_eq!(form("++-+").tests(true)[0], GameTest::CheckSequence(0b1101));
    }

    /// Compared with the boards.
    #[test]
    fn captures_are_told_by_the_squares_that_are_occupied() {
        let game = b"1. e4 d5 2. exd5 Qxd5 3. Nc3 Bg4 4. Be2 Bxe2 5. Ngxe2 Qd6 6. O-O Nc6 \
            7. d4 O-O-O 8. Bf4 e5 9. dxe5 Qxd1 10. Raxd1 Rxd1 11. Rxd1 f5 12. exf6 Nxf6 \
            13. Kh1 Kb8 14. h3 Ka8 *";
        let mut reader = babson_pgn::Reader::new();
        let game = reader.read(game, babson_pgn::Needs::ALL);
        assert!(game.damages().is_empty());
        let mut expected = [0; 64];
        let mut moves = Vec::new();
        for (node, before) in game.nodes()[1..].iter().zip(game.positions()) {
            let after = game.position(moves.len() as u32 + 1);
            expected[node.mv.to().index()] += before.occupied().len() - after.occupied().len();
            moves.push(babson_chess::MoveCode::of(node.mv, before).unwrap().0);
        }
        assert_eq!((expected[3], expected[35], expected[45]), (4, 2, 2), "d1, d5, f6");
        let filter = MoveFilter::default();
        for (square, captures) in expected.into_iter().enumerate() {
            let set = GameSet::of_content(babson_lang::hir::Content::ANY, 1 << square);
            let mut test = MoveCondition::of(&filter, |_| set.clone());
            test.capture = Some(set.clone());
            test.targets = std::array::from_fn(|kind| if kind == 7 { 0 } else { 1 << square });
            test.origins = [!0; 16];
            let en_passant = u32::from(square == 45);
            assert_eq!(test.count_captures(&moves), captures - en_passant, "square {square}");
            assert!(test.holds(&moves, GameFlags::default(), captures - en_passant));
            assert!(!test.holds(&moves, GameFlags::default(), captures - en_passant + 1));
        }
    }

    /// Compared with a search position by position.
    #[test]
    fn sequences_are_found_across_words() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        let mut found = 0;
        for _ in 0..3_000 {
            let checks: Vec<u64> = (0..random() % 4)
                .map(|_| (random() | random() << 31) & (random() | random() << 32))
                .collect();
            let mask = 1 | random() & (1 << (random() % 12)) | 1 << (random() % 64);
            let bit =
                |at: usize| checks.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 != 0);
            let all = |at| (0..64).all(|shift| mask >> shift & 1 == 0 || bit(at + shift));
            let expected = (0..64 * checks.len()).any(all);
            assert_eq!(has_checks(&checks, mask), expected, "{checks:x?} {mask:x}");
            found += u32::from(expected);
        }
        assert!((500..2_500).contains(&found), "{found}");
    }

    #[test]
    fn a_sequence_contains_others() {
        assert!(contains_checks(0b11111, 0b111));
        assert!(contains_checks(0b1011, 0b11) && contains_checks(0b1101, 0b11));
        assert!(contains_checks(!0, 0b101) && contains_checks(1 << 63 | 1, 1 << 63 | 1));
        assert!(!contains_checks(0b101, 0b11) && !contains_checks(0b11, 0b111));
    }
}
