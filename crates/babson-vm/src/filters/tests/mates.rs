//! Section 14 against what CQL 6.2 prints.

use babson_chess::{CastlingRights, Color, SquareSet};
use babson_lang::hir::Participants;

use super::super::fixture::{board, squares};
use super::super::legal6::Moves;
use super::super::participants::{Situation, participants};

fn value(fen: &str, which: Participants, has_children: bool) -> SquareSet {
    let (contents, turn) = board(fen);
    let situation = Situation { turn, en_passant: None, has_children };
    participants(&contents, which, situation, || {
        Moves::new(&contents, turn, CastlingRights::default(), None, true).is_empty()
    })
}

/// The text of a member of a row that is an object of strings without escapes.
fn field<'a>(row: &'a str, name: &str) -> &'a str {
    let (_, rest) = row.split_once(&format!("\"{name}\": \"")).expect(name);
    rest.split('"').next().unwrap()
}

#[test]
fn as_recorded() {
    use Participants::*;
    let goldens = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/goldens/puremate.jsonl");
    let rows = std::fs::read_to_string(goldens).expect("the goldens");
    let (mut seen, mut wrong) = (0, Vec::new());
    for row in rows.lines() {
        for (name, which) in
            [("puremate", PureMate), ("modelmate", ModelMate), ("idealmate", IdealMate)]
        {
            let found = value(field(row, "fen"), which, false);
            if found != squares(field(row, name)) {
                wrong.push(format!("{name} {found:?} {row}"));
            }
        }
        seen += 1;
    }
    assert_eq!(seen, 329);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn observed_mates() {
    use Participants::*;
    let three = |fen: &str| [PureMate, ModelMate, IdealMate].map(|which| value(fen, which, false));
    let none = SquareSet::EMPTY;
    assert_eq!(three("R6k/8/7K/8/8/8/8/8 b"), [squares("h6 a8 h8"); 3]);
    let corner = squares("g7 h7 a8 h8");
    assert_eq!(three("R6k/6pp/8/8/8/8/8/K7 b"), [corner, corner, none]);
    let smothered = squares("f7 g7 h7 g8 h8");
    assert_eq!(three("6rk/5Npp/8/8/8/8/8/K7 b"), [smothered, smothered, none]);
    assert_eq!(three("7k/5KQ1/8/8/8/8/8/8 b"), [none; 3]);
    assert!(!value("R5k1/5ppp/8/8/8/8/8/6K1 b", PureMate, false).is_empty());
    assert_eq!(three("R5k1/5ppp/8/8/8/8/B7/6K1 b"), [none; 3]);
}

#[test]
fn observed_stalemate() {
    use Participants::*;
    for which in [PureStalemate, ModelStalemate, IdealStalemate] {
        assert_eq!(value("7k/7P/7K/8/8/8/8/8 b", which, false), squares("h6 h7 h8"));
        assert_eq!(value("7k/7P/7K/8/8/8/8/8 b", which, true), SquareSet::EMPTY);
        assert_eq!(value("7k/7P/7K/8/8/8/p7/8 b", which, false), SquareSet::EMPTY);
        // The mirrored board.
        assert_eq!(value("8/8/8/8/8/7k/7p/7K w", which, false), squares("h3 h2 h1"));
    }
    assert_eq!(board("8/8/8/8/8/7k/7p/7K w").1, Color::White);
}
