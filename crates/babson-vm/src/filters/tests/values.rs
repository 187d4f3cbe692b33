//! Examples for numbers, strings, text and FEN.

use babson_chess::{CastlingRights, CastlingSide, Color, SquareSet};
use babson_lang::hir::{Arithmetic, Content, Designator};

use super::super::fixture::{board, squares};
use super::super::strings::Unit::{Byte, Character};
use super::super::*;

#[test]
fn arithmetic() {
    let compute = numbers::arithmetic;
    assert_eq!(compute(Arithmetic::Add, i32::MAX, 1), Some(i32::MIN));
    assert_eq!(compute(Arithmetic::Subtract, i32::MIN, 1), Some(i32::MAX));
    assert_eq!(compute(Arithmetic::Multiply, 65536, 65536), Some(0));
    assert_eq!(compute(Arithmetic::Divide, -7, 2), Some(-3));
    assert_eq!(compute(Arithmetic::Remainder, -7, 3), Some(-1));
    assert_eq!(compute(Arithmetic::Remainder, 7, -3), Some(1));
    assert_eq!(compute(Arithmetic::Divide, 1, 0), None);
    assert_eq!(compute(Arithmetic::Remainder, 1, 0), None);
    assert_eq!(compute(Arithmetic::Divide, i32::MIN, -1), Some(i32::MIN));
    assert_eq!(compute(Arithmetic::Remainder, i32::MIN, -1), Some(0));
    assert_eq!((numbers::abs(-3), numbers::abs(i32::MIN)), (3, i32::MIN));
    assert_eq!((numbers::negate(3), numbers::negate(i32::MIN)), (-3, i32::MIN));
    assert_eq!((numbers::sqrt(17), numbers::sqrt(16), numbers::sqrt(-1)), (Some(4), Some(4), None));
    assert_eq!(numbers::sqrt(i32::MAX), Some(46340));
}

#[test]
fn slices() {
    let at = |text: &'static str, index| strings::char_at(text.as_bytes(), index, Byte);
    assert_eq!(at("abc", -1), Some(&b"c"[..]));
    assert_eq!(at("abc", 5), None);
    assert_eq!(at("abc", -4), None);
    assert_eq!(at("", 0), None);
    let cut = |from, to| strings::slice(b"abc", from, to, Byte);
    assert_eq!(cut(Some(1), Some(9)), b"bc");
    assert_eq!(cut(None, Some(-1)), b"ab");
    assert_eq!(cut(Some(-2), Some(-1)), b"b");
    assert_eq!(cut(Some(-5), None), b"abc");
    assert_eq!(cut(Some(2), Some(1)), b"");
    assert_eq!(cut(None, None), b"abc");
    assert_eq!(cut(Some(i32::MAX), Some(i32::MIN)), b"");
    let mut text = b"abc".to_vec();
    assert!(strings::assign_at(&mut text, 1, b"ZZ", Byte));
    assert_eq!(text, b"aZZc");
    let mut text = b"abc".to_vec();
    strings::assign_slice(&mut text, Some(0), Some(2), b"", Byte);
    assert_eq!(text, b"c");
    assert!(!strings::assign_at(&mut text, 7, b"x", Byte));
    assert_eq!(text, b"c");
}

#[test]
fn units() {
    let text = "aé♔\u{1f600}z".as_bytes();
    assert_eq!((strings::len(text, Byte), strings::len(text, Character)), (11, 5));
    assert_eq!(strings::char_at(text, 2, Character), Some("♔".as_bytes()));
    assert_eq!(strings::char_at(text, -1, Character), Some(&b"z"[..]));
    assert_eq!(strings::slice(text, Some(1), Some(-1), Character), "é♔\u{1f600}".as_bytes());
    assert_eq!(strings::index_of("♔".as_bytes(), text, Character), Some(2));
    assert_eq!(strings::index_of("♔".as_bytes(), text, Byte), Some(3));
    // Bytes that are not UTF-8: each counts as one character.
    let broken = b"\xff\xe2\x99a\xc3";
    assert_eq!(strings::len(broken, Character), 5);
    assert_eq!(strings::char_at(broken, 3, Character), Some(&b"a"[..]));
    assert_eq!(strings::uppercase("é\u{df}a".as_bytes(), Character), "ÉSSA".as_bytes());
    assert_eq!(strings::uppercase("éa".as_bytes(), Byte), "éA".as_bytes());
    assert_eq!(strings::lowercase(b"\xffA\xc3", Character), b"\xffa\xc3");
    assert_eq!(strings::lowercase("ÉA".as_bytes(), Character), "éa".as_bytes());
}

#[test]
fn conversions() {
    assert_eq!(strings::index_of(b"", b"abc", Byte), Some(0));
    assert_eq!(strings::index_of(b"bc", b"abc", Byte), Some(1));
    assert_eq!(strings::index_of(b"cd", b"abc", Byte), None);
    assert_eq!(strings::index_of(b"abcd", b"abc", Byte), None);
    assert_eq!(strings::index_of(b"aab", b"aaab", Byte), Some(1));
    for (text, value) in [
        ("12", Some(12)),
        ("-12", Some(-12)),
        ("+12", None),
        (" 12", None),
        ("12 ", None),
        ("", None),
        ("-", None),
        ("--1", None),
        ("007", Some(7)),
        ("99999999999", Some(1_215_752_191)),
        ("-2147483648", Some(i32::MIN)),
    ] {
        assert_eq!(strings::parse_int(text.as_bytes()), value, "{text}");
    }
    assert_eq!((strings::ascii_code(b"A"), strings::ascii_code(b"AB")), (Some(65), None));
    assert_eq!(strings::ascii_code(b"\xff"), Some(255));
    for (n, byte) in [(65, Some(b'A')), (0, None), (255, Some(255)), (256, None), (-1, None)] {
        assert_eq!(strings::ascii_char(n), byte);
    }
}

#[test]
fn printed() {
    let print = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    };
    let set = |set: SquareSet| print(&|out| text::set(out, set));
    assert_eq!(set(SquareSet::EMPTY), "[]");
    assert_eq!(set(squares("e4")), "e4");
    assert_eq!(set(squares("h8 a1 e4")), "[a1,e4,h8]");
    for n in [0, 7, -7, 10, i32::MAX, i32::MIN] {
        assert_eq!(print(&|out| text::number(out, n)), n.to_string());
    }
    let (contents, _) = board("8/8/8/8/8/8/8/4K3 w");
    let square = babson_chess::Square::E1;
    assert_eq!(print(&|out| text::piece(out, contents.at(square).unwrap(), square)), "Ke1");
}

#[test]
fn fen_of_cql6() {
    let write = |fen: &str, touched: SquareSet, en_passant: Option<&str>| {
        let (contents, turn) = board(fen);
        let mut out = Vec::new();
        let rights = fen::home_rights(&contents, touched);
        let en_passant = en_passant.map(|name| name.parse().unwrap());
        fen::write6(&mut out, &contents, turn, rights, en_passant);
        String::from_utf8(out).unwrap()
    };
    let empty = SquareSet::EMPTY;
    assert_eq!(
        write("r3k2r/8/8/8/8/8/8/R3K2R w - -", empty, None),
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    );
    assert_eq!(
        write("r3k2r/8/8/8/8/8/8/R3K2R b - -", squares("h1 a8"), Some("e3")),
        "r3k2r/8/8/8/8/8/8/R3K2R b Qk e3 0 1"
    );
    assert_eq!(write("8/8/8/8/8/8/8/8 w", empty, None), "8/8/8/8/8/8/8/8 w - - 0 1");
    let (contents, _) = board("r3k2r/8/8/8/8/8/8/R3K2R w - -");
    let rights = fen::home_rights(&contents, squares("e1"));
    assert!(!rights.any(Color::White) && rights.has(Color::Black, CastlingSide::Queen));
    assert_eq!(fen::home_rights(&Contents::BARE, empty), CastlingRights::default());
}

#[test]
fn fen_pattern() {
    let (contents, _) = board("8/8/8/8/8/8/8/R3K3 w");
    let part = |names, content| Designator { squares: squares(names).0, content };
    let home =
        [part("e1", Content(1 << 5)), part("a1", Content::WHITE), part("b1 c1", Content::EMPTY)];
    assert!(fen::matches(&contents, &home));
    assert!(!fen::matches(&contents, &[part("d1 e1", Content(1 << 5))]));
    assert!(fen::matches(&contents, &[]));
}
