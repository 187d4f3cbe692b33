//! CQL 3: which positions are marked, and rules that its goldens do not show.

use babson_lang::Dialect;

use super::{LINE, run_as};
use crate::{Outcome, RunOptions};

/// A game with variations: 2…Qh4+ is in one of them.
const TREE: &str = "[Event \"TREE\"]\n\n1. e4 e5 (1... c5 2. f4 Qa5 (2... d6) 3. Nf3) 2. f4 exf4 \
(2... Qh4+ 3. g3) 3. Nf3 *\n";

fn run(query: &str, pgn: impl AsRef<[u8]>) -> Outcome {
    run_as(query, pgn.as_ref(), Dialect::CQLI, &RunOptions::default())
}

/// The marked positions, or nothing if the game does not match.
fn marks(query: &str, pgn: impl AsRef<[u8]>) -> Option<Vec<u32>> {
    let outcome = run(query, pgn);
    assert!(outcome.error.is_none(), "{query}: {:?}", outcome.error);
    outcome.matched.then_some(outcome.positions)
}

#[track_caller]
fn check(pgn: impl AsRef<[u8]>, cases: &[(&str, Option<&[u32]>)]) {
    for (list, expected) in cases {
        let found = marks(&format!("(match {list})"), pgn.as_ref());
        assert_eq!(found.as_deref(), *expected, "{list}");
    }
}

#[test]
fn the_first_match_is_marked_or_all() {
    check(
        LINE,
        &[
            ("(position :check)", Some(&[5])),
            ("(position :check :markall)", Some(&[5, 7, 15, 17])),
            ("(position :check :noannotate)", Some(&[])),
            // Lists are independent; a position of both is marked once.
            ("(position :check) (position :btm)", Some(&[1, 5])),
            ("(position :check) (position Qf7)", Some(&[5])),
            ("(position :mate)", None),
            ("(position :check) (position :mate)", None),
        ],
    );
    let outcome = run("(match (position :check))", LINE);
    assert_eq!(super::comments(&outcome), [(5, "MATCH".to_owned())]);
}

#[test]
fn counts_are_of_positions_of_the_game() {
    check(
        LINE,
        &[
            ("(position :check :matchcount 4)", Some(&[5])),
            ("(position :check :matchcount 5 9)", None),
            ("(position :mate :matchcount 0)", Some(&[])),
            // White moves knights to f3 and g5: no square twice.
            ("(position :movefrom N :moveto .a1 :shift :matchcount 2)", Some(&[8])),
            ("(position :movefrom N :moveto .d4 :shift :pretransformmatchcount 2 9)", None),
            ("(position :movefrom N :moveto .d4 :shift :pretransformmatchcount 1)", Some(&[8])),
        ],
    );
}

#[test]
fn scopes() {
    // 0 start, 1 e4, 2 e5, 3 f4, 4 exf4, 5 Nf3, 6 Qh4, 7 g3, 8 c5, … by the order of the file.
    let all = marks("(match (position :variations :markall))", TREE).unwrap();
    let main = marks("(match (position :markall))", TREE).unwrap();
    let off = marks("(match (position :variationsonly :markall))", TREE).unwrap();
    assert_eq!(main.len(), 6);
    assert_eq!(all.len(), 13);
    assert_eq!(main.len() + off.len(), all.len());
    assert!(marks("(match (position :check))", TREE).is_none());
    assert!(marks("(match (position :variations :check))", TREE).is_some());
    assert!(marks("(match (position :variationsonly :check))", TREE).is_some());
    // The departure of a variation is on the main line (D14).
    assert!(marks("(match (position :movefrom q))", TREE).is_none());
    assert!(marks("(match (position :variations :moveto .h4))", TREE).is_some());
    assert!(marks("(match (position :variationsonly :moveto .h4))", TREE).is_none());
    // One list looks at variations, the other does not.
    assert!(marks("(match (position :variations :check) (position :moveto .h4))", TREE).is_none());
}

#[test]
fn conditions_on_the_next_move_are_about_one_move() {
    let both =
        "(match (position :variations :movefrom p :moveto .e5 :and ((position :movefrom ?c7))))";
    assert!(marks(both, TREE).is_none());
    let each = "(match (position :variations :or ((position :moveto .c5) (position :moveto .e5))))";
    assert_eq!(marks(each, TREE), Some(vec![1]));
    // The first step of a sequence follows the same move.
    let step = |square| {
        format!(
            "(match (position :variations :moveto .c5 :sequence ((position) (position p{square}))))"
        )
    };
    assert!(marks(&step("c5"), TREE).is_some());
    assert!(marks(&step("e5"), TREE).is_none());
}

#[test]
fn sequences() {
    check(
        LINE,
        &[
            ("(position :sequence ((position :movefrom Q) (position :check)))", Some(&[4])),
            ("(position :sequence ((position :check) (position :check)))", None),
            (
                "(position :initial :gappedsequence ((position Qh5) (position Qf7) (position :check Bg5)))",
                Some(&[0]),
            ),
            ("(position :initial :gappedsequence ((position Qf7) (position Qh5)))", None),
            // The first match may be here or later, indices increase.
            (
                "(position :check :gappedsequence ((position) (position :check)) :markall)",
                Some(&[5, 7, 15]),
            ),
            ("(position :terminal :sequence ())", Some(&[18])),
            ("(position :terminal :gappedsequence ((position) (position)))", None),
        ],
    );
}

#[test]
fn not_stands_outside_the_transforms() {
    check(
        LINE,
        &[
            // d1 is an image of h5.
            ("(position Qh5 :flip :not :matchcount 14)", Some(&[5])),
            ("(position Qh5 :not :matchcount 17)", Some(&[0])),
            ("(position :or ())", None),
            ("(position :and ())", Some(&[0])),
            ("(position :not :not :check)", Some(&[0])),
        ],
    );
}

#[test]
fn sums_need_all_items() {
    // The edge grows: a2, a2-b2, … a2-h2 hold a pawn; shifted to the left nothing is left.
    let eight = "(match (position :initial Pa2 :shifthorizontal :accumulate n :sumrange n 8))";
    assert!(marks(eight, LINE).is_some());
    // A sum that nothing adds to is 0.
    assert!(marks("(match (position :sumrange n 0))", LINE).is_some());
    // `:sumrange` sees what nested lists add, wherever it is written.
    let nested = "(match (position :initial :sumrange n 2 :and ((position R :accumulate n) (position Q :accumulate n))))";
    assert!(marks(nested, LINE).is_some());
    // All elements are evaluated, also after one that decides.
    let or = "(match (position :initial :sumrange n 2 :or ((position R :accumulate n) (position Q :accumulate n))))";
    assert!(marks(or, LINE).is_some());
    // Images of other lists do not count.
    let failed = "(match (position :initial :sumrange n 1 :or ((position Ra4 :accumulate n) (position Q :accumulate n))))";
    assert!(marks(failed, LINE).is_some());
}

#[test]
fn tags_follow_a_piece() {
    check(
        LINE,
        &[
            (":forany x Q (position $x[h5]) (position $x[f7])", Some(&[3, 5])),
            (":forany x N (position $x[f3]) (position $x[c6])", None),
            (
                ":forany x [Nn] (position $x[g1]) (position :moveto .g5 :movefrom $x)",
                Some(&[0, 12]),
            ),
            // The queen is taken on f7.
            (":forany x Q (position :moveto $x)", Some(&[5])),
            (":forany x Q (position :terminal $x)", None),
            (":forany x R :forany y R (position $x[a1] $y[f1])", Some(&[11])),
            (":forany x R :forany y R (position $x[a1] $y[a1])", None),
            (":forany x R (position :tagmatch x R[f1])", Some(&[11])),
            (":forany x R (position :tagmatch x [Kk])", None),
            // The first binding is marked, or with :markall all.
            (":forany x P (position :movefrom $x)", Some(&[14])),
            (":forany x P (position :movefrom $x :markall)", Some(&[0, 14])),
        ],
    );
}

#[test]
fn recurrences() {
    const REPEAT: &str = "[Event \"R\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nf6 4. Nb1 Ng8 5. a3 *\n";
    check(
        REPEAT,
        &[
            ("(position :relation () :markall)", Some(&[0, 3, 4])),
            ("(position :relation (:changesidetomove))", None),
            // 5.a3 moves one pawn.
            (
                "(position :relation (:changesidetomove :missingpiececount P 1 :newpiececount P 1) :markall)",
                Some(&[0, 4, 8]),
            ),
            ("(position :relation (:missingpiececount A 1 100))", None),
        ],
    );
    // A pattern elsewhere: the two rooks of White's first rank, moved.
    const MOVED: &str = "[Event \"M\"]\n[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n\
                         1. Kd1 Kd5 2. e3 Ke5 3. Kd2 *\n";
    check(
        MOVED,
        &[
            // King and pawn stand in the same relation one rank higher, one file to the left.
            ("(position K[d1] P[e2] :relation (:pattern :shift :ignoresidetomove))", Some(&[1])),
            (
                "(position K[d1] P[e2] :relation (:pattern :shift :ignoresidetomove :originalsamecount 0))",
                Some(&[1]),
            ),
            ("(position Ke1 Pe2 :relation (:pattern :ignoresidetomove))", None),
        ],
    );
}

#[test]
fn rays_count_pairs_of_ends() {
    const RAYS: &str = "[Event \"RAYS\"]\n[FEN \"8/8/8/3k4/8/1N6/8/QR1K3R w - - 0 1\"]\n\n*\n";
    check(
        RAYS,
        &[
            ("(position :ray (R K))", Some(&[0])),
            ("(position :ray (R K) 2)", Some(&[0])),
            ("(position :ray (Q R K) 1)", Some(&[0])),
            ("(position :ray (Q K))", None),
            ("(position :rayvertical (k K) 1)", Some(&[0])),
            ("(position :rayvertical (k . . K) 1)", Some(&[0])),
            ("(position :rayvertical (k . . . . K))", None),
            ("(position :rayattack (R K) 2)", Some(&[0])),
            ("(position :rayattack (K R))", None),
            ("(position :raydiagonal (R K))", None),
            ("(position :attackcount R K 2)", Some(&[0])),
            ("(position :attackcount [QR] .[c1,g1] 2)", Some(&[0])),
            ("(position :powerdifference U 22)", Some(&[0])),
            ("(position :powerdifference U -22 :flipcolor)", Some(&[0])),
        ],
    );
}

/// A null move has no designations: it is neither a move of the king nor a capture of it.
#[test]
fn null_moves_have_no_designations() {
    check(
        "1. e4 -- (1... e5) 2. e5 -- 3. Ke2 *",
        &[
            ("(position :movefrom k)", None),
            ("(position :variations :movefrom k)", None),
            ("(position :movefrom ?e8)", None),
            ("(position :moveto k)", None),
            ("(position :moveto [Aa])", None),
            ("(position :moveto ?e8)", None),
            ("(position :movefrom [Kk] :markall)", Some(&[4])),
            ("(position :moveto . :markall)", Some(&[0, 2, 4])),
            (":forany x [Kk] (position :movefrom $x :markall)", Some(&[4])),
            ("(position :btm :movefrom k :not :markall)", Some(&[0, 1, 2, 3, 4, 5])),
            (
                "(position :sequence ((position :movefrom P) (position :btm) (position :movefrom P)))",
                Some(&[0]),
            ),
            ("(position :sequence ((position :movefrom P) (position :movefrom k)))", None),
            ("(position :btm :noenpassant)", Some(&[1])),
        ],
    );
}
