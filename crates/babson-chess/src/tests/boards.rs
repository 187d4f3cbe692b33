//! Properties of arbitrary boards.

use proptest::prelude::*;

use crate::movegen::{self, MoveSelection};
use crate::{
    CastlingRights, Color, Kind, MoveList, Piece, Position, Rules, Square, SquareSet, Variant,
    attacks, fen,
    retro::{self, reverse},
    san, zobrist,
};

prop_compose! {
    /// Boards with any number of kings, pawns anywhere, rights without rooks.
    pub(super) fn any_position()(
        pieces in prop::collection::vec((0u8..64, 0usize..6, any::<bool>()), 0..24),
        kings in prop::collection::vec(0u8..64, 0..3),
        black in any::<bool>(),
        rights in 0u8..16,
        ep in 0u8..64,
    ) -> Position {
        let mut position = Position::empty();
        let color = |white| if white { Color::White } else { Color::Black };
        for (square, kind, white) in pieces {
            // Fewer kings, so that single ones are common.
            let kind = if kind == 5 { Kind::Queen } else { Kind::ALL[kind] };
            position.put(Square::from_index(square.into()), Some(Piece::new(color(white), kind)));
        }
        for (index, square) in kings.into_iter().enumerate() {
            let piece = Piece::new(color(index % 2 == 0), Kind::King);
            position.put(Square::from_index(square.into()), Some(piece));
        }
        if rights == 15 {
            for (square, kind) in [(4, Kind::King), (0, Kind::Rook), (7, Kind::Rook)] {
                position.put(Square::from_index(square), Some(Piece::new(Color::White, kind)));
            }
        }
        position.set_castling(CastlingRights(rights));
        position.set_ep(Square::new(ep));
        position.set_side(color(!black));
        position
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// The keys of single pieces add up to the key of the board. It can be made from the key of any
    /// other board.
    #[test]
    fn keys_of_pieces_add_up(one in any_position(), other in any_position()) {
        let alone = |square: Square| {
            let mut board = Position::empty();
            board.put(square, one.piece_at(square));
            zobrist::placement(&board)
        };
        let key = zobrist::placement(&one);
        prop_assert_eq!(Square::all().map(alone).fold(0, |all, key| all ^ key), key);
        let after = zobrist::placement_after(key, &one, &other);
        prop_assert_eq!(after, zobrist::placement(&other));
        prop_assert_eq!(key == after, one.same_placement(&other));
    }

    /// Positions are equal if nothing in them differs.
    #[test]
    fn a_difference_makes_positions_unequal(position in any_position(), square in 0u8..64) {
        let square = Square::from_index(square.into());
        prop_assert_eq!(position, position);
        let knight = Piece::new(Color::White, Kind::Knight);
        let changes: [&dyn Fn(&mut Position); 5] = [
            &|it| it.put(square, Some(knight).filter(|_| it.piece_at(square) != Some(knight))),
            &|it| it.set_side(it.side().not()),
            &|it| it.set_castling(CastlingRights(it.castling().0 ^ 1)),
            &|it| it.set_half_moves(it.half_moves() + 1),
            &|it| it.set_variant(Variant::Atomic),
        ];
        for change in changes {
            let mut other = position;
            change(&mut other);
            prop_assert_ne!(position, other);
        }
    }

    #[test]
    fn an_exchange_gives_check_as_the_changed_board_does(
        position in any_position(), a in 0u8..64, atomic in prop::bool::weighted(0.1),
    ) {
        let mut board = position;
        if atomic {
            board.set_variant(Variant::Atomic);
        }
        let a = Square::from_index(a.into());
        for color in Color::ALL {
            let threats = board.king_threats(color);
            for b in 0..64 {
                let b = Square::from_index(b);
                let found = threats.and_then(|threats| threats.after_exchange(&board, a, b));
                let mut after = board;
                after.exchange(a, b);
                if let Some(attacked) = found {
                    prop_assert_eq!(attacked, after.is_attacked_king(color));
                }
                let both = SquareSet::of(a) | SquareSet::of(b);
                let moves_king = both.intersects(board.pieces(color, Kind::King));
                let fills = !(both - board.occupied()).is_empty();
                prop_assert_eq!(found.is_none(), atomic || moves_king || fills);
            }
        }
    }

    #[test]
    fn legality_is_safety_of_the_single_king(position in any_position()) {
        let rules = Rules::STANDARD;
        let us = position.side();
        let mut safe: Vec<_> = position
            .moves(&rules, MoveSelection::PSEUDOLEGAL)
            .iter()
            .copied()
            .filter(|&mv| !position.make(mv, &rules).is_attacked_king(us))
            .collect();
        let mut legal = position.legal_moves(&rules).to_vec();
        safe.sort_unstable();
        legal.sort_unstable();
        prop_assert_eq!(&legal, &safe);
        prop_assert_eq!(position.count_legal(&rules) as usize, legal.len());
        let pseudolegal = position.count_moves(&rules, MoveSelection::PSEUDOLEGAL);
        prop_assert!(position.may_have_moves(pseudolegal));
        let (own, theirs) = (position.color(us), position.color(us.not()));
        prop_assert!(movegen::move_bound(position.kinds(), own, theirs, us) >= pseudolegal);
        for &mv in &legal {
            prop_assert!(position.is_legal(mv, &rules));
            let text = san::write(&position, &rules, mv);
            prop_assert_eq!(san::parse(&position, &rules, text.as_bytes()), Ok(mv), "{}", text);
            let mut next = Position::empty();
            if let Some(fast) = san::step(&position, text.as_bytes(), &mut next) {
                prop_assert_eq!(fast, mv);
                prop_assert_eq!(next.state, position.make(mv, &rules).state);
            }
        }
    }

    #[test]
    fn attack_sets_agree(position in any_position()) {
        for color in Color::ALL {
            let united = position
                .color(color)
                .iter()
                .fold(SquareSet::EMPTY, |set, square| set | position.attacks_from(square));
            prop_assert_eq!(position.attacked_by(color), united);
            let sliders = |kind| position.pieces(color, kind) | position.pieces(color, Kind::Queen);
            let (orthogonal, diagonal) = (sliders(Kind::Rook), sliders(Kind::Bishop));
            let occupied = position.occupied();
            let union = |from: SquareSet, one: fn(Square, SquareSet) -> SquareSet| {
                from.iter().fold(SquareSet::EMPTY, |set, square| set | one(square, occupied))
            };
            // The squares need not hold sliders: attackers are found from their targets.
            for from in [orthogonal, diagonal, !occupied, position.color(color)] {
                prop_assert_eq!(attacks::rooks(from, !occupied), union(from, attacks::rook));
                prop_assert_eq!(attacks::bishops(from, !occupied), union(from, attacks::bishop));
            }
            for square in Square::all() {
                let attackers = position.attackers_to(square, position.occupied());
                let of = position.attackers_of(color, square, position.occupied());
                prop_assert_eq!(attackers & position.color(color), of);
                prop_assert_eq!(united.contains(square), !of.is_empty());
            }
        }
    }

    #[test]
    fn mirroring_twice_changes_nothing(position in any_position()) {
        prop_assert_eq!(position.mirrored().mirrored(), position);
        let rules = Rules::STANDARD;
        prop_assert_eq!(position.mirrored().count_legal(&rules), position.count_legal(&rules));
    }

    #[test]
    fn fens_of_any_board_round_trip(mut position in any_position()) {
        position.set_castling(CastlingRights::NONE);
        let text = fen::write(&position, &Rules::STANDARD);
        prop_assert_eq!(fen::parse(&text), Ok((position, Rules::STANDARD)));
    }

    #[test]
    fn the_fast_path_never_contradicts_the_careful_one(
        position in any_position(),
        token in "[KQRBNPabcdefgh1-8x=+#O0:-]{0,8}",
        bytes in prop::collection::vec(any::<u8>(), 0..10),
    ) {
        let rules = Rules::STANDARD;
        for position in [position, Position::start()] {
            for token in [token.as_bytes(), &bytes] {
                let careful = san::parse(&position, &rules, token);
                if let Some(fast) = san::fast(token, &position) {
                    prop_assert_eq!(careful, Ok(fast));
                }
            }
        }
    }
}

#[test]
fn long_lists_spill() {
    let mut position = Position::empty();
    for square in Square::all().filter(|sq| [0, 7].contains(&sq.file()) || sq.rank() % 7 == 0) {
        position.put(square, Some(Piece::new(Color::White, Kind::Queen)));
    }
    position.refresh();
    let list: MoveList = position.legal_moves(&Rules::STANDARD);
    assert_eq!(list.len(), 288);
    assert_eq!(list.len(), position.count_legal(&Rules::STANDARD) as usize);
    assert!(list.iter().all(|&mv| position.is_legal(mv, &Rules::STANDARD)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_board_is_too_odd_for_retro_analysis(position in any_position()) {
        let verdict = retro::analyze(&position);
        let legality = retro::legality(&position);
        prop_assert_eq!(legality.is_legal(), retro::is_legal(&position));
        prop_assert!(legality.is_legal() || !verdict.is_reachable());
        prop_assert_eq!(verdict.is_reachable(), retro::is_reachable(&position));
        prop_assert!(!verdict.to_string().is_empty());
        for reason in &verdict.reasons {
            prop_assert!(!reason.explanation().is_empty());
            let _ = reason.squares(&position);
        }
        let pseudo = reverse::pseudolegal(&position);
        let legal = reverse::legal(&position);
        prop_assert_eq!(reverse::has_legal(&position), !legal.is_empty());
        for mv in &pseudo {
            let before = mv.predecessor(&position);
            prop_assert_eq!(before.side(), position.side().not());
            prop_assert!(!legal.contains(mv) || retro::is_legal(&before), "{}", mv);
        }
    }

    #[test]
    fn no_board_is_too_odd_for_variants(position in any_position()) {
        for variant in [
            Variant::Atomic,
            Variant::Crazyhouse,
            Variant::Antichess,
            Variant::Losers,
            Variant::Horde,
            Variant::RacingKings,
            Variant::ThreeCheck,
        ] {
            let rules = Rules::STANDARD.with_variant(variant);
            let mut position = position;
            position.set_variant(variant);
            position.set_pocket(Color::White, Kind::Pawn, 3);
            position.set_promoted(SquareSet::ALL);
            let moves = position.legal_moves(&rules);
            prop_assert_eq!(position.count_legal(&rules) as usize, moves.len());
            let pseudolegal = position.count_moves(&rules, MoveSelection::PSEUDOLEGAL);
            prop_assert!(position.may_have_moves(pseudolegal));
            for &mv in &moves {
                let next = position.make(mv, &rules);
                prop_assert!(next.promoted().is_subset(next.occupied()));
                let text = san::write(&position, &rules, mv);
                prop_assert!(
                    matches!(san::parse(&position, &rules, text.as_bytes()), Ok(read) if read == mv),
                    "{} as {} in {:?} of {:?}", mv, text, position, variant
                );
            }
            let _ = position.variant_end(&rules);
        }
    }
}
