//! How queries are read, as S-expressions (docs/src/language/reading.md).

use babson_lang::ast::{ExprKind, print};
use babson_lang::{Dialect, parse};

fn shape(text: &str) -> String {
    match parse(text, Dialect::CQLI) {
        Ok(query) => print::query(&query),
        Err(errors) => format!("error: {}", errors[0]),
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(text, expected)| shape(text) != *expected)
        .map(|(text, expected)| {
            format!("{text}\n  expected {expected}\n  actual   {}", shape(text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn levels() {
    check(&[
        ("1+2*3", "(+ 1 (* 2 3))"),
        ("10-3-2", "(- (- 10 3) 2)"),
        ("1<2<3", "(< 1 (< 2 3))"),
        ("K & e1 attacks e2", "(& K (attacks e1 e2))"),
        ("R|K attacks e2", "(| R (attacks K e2))"),
        ("A&K|k", "(| (& A K) k)"),
        ("K->e2|e8", "(-> K (| e2 e8))"),
        ("~A&K", "(& (~ A) K)"),
        ("~A attacks k", "(~ (attacks A k))"),
        ("not A==a", "(not (== A a))"),
        ("not K in a", "(not (in K a))"),
        ("not false and false", "(and (not false) false)"),
        ("true or false and false", "(or true (and false false))"),
        ("\"a\"+\"b\" ~~ \"b\"", "(+ \"a\" (~~ \"b\" \"b\"))"),
        ("currentposition: K|k", "(| (: currentposition K) k)"),
        (
            "position 2: position 3: parent: positionid",
            "(: (position 2) (: (position 3) (: parent positionid)))",
        ),
        (". attackedby K & . attackedby k == []", "(== (& (attackedby . K) (attackedby . k)) [])"),
        ("position 1 & currentposition", "(& (position 1) currentposition)"),
        ("B->n->k", "(-> B n k)"),
        ("(B->n)->k", "(-> (paren (-> B n)) k)"),
    ]);
}

#[test]
fn prefixes() {
    check(&[
        ("#A|a - 1", "(- (# (| A a)) 1)"),
        ("#A == #a", "(== (# A) (# a))"),
        ("#A-2", "(- (# A) 2)"),
        ("#A -2", "(- (# A) 2)"),
        // Binary unless type checking rejects that.
        ("K -1", "(- K 1)"),
        ("x=1 x -1", "(= x 1) (- x 1)"),
        ("type K&A", "(type (& K A))"),
        ("up 1 K & e2", "(& (up 1 K) e2)"),
        ("light A attacks k", "(attacks (light A) k)"),
        ("-#A+1", "(+ (neg (# A)) 1)"),
        ("- -5", "(neg -5)"),
        ("abs -5+3", "(abs (+ -5 3))"),
        ("1 + abs -3 + 4", "(+ 1 (abs (+ -3 4)))"),
        ("flip Ra1 and true", "(flip (and Ra1 true))"),
        ("x∊A K or true", "(each x A (or K true))"),
        ("~ flipcolor P & K", "(~ (flipcolor (& P K)))"),
        ("[Pp] & ~ flipcolor P & up 1 P", "(& [Pp] (~ (flipcolor (& P (up 1 P)))))"),
        ("child : not move legal : mate", "(: child (not (: (move legal) mate)))"),
        ("if a1 if b1 c1 else d1", "(if a1 (if b1 c1 d1))"),
        ("lowercase \"ABC\" ~~ \"b\"", "(lowercase (~~ \"ABC\" \"b\"))"),
    ]);
}

#[test]
fn dashes_and_moves() {
    check(&[
        ("K--g1", "(-- K g1)"),
        ("K --g1", "K (-- _ g1)"),
        ("K-- g1", "(-- K _) g1"),
        ("K -- g1", "K (-- _ _) g1"),
        ("N--y=Q", "(-- N y (= Q))"),
        ("--=(\".\")", "(-- _ _ (= (paren \".\")))"),
        ("K|N--f3|g1(check)", "(-- (| K N) (| f3 g1) (target check))"),
        ("--(from)", "(-- _ _ (target from))"),
        ("~N--f3", "(-- (~ N) f3)"),
        ("#N--(from)", "(# (-- N _ (target from)))"),
        ("countmoves legal K-- == 0", "(== (countmoves legal (-- K _)) 0)"),
        ("move N to g5", "(move) N to g5"),
        ("move to . from a1", "(move (to .) (from a1))"),
        ("move count legal : mate == 1", "(== (: (move count legal) mate) 1)"),
        ("move from K comment(\"a\" \"b\")", "(move (from K) (comment \"a\" \"b\"))"),
        ("move to from", "(move (to from))"),
        ("move from to to from", "(move (from to) (to from))"),
        ("move from between(A a) to e4", "(move (from (between A a)) (to e4))"),
        ("move from parent:K to e4", "(move (from (: parent K)) (to e4))"),
        ("move from child(0):~K : check", "(: (move (from (: (child 0) (~ K)))) check)"),
        ("move from position 3:K", "(move (from (: (position 3) K)))"),
        ("pin from parent:B to k", "(pin (from (: parent B)) (to k))"),
        ("move from K : check", "(: (move (from K)) check)"),
        ("pin from A through n to k", "(pin (from A) (through n) (to k))"),
        (
            "imagine piece _ --> [Qq] swap K k : check",
            "(: (imagine (piece _ [Qq]) (swap K k)) check)",
        ),
    ]);
}

/// The sets of `imagine` can be any filters; they end at its `:` or at the next change
/// (docs/src/language/imaginary.md).
#[test]
fn imagine_takes_any_set() {
    check(&[
        (
            "imagine piece Q --> P & a-d2 | e4 : Q attacks k",
            "(: (imagine (piece Q (| (& P [a2,b2,c2,d2]) e4))) (attacks Q k))",
        ),
        (
            "imagine swap e1 & K N attacks f3 sidetomove white : Q",
            "(: (imagine (swap (& e1 K) (attacks N f3)) (sidetomove white)) Q)",
        ),
        (
            "imagine piece Q --> flip a4 piece _ --> pin from R swap flip K k : Q",
            "(: (imagine (piece Q (flip a4)) (piece _ (pin (from R))) (swap (flip K) k)) Q)",
        ),
        (
            "imagine piece Q --> move to . legal from N sidetomove reverse : mate == 1",
            "(== (: (imagine (piece Q (move (to .) legal (from N))) (sidetomove reverse)) mate) 1)",
        ),
        (
            "imagine piece Q --> move to . from parent:N : mate",
            "(: (imagine (piece Q (move (to .) (from (: parent N))))) mate)",
        ),
        (
            "imagine piece Q --> piece $p in N {true} piece q --> piece all $p in n true : Q",
            "(: (imagine (piece Q (piece $p N (block true))) (piece q (piece all $p n true))) Q)",
        ),
        (
            "imagine piece Q --> if sidetomove == 1 then a1 else a2 sidetomove black : Q",
            "(: (imagine (piece Q (if (== sidetomove 1) a1 a2)) (sidetomove black)) Q)",
        ),
        (
            "imagine piece Q --> makesquare \"e4\" : legal --(o-o)",
            "(: (imagine (piece Q (makesquare \"e4\"))) (legal (-- _ _ (target o-o))))",
        ),
        (
            "imagine piece Q --> legal -- : imagine swap K k : Q",
            "(: (imagine (piece Q (legal (-- _ _)))) (: (imagine (swap K k)) Q))",
        ),
        (
            "imagine piece Q --> imagine swap K k : K piece R --> a1 : R",
            "(: (imagine (piece Q (: (imagine (swap K k)) K)) (piece R a1)) R)",
        ),
        (
            "imagine piece Q --> {parent : N} : imagine piece R --> (parent : K) : R",
            "(: (imagine (piece Q (block (: parent N)))) (: (imagine (piece R (paren (: parent K)))) R))",
        ),
        (
            "line --> imagine piece Q --> a1 | b2 : check --> mate",
            "(line ((: (imagine (piece Q (| a1 b2))) check)) (mate))",
        ),
    ]);
}

#[test]
fn sequences() {
    check(&[
        ("path -- check --", "(path (step (-- _ _) check) (step (-- _ _)))"),
        ("path -- + > 5", "(> (path (step (-- _ _) {1,})) 5)"),
        ("path (A-- a--)+\n\ncheck", "(path (chain (step (-- A _)) (step (-- a _)) {1,})) check"),
        ("path focus K nestban 3 5 -- {2}", "(path (focus K) nestban 3 5 (step (-- _ _) {2,2}))"),
        ("path max #A --+", "(path (max (# A)) (step (-- _ _) {1,}))"),
        ("line --> check + --> (A --> a){2}", "(line (check {1,}) (group (A) (a) {2,2}))"),
        ("line nestban 3 50 --> check", "(line nestban 3 50 (check))"),
        ("find <-- 3 100 check", "(find <-- 3 100 check)"),
        ("check ///\"x\" ply\nmate", "check (/// \"x\" ply) mate"),
        ("sort \"n\" {find all check} >= 2", "(sort \"n\" (>= (block (find all check)) 2))"),
        ("echo (x y) in all x==y", "(echo all x y (== x y))"),
    ]);
}

#[test]
fn words_in_context() {
    check(&[
        ("message(event \"E\")", "(message (event) \"E\")"),
        ("event \"E\"", "(event \"E\")"),
        ("try=1 try", "(= try 1) try"),
        (
            "dictionary int --> int (sum) D D[ K ]+=1",
            "(dictionary Int->Int (sum) D) (+= (index D K) 1)",
        ),
        ("key $k in D K", "(key $k D K)"),
        ("x=1 up x K", "(= x 1) (up x K)"),
        ("x=1 up x & K", "(= x 1) (& (up x) K)"),
        ("function f(x){ x } f (3)", "(function f [x] x) (call f 3)"),
        ("◭x=Q x", "(piece= x Q) x"),
        ("hhdb gbr kings \"a\"", "(hhdb gbr kings \"a\")"),
        ("x=\"abc\" x[1:#x]", "(= x \"abc\") (slice x 1 (# x))"),
    ]);
}

#[test]
fn the_grammar_decides_between_readings() {
    check(&[
        ("x=A if x -10 else 0", "(= x A) (if x -10 0)"),
        ("if K -10*(ply-1) else 0", "(if K (* -10 (paren (- ply 1))) 0)"),
        ("if K -10 else if k -5 else 0", "(if K -10 (if k -5 0))"),
        ("square x in A -1", "(square x A -1)"),
        ("while (check) -ply", "(while check (neg ply))"),
    ]);
}

/// An operator whose left operand would be of a lower level is an error.
#[test]
fn the_left_operand_of_an_operator_has_its_level() {
    for text in ["K in a in b", "-- & K", "K -- | a", "K--a1(check) & k", "a | -- | b"] {
        assert!(shape(text).starts_with("error: unexpected"), "{text}: {}", shape(text));
    }
}

/// The place of a filter does not include the whitespace after it.
#[test]
fn a_filter_ends_with_its_last_token() {
    let query = parse("line --> legal --  --> check", Dialect::CQLI).unwrap();
    let ExprKind::Line { parts, .. } = &query.items[0].kind else { panic!("not a line") };
    assert_eq!((parts[0].span.start, parts[0].span.end), (9, 17));
}

/// After an error in brackets, the parser goes on both inside and after them.
#[test]
fn errors_are_found_in_each_bracket() {
    let errors = parse("{K & } (mate | ) not or [Q", Dialect::CQLI).unwrap_err();
    assert_eq!(errors.len(), 1, "an open bracket is the only error");
    let errors = parse("{K & } (mate | ) message(not or K) K", Dialect::CQLI).unwrap_err();
    let places: Vec<u32> = errors.iter().map(|error| error.span.start).collect();
    assert_eq!(places, [5, 15, 29]);
}

#[test]
fn dialects_differ() {
    assert!(parse("cql() try=1", Dialect::CQL6).is_err());
    assert!(parse("mate ; comment", Dialect::CQL6).is_ok());
    assert!(parse("mate ; comment", Dialect::CQLI).is_err());
    assert!(parse("1-0", Dialect::CQLI).is_ok());
    assert!(parse("1-0", Dialect::CQL6).is_err());
}

#[test]
fn depth_is_bounded() {
    for text in [
        "not ".repeat(100_000) + "check",
        "(".repeat(100_000) + "K" + &")".repeat(100_000),
        "1<".repeat(100_000) + "1",
        "parent:".repeat(100_000) + "K",
        "x[".repeat(300) + "1" + &"]".repeat(300),
        "if check ".repeat(50_000) + "K",
    ] {
        let _ = parse(&text, Dialect::CQLI);
    }
    let long = "K or ".repeat(20_000) + "k";
    assert!(parse(&long, Dialect::CQLI).is_ok(), "long lists of alternatives are not deep");
}
