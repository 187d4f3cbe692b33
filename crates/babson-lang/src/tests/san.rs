//! Moves in the place of filters, and the filters that the help writes.

use crate::diagnostic::{Fix, Span};
use crate::san::{Capture, is_move, path, translated};
use crate::{Dialect, analyze};

#[test]
fn moves_in_other_languages() {
    for (word, query) in [
        ("Sf3", "move to f3 from N"),
        ("Dh7", "move to h7 from Q"),
        ("Sbd2", "move to d2 from Nb1-8"),
        ("T1d8", "move to d8 from Ra-h1"),
        ("Sg1f3", "move to f3 from Ng1"),
        ("Lxf7", "[Bb][x]f7"),
        ("Taxd8", "[Rr]a1-8[x]d8"),
    ] {
        let help = translated(word, Span::default()).unwrap();
        assert_eq!(help.fixes, [Fix::replace(Span::default(), query)]);
        let help = help.text;
        assert!(help.contains(&format!("write `{query}`")), "{help}");
        assert!(analyze(query, Dialect::CQL6).is_ok(), "{query}");
    }
    for other in ["Nf3", "Sf9", "S", "Sf", "f3", "Shift", "Depth", "Sé3", "Sxx3", "Sé", ""] {
        assert_eq!(translated(other, Span::default()), None, "{other}");
    }
}

#[test]
fn captures_become_dashes() {
    for (word, dash) in [
        ("Qxf7", "[Qq][x]f7"),
        ("Nf3xe5", "[Nn]f3[x]e5"),
        ("Raxd5", "[Rr]a1-8[x]d5"),
        ("R1xd5", "[Rr]a-h1[x]d5"),
        ("exd5", "[Pp]e1-8[x]d5"),
        ("e4xd5", "[Pp]e4[x]d5"),
    ] {
        let capture = Capture::read(word).unwrap();
        assert_eq!(capture.dash(), dash);
        assert!(analyze(dash, Dialect::CQL6).is_ok(), "{dash}");
        assert!(is_move(word));
    }
    for other in ["xf7", "Qx", "Qxf9", "Pxe5", "4xd5", "Qxf7x", "qxf7", "Qa1bxf7", "éxd5"] {
        assert_eq!(Capture::read(other), None, "{other}");
    }
    assert!(is_move("Nf3") && !is_move("N") && !is_move("nf3") && !is_move("Pe4"));
}

#[test]
fn moves_become_a_path() {
    for (moves, query) in [
        ("Bxh7+ Kxh7 Ng5+", "path B[x]h7 k[x]h7 N--g5"),
        ("12... Qxh2+ 13. Kf1", "path q[x]h2 K--f1"),
        ("1... c5 2. Nf3", "path p--c5 N--f3"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bxc6", "initial path P--e4 p--e5 N--f3 n--c6 B[x]c6"),
        ("24.exd8=Q+ Raxd8 25.Nbd2", "path Pe1-8[x]d8=Q ra1-8[x]d8 Nb1-8--d2"),
        ("O-O 0-0-0", "path K--(o-o) k--(o-o-o)"),
        ("e8=N+ Kg7", "path P--e8=N k--g7"),
    ] {
        assert_eq!(path(moves).as_deref(), Some(query));
        assert!(analyze(query, Dialect::CQL6).is_ok(), "{query}");
    }
    for other in ["Bxh7+", "1. e4", "Qxf7+ mate", "e4 é4", "e8=K e7", "K q", "1. 2. 3.", ""] {
        assert_eq!(path(other), None, "{other}");
    }
}
