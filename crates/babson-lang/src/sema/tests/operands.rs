//! Tests of the ends of operands that types decide.

use super::*;

/// An operator that does not fit moves outwards, or into the operand of a prefix filter.
#[test]
fn regrouping() {
    for (long, explicit) in [
        ("find quiet check : ply", "(find quiet check) : ply"),
        ("int event - 1900", "(int event) - 1900"),
        ("ascii \"q\" + 1", "(ascii \"q\") + 1"),
        ("2 * int event - 1", "(2 * (int event)) - 1"),
        ("1 == int event - 1", "1 == ((int event) - 1)"),
        ("abs int event - 1", "abs ((int event) - 1)"),
        ("#\"a\" + \"b\"", "#(\"a\" + \"b\")"),
        ("#\"a\" + \"b\" + \"c\"", "#(\"a\" + \"b\" + \"c\")"),
        ("str ply + 1", "str(ply + 1)"),
        ("str 5-3", "str(5 - 3)"),
        ("\"q\" + str ply%2 - 1", "\"q\" + str(ply%2 - 1)"),
        ("str 1 < 2", "str(1 < 2)"),
        ("str A == 16", "str(A == 16)"),
        ("str K in A or check", "str(K in A or check)"),
        ("str K & . + \"x\" + \"y\"", "str(K & .) + \"x\" + \"y\""),
        ("str ply + \"x\"", "str(ply) + \"x\""),
        ("piece p1 = K str p1 + \"x\" == \"Ke1x\"", "piece p1 = K (str(p1) + \"x\") == \"Ke1x\""),
        ("#A|a - 1", "(#(A|a)) - 1"),
        ("1 + abs -3 + 4", "1 + (abs (-3 + 4))"),
        ("K & e1 attacks e2", "K & (e1 attacks e2)"),
        ("~A attacks k", "~(A attacks k)"),
        ("not K in a", "not (K in a)"),
        ("not false and false", "(not false) and false"),
        ("flipcolor P & K", "flipcolor (P & K)"),
        ("x = find check : ply", "x = ((find check) : ply)"),
        ("parent : \"abc\"[ply:]", "(parent : \"abc\")[ply:]"),
        ("parent : \"abc\"[ply:][1]", "((parent : \"abc\")[ply:])[1]"),
        ("position parent:positionid", "position (parent:positionid)"),
        ("position 3 : K", "(position 3) : K"),
        ("square w in A b1 in A == P", "(square w in A b1 in A) == P"),
        ("1 == K - 1", "(1 == K) (-1)"),
        ("path max P 1 2 --", "path max {#P} 1 2 --"),
    ] {
        assert_eq!(cql6(long), cql6(explicit), "{long}");
        assert!(!cql6(long).starts_with("error"), "{long}: {}", cql6(long));
    }
}

/// A `-` is binary after a number, otherwise it begins a filter.
#[test]
fn minus_goes_by_types() {
    for (query, explicit) in [
        ("x=int tag \"PlyCount\" - 10", "x=((int (tag \"PlyCount\")) - 10)"),
        ("max(ascii \"b\" - ascii \"a\" 0)", "max({(ascii \"b\") - (ascii \"a\")} 0)"),
        ("ascii(file K + ascii \"a\" - 1)", "ascii((file K + ascii \"a\") - 1)"),
        ("(int \"3\" - 1)", "((int \"3\") - 1)"),
        ("\"abc\"[#\"b\" - 1]", "\"abc\"[(#\"b\") - 1]"),
        ("if #event - 1 == 0 then 1 else 2", "if ((#event) - 1) == 0 then 1 else 2"),
        ("file makesquare \"e4\" - 1", "(file (makesquare \"e4\")) - 1"),
        ("#lowercase \"ABC\" - 1", "(#(lowercase \"ABC\")) - 1"),
        ("sqrt int \"16\" - 7", "sqrt ((int \"16\") - 7)"),
        ("flip count Ra1 - 1", "(flip count Ra1) - 1"),
        ("find all K - 1", "(find all K) - 1"),
        ("find quiet all Q - 100 > 0", "((find quiet all Q) - 100) > 0"),
        ("power position 0:A - power A", "(power (position 0:A)) - (power A)"),
        ("#pin from B - 1", "(#(pin from B)) - 1"),
        ("move legal count from K - 1", "(move legal count from K) - 1"),
        ("#square x in A x attacks A - 1", "(#(square x in A x attacks A)) - 1"),
        ("#if K then A else a - 1", "(#(if K then A else a)) - 1"),
        ("str ply - 1", "str(ply - 1)"),
        ("str ply * 2 - 1", "str((ply * 2) - 1)"),
        // Two filters.
        ("K -1", "K {-1}"),
        ("not K -1 or check", "(not K) {-1 or check}"),
        ("flip K -1", "(flip K) {-1}"),
        ("x=\"a\" -#x + 1", "x=\"a\" {(-#x) + 1}"),
        ("message(\"n\" -3)", "message(\"n\" {-3})"),
        ("message(K -1 . -1 \"a\" -#K)", "message(K {-1} . {-1} \"a\" {-#K})"),
        ("x=K message(x -1)", "x=K message(x {-1})"),
        ("piece x=K message(x -1)", "piece x=K message(x {-1})"),
        ("str K -1", "str(K) {-1}"),
        ("equal(K -1)", "equal(K {-1})"),
        ("function f(x y){x} f(K -1)", "function f(x y){x} f(K {-1})"),
        ("if K -#a - 10 else 0", "if K {(-#a) - 10} else 0"),
        ("x=K if x -#a - 10 else 0", "x=K if x {(-#a) - 10} else 0"),
    ] {
        for dialect in [Dialect::CQL6, Dialect::CQLI] {
            let [long, explicit] = [query, explicit].map(|text| tree(text, dialect));
            assert_eq!(long, explicit, "{query}");
            assert!(!long.starts_with("error"), "{query}: {long}");
        }
    }
    for (query, error) in [
        ("child(1) + 1", "error at `+`: `+` cannot follow a position\n"),
        ("#(A - 1)", "error at `-`: `-` cannot follow a set of squares\n"),
        ("max(K -1)", "error at `K`: `max` needs a number, but this is a set of squares\n"),
        ("A + 1", "error at `+`: `+` cannot follow a set of squares\n"),
    ] {
        assert!(cql6(query).starts_with(error), "{query}: {}", cql6(query));
    }
}

/// One pass finds many rejected readings of `-`, and an error has the span of its own filter.
#[test]
fn many_minus_signs() {
    let many = "K -1 message(k -1 \"a\" -2) ".repeat(1500);
    let analysis = analyze(&format!("cql() {many}"), Dialect::CQL6).unwrap();
    assert_eq!(analysis.query.body.len(), 4500);
    let errors = cql6("message(K -1) #(A - 1) message(k -1)");
    assert!(errors.starts_with("error at `-`: `-` cannot follow a set"), "{errors}");
    let query = "cql() message(K -1) #(A - 1) message(k -1)";
    let error = analyze(query, Dialect::CQL6).unwrap_err().remove(0);
    assert_eq!(error.span.start as usize, query.find("- 1").unwrap());
    let names = cql6("x=\"a\" -1 message(x -1) y=x up y K");
    assert!(names.contains("error at `y`"), "{names}");
    assert_eq!(
        cql6("x=\"a\" -1 message(x -1) y=2 up y K"),
        cql6("x=\"a\" {-1} message(x {-1}) y=2 up y K")
    );
}

/// `position` takes a sum, without operators of sets or positions.
#[test]
fn positions_by_sums() {
    for (query, explicit) in [
        ("x=3 y=position x-1", "x=3 y=position(x-1)"),
        ("x=3 position x-1:positionid", "x=3 (position(x-1)):positionid"),
        ("x=3 position x/2 - 1:K", "x=3 (position((x/2) - 1)):K"),
        ("x=3 position x-1 & currentposition", "x=3 (position(x-1)) & currentposition"),
        ("x=3 position x-1 == parent", "x=3 (position(x-1)) == parent"),
        ("x=3 lca(position x-1 parent)", "x=3 lca({position(x-1)} parent)"),
        ("x=3 #position x-1:K & k", "x=3 #(((position(x-1)):K) & k)"),
        ("x=3 up position x-1:K & k", "x=3 (up ((position(x-1)):K)) & k"),
        ("position 2*3", "position(2*3)"),
        ("position -1", "position(-1)"),
        ("position abs -1", "position(abs -1)"),
        ("position #K-1:k", "(position((#K)-1)):k"),
        ("position int \"2\" - 1", "position((int \"2\") - 1)"),
        ("position rank K", "position(rank K)"),
        ("position (1)-1", "position(1-1)"),
        ("position 5:A -1", "((position 5):A) {-1}"),
        ("position 5:K->a", "((position 5):K)->a"),
        ("K--position 5:a", "K--{position 5:a}"),
        ("dictionary D D[1]=3 position D[1]-1:K", "dictionary D D[1]=3 (position(D[1]-1)):K"),
    ] {
        let [long, explicit] = [query, explicit].map(cql6);
        assert_eq!(long, explicit, "{query}");
        assert!(!long.starts_with("error"), "{query}: {long}");
    }
}

/// A filter `position : set` can be an operand of `move` and `pin`. Other filters are not divided
/// at the `:`.
#[test]
fn operands_of_other_positions() {
    for (query, explicit) in [
        ("move from parent:N", "move from (parent:N)"),
        ("move to child:N previous", "move to (child:N) previous"),
        ("move capture child(0):K promote Q", "move capture (child(0):K) promote Q"),
        ("move enpassantsquare child:p", "move enpassantsquare (child:p)"),
        ("pin from parent:K", "pin from (parent:K)"),
        ("pin through lca(parent child):K to k", "pin through (lca(parent child):K) to k"),
        ("x=parent move from x:K to e4", "x=parent move from (x:K) to e4"),
        ("x=parent pin from x:K to k", "x=parent pin from (x:K) to k"),
        ("x=parent move from x:x:K : check", "x=parent move from (x:x:K) : check"),
        ("move from position 3:K to e4", "move from (position 3:K) to e4"),
        ("move to from : check", "move to (from) : check"),
    ] {
        let [long, explicit] = [query, explicit].map(cql6);
        assert_eq!(long, explicit, "{query}");
        assert!(!long.starts_with("error"), "{query}: {long}");
    }
    let position = "`from` needs a set of squares, but this is a position";
    for (query, error) in [
        ("x=parent move from x", position),
        ("move from parent", position),
        ("pin from K:k", "error at `:`: `:` cannot follow a set of squares"),
        ("move to", "the query ends here: expected an operand"),
    ] {
        assert!(cql6(query).contains(error), "{query}: {}", cql6(query));
    }
}

/// After a direction, the name of a number is the range of the direction, and any other name is its
/// operand.
#[test]
fn names_after_directions() {
    for (query, explicit) in [
        ("x=3 up x K & .", "x=3 (up x K) & ."),
        ("x=K up x & .", "x=K (up {x}) & ."),
        ("x=K up x Q", "x=K {up {x}} Q"),
        (
            "function f(s){southwest s K} f({a1}) true",
            "function f(s){{southwest {s}} K} f({a1}) true",
        ),
        ("function f(s){southwest s K} f(2) true", "function f(s){{southwest s (K)}} f(2) true"),
    ] {
        assert_eq!(cql6(query), cql6(explicit), "{query}");
        assert!(!cql6(query).starts_with("error"), "{query}: {}", cql6(query));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Prefix filters over each other: whatever a `-` stands behind, their type decides.
    #[test]
    fn minus_goes_by_the_type_of_all_before_it(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "#", "power ", "rank ", "light ", "up 1 ", "~", "flip ", "find ", "find all ", "parent:", "str ",
                "find quiet ", "not ", "if check ", "square x in A ", "lowercase ", "typename ", "child:", "- ",
            ]),
            0..4,
        ),
        operand in prop::sample::select(vec!["K", ".", "[]", "\"e4\"", "a1", "event", "K|k", "\"a\" ~~ \"b\""]),
    ) {
        let before = words.concat() + operand;
        // A wide filter over a number takes the difference.
        let wide = ["flip", "find", "not", "if", "square", "str"];
        let takes = (0..words.len()).any(|i| {
            wide.iter().any(|word| words[i].starts_with(word))
                && type_of(&(words[i + 1..].concat() + operand)) == Some(Type::Number)
        });
        if let (Some(ty), false) = (type_of(&before), takes) {
            let apart = if ty == Type::Number { " " } else { " {" };
            let end = if ty == Type::Number { "" } else { "}" };
            let explicit = cql6(&format!("({before}){apart}- 1{end}"));
            prop_assert_eq!(cql6(&format!("{before} - 1")), explicit, "{}", before);
        }
    }
}

/// What is postfix, an arrow or a dash fits the result of a filter before it too, where it does not
/// fit its operand.
#[test]
fn postfix_operators_and_arrows_move_outwards() {
    for (long, explicit) in [
        ("str K ~~ \"a\"", "(str K) ~~ \"a\""),
        ("typename K ~~ \"N\"", "(typename K) ~~ \"N\""),
        ("\"x\" + str K ~~ \"e\"", "\"x\" + ((str K) ~~ \"e\")"),
        ("#str K ~~ \"a\"", "#((str K) ~~ \"a\")"),
        ("str ply[0]", "(str ply)[0]"),
        ("typename K[0:1]", "(typename K)[0:1]"),
        ("lowercase \"ABC\"[0]", "lowercase (\"ABC\"[0])"),
        ("x∊A true -> k", "{x∊A true} -> k"),
        ("x∊A true <- k <- Q", "{x∊A true} <- k <- Q"),
        ("K -> x∊A true -> k", "K -> {x∊A true} -> k"),
        ("x∊A true & k", "{x∊A true} & k"),
        ("x∊A true--a1", "{x∊A true}--a1"),
        ("pin from $x∊A true -> k", "{pin from {$x∊A true}} -> k"),
        ("move from flip K & k", "move from {flip (K & k)}"),
        ("line --> check > 3", "{line --> check} > 3"),
        ("path -- + check > 5", "{path -- + check} > 5"),
        ("path lastposition (--)+ mate : ply", "{path lastposition (--)+ mate} : ply"),
        ("while (str K ~~ \"a\") false", "while ((str K) ~~ \"a\") false"),
        ("[Aa]p = K str p ~~ \"K\"", "[Aa]p = K str(p) ~~ \"K\""),
    ] {
        assert_eq!(cql6(long), cql6(explicit), "{long}");
        assert!(!cql6(long).contains("error at"), "{long}: {}", cql6(long));
    }
    assert!(cql6("while (str K ~~ \"a\") false").contains("For matches"));
    assert!(!cql6("while ({event ~~ \"a\"}) false").contains("For matches"));
}

/// Any filter whose value is a set can be an operand of a dash, of `move` and of `pin`; it ends
/// where it would end elsewhere.
#[test]
fn prefix_filters_are_operands() {
    for (bare, explicit) in [
        ("R--flip a1", "R--{flip a1}"),
        ("--flipcolor h8", "--{flipcolor h8}"),
        ("--square x in A true", "--{square x in A true}"),
        ("--x∊A true", "--{x∊A true}"),
        ("--if A A else a", "--{if A A else a}"),
        ("--A & flip a1", "--{A & flip a1}"),
        ("--~flip a1", "--{~flip a1}"),
        ("--up 1 flip a1", "--{up 1 flip a1}"),
        ("--makesquare \"e4\"", "--{makesquare \"e4\"}"),
        ("--flip a1(check)", "--{flip a1}(check)"),
        ("--if A A else a(check)", "--{if A A else a}(check)"),
        ("--x∊A true(check)", "--{x∊A true}(check)"),
        ("--x∊A (true)(check)", "--{x∊A true}(check)"),
        ("P--flip a8=Q(check)", "P--{flip a8}=Q(check)"),
        ("P--=lowercase \"Q\"(check)", "P--={lowercase \"Q\"}(check)"),
        ("path --flip a1", "path --{flip a1}"),
        ("path --flip a1 check --x∊A true +", "path --{flip a1} check --{x∊A true} +"),
        ("message(--flip a1)", "message(--{flip a1})"),
        ("if --flip a1 K else Q", "if {--{flip a1}} K else Q"),
        ("x∊A --flip a1", "x∊A {--{flip a1}}"),
        ("pin from move from A", "pin from {move from A}"),
        ("pin from previous --(A) to k", "pin from {previous --(A)} to k"),
        ("pin from move from A to k", "pin from {move from A to k}"),
        ("pin from move from A through n", "pin from {move from A} through n"),
        ("pin to $x∊A true", "pin to {$x∊A true}"),
        ("pin from flip Ka1 to k", "pin from {flip Ka1} to k"),
        ("pin from ~K attacks k to k", "pin from {~K attacks k} to k"),
        ("pin through if wtm n else N to k", "pin through {if wtm n else N} to k"),
        ("move from flip Ka1 to b1", "move from {flip Ka1} to b1"),
        ("move from x∊A true to b1", "move from {x∊A true} to b1"),
        ("move from flip K : check", "move from {flip K} : check"),
        ("path focus if wtm A else a nestban --", "path focus {if wtm A else a} nestban --"),
        ("path max power A-power a --", "path max {power A-power a} --"),
        ("path max ply-3 --", "path max {ply-3} --"),
        ("path max abs ply nestban --", "path max {abs ply} nestban --"),
        ("path max ply>=5 quiet --", "path max {ply>=5} quiet --"),
    ] {
        assert_eq!(cql6(bare), cql6(explicit), "{bare}");
        assert!(!cql6(bare).contains("error at"), "{bare}: {}", cql6(bare));
    }
}

/// After `legal`, `previous` and their like a dash is a primary, as far as it does not end in an
/// operand.
#[test]
fn dashes_after_words_are_primaries() {
    for (bare, explicit) in [
        ("legal -- & k", "{legal --} & k"),
        ("pseudolegal -- | A", "{pseudolegal --} | A"),
        ("legal --(o-o) & k", "{legal --(o-o)} & k"),
        ("legal A-- & k", "{legal A--} & k"),
        ("legal --A & k", "legal --{A & k}"),
        ("previous --(A) & k", "{previous --(A)} & k"),
        ("previous --K(A) & k", "{previous --K(A)} & k"),
        ("previous --(curpos):true", "{previous --(curpos)}:true"),
        ("currentmove --(A) -> k", "{currentmove --(A)} -> k"),
        ("previous --(str K) ~~ \"a\"", "{previous --(str K)} ~~ \"a\""),
        ("previous --(fen)[0]", "{previous --(fen)}[0]"),
        ("countmoves legal -- > 3", "{countmoves legal --} > 3"),
        ("~legal --", "~{legal --}"),
        ("K & legal --", "K & {legal --}"),
        ("--legal --", "--{legal --}"),
        ("up 1 legal --", "up 1 {legal --}"),
    ] {
        assert_eq!(cql6(bare), cql6(explicit), "{bare}");
        assert!(!cql6(bare).contains("error at"), "{bare}: {}", cql6(bare));
    }
}

/// An error beside a dash names a dash of its kind, in whatever spelling.
#[test]
fn operands_of_captures() {
    for (query, sign) in
        [("Q×{true}", "[x]"), ("{true}×k", "[x]"), ("Q[x]{true}", "[x]"), ("Q――{true}", "--")]
    {
        let told = format!("what touches `{sign}` on its ");
        assert!(cql6(query).contains(&told), "{query}: {}", cql6(query));
    }
}

/// `else` belongs to the `if` whose filter has just ended; one that has ended before stands
/// without.
#[test]
fn an_if_can_be_a_condition() {
    for (bare, explicit) in [
        ("if if A K k else 3", "if {if A K} k else 3"),
        ("if if A K else k then 3 else 4", "if {if A K else k} then 3 else 4"),
        ("if A if a K else k else Q", "if A {if a K else k} else Q"),
        ("if not if A K k else 3", "if {not {if A K}} k else 3"),
        ("if x∊A if x K k else 3", "if {x∊A {if x K}} k else 3"),
        ("if if A K then k else 3", "if {if A K} then k else 3"),
        ("if A K if a k else 3", "{if A K} if a k else 3"),
        ("if A path -- check else 3", "if A {path -- check} else 3"),
        ("if path -- + then 2 else 3", "if {path -- +} then 2 else 3"),
    ] {
        assert_eq!(cql6(bare), cql6(explicit), "{bare}");
        assert!(!cql6(bare).contains("error at"), "{bare}: {}", cql6(bare));
    }
}

/// A string after a filter that is an item of a message list is printed; anywhere else it is
/// searched.
#[test]
fn strings_after_tags() {
    for (bare, explicit) in [
        ("message(event \"E\")", "message({event} \"E\")"),
        ("message(\"a\" player white \"E\")", "message(\"a\" {player white} \"E\")"),
        ("message(not event \"E\")", "message(not {event \"E\"})"),
        ("message(flip date \"20\")", "message(flip {date \"20\"})"),
        ("message(true and date \"20\")", "message(true and {date \"20\"})"),
        ("message(curpos:date \"20\")", "message(curpos:{date \"20\"})"),
        ("message(x∊A date \"20\")", "message(x∊A {date \"20\"})"),
        ("message(find quiet date \"20\")", "message(find quiet {date \"20\"})"),
        ("message(if event \"ty\" then 1 else 2)", "message(if {event \"ty\"} then 1 else 2)"),
        ("message(K if true event \"E\")", "message(K if true {event \"E\"})"),
        ("comment(hhdb composer \"E\")", "comment({hhdb composer} \"E\")"),
        ("str(loop hhdb composer \"E\")", "str(loop {hhdb composer \"E\"})"),
        ("message(originalcomment \"!\")", "message({originalcomment \"!\"})"),
        ("message(lowercase event \" \")", "message({lowercase event} \" \")"),
        ("message(\"N\" <= site \" \")", "message({\"N\" <= site} \" \")"),
        ("message(hascomment \"$1\")", "message({hascomment \"$1\"})"),
        ("message(\"a\" + event \"E\")", "message({\"a\" + event} \"E\")"),
        ("message(originalcomment \"a\")", "message({originalcomment} \"a\")"),
    ] {
        assert_eq!(cql6(bare), cql6(explicit), "{bare}");
        assert!(!cql6(bare).contains("error at"), "{bare}: {}", cql6(bare));
    }
}

/// In `path` a parenthesis with a dash in it is a chain, wherever a constituent can stand.
#[test]
fn chains() {
    for (query, chains) in [
        ("path -- (--)", 1),
        ("path -- ([x]) --", 1),
        ("path -- check (--)", 1),
        ("path A-- (a--){1,2}", 1),
        ("path --(--)", 1),
        ("path ((-- --))", 2),
        ("path check (mate (--) +)", 2),
        ("path -- (check)", 0),
        ("path -- (between(K k))", 0),
    ] {
        assert_eq!(cql6(query).matches("chain").count(), chains, "{query}: {}", cql6(query));
        assert!(!cql6(query).contains("error at"), "{query}: {}", cql6(query));
    }
    // What is not a set stands for itself before a dash.
    for (bare, explicit) in [
        ("path check--", "path check --"),
        ("path o-o――", "path o-o ――"),
        ("path mate--a1 +", "path mate --a1 +"),
        ("path A-- mate--", "path A-- mate --"),
        ("path --[x]", "path -- [x]"),
        ("path (--)--", "path (--) --"),
        ("path --a1(check)--", "path --a1(check) --"),
    ] {
        assert_eq!(cql6(bare), cql6(explicit), "{bare}");
        assert!(!cql6(bare).contains("error at"), "{bare}: {}", cql6(bare));
    }
}
