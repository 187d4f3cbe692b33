//! What games share: which programs several machines may run, and that joining their changes gives
//! the same result as one machine.

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};
use proptest::prelude::*;

use crate::{GameContext, Machine, Program, RunOptions, Sharing};

const GAMES: &[&[u8]] = &[
    b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n",
    b"1. f3 e5 2. g4 Qh4# 0-1\n",
    b"1. d4 e6 2. c4 Bb4+ 3. Nc3 Bxc3+ 4. bxc3 Qh4 *\n",
    b"*\n",
    b"1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Be2 Qxe2+ 5. Qxe2+ Kd8 *\n",
    b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n",
    b"[FEN \"4k3/8/8/8/8/8/4q3/4K3 w - - 0 1\"]\n\n1. Kxe2 *\n",
];

fn compile(query: &str, dialect: Dialect) -> Option<Program> {
    let analysis = crate::analyze(query, dialect).ok()?;
    Some(Program::compile(&analysis.query).expect("the query is small"))
}

/// What games print, and the persistent variables and dictionaries after them.
#[derive(Debug, Default, PartialEq)]
struct GamesResult {
    games: Vec<(bool, Vec<u32>, String)>,
    persistents: Vec<String>,
    dictionaries: Vec<String>,
}

impl GamesResult {
    fn run(&mut self, machine: &mut Machine, program: &Program, games: std::ops::Range<usize>) {
        let options = RunOptions { steps: 20_000, ..RunOptions::default() };
        let mut reader = Reader::new();
        for number in games {
            let game = reader.read(GAMES[number], program.needs().union(Needs::MAIN_LINE));
            let context =
                GameContext { number: number as u64 + 1, last_number: None, options: &options };
            let outcome = machine.run(&game, &context).unwrap();
            let messages = String::from_utf8_lossy(&outcome.messages).into_owned();
            let error = outcome.error.as_ref().map(|error| error.message.clone());
            let said = messages + &error.unwrap_or_default();
            self.games.push((outcome.matched, outcome.positions.clone(), said));
        }
    }

    fn keep(mut self, machine: &Machine) -> GamesResult {
        self.persistents = machine.persistents();
        self.dictionaries = machine.dictionaries();
        self
    }
}

/// One machine for all games.
fn whole(program: &Program) -> GamesResult {
    let mut machine = Machine::new(program.clone());
    machine.begin(&RunOptions::default(), None);
    let mut result = GamesResult::default();
    result.run(&mut machine, program, 0..GAMES.len());
    result.keep(&machine)
}

/// Two machines that take turns at these games, joined.
fn joined(program: &Program, cuts: &[usize]) -> GamesResult {
    let mut machine = Machine::new(program.clone());
    machine.begin(&RunOptions::default(), None);
    let mut forks = [machine.fork(), machine.fork()];
    let mut result = GamesResult::default();
    let mut begin = 0;
    for (turn, &end) in cuts.iter().chain([&GAMES.len()]).enumerate() {
        let fork = &mut forks[turn % 2];
        result.run(fork, program, begin..end);
        if let Some(changes) = fork.take_changes() {
            machine.join(changes);
        }
        begin = end;
    }
    result.keep(&machine)
}

#[test]
fn a_dictionary_that_no_game_changes_counts_once() {
    let query = "dictionary F dictionary D cqlbegin { F[1] = 2 } D[ply] = F[1]";
    let program = compile(query, Dialect::CQLI).unwrap();
    let mut machine = Machine::new(program.clone());
    machine.begin(&RunOptions::default(), None);
    let before = machine.changed_bytes();
    let mut fork = machine.fork();
    GamesResult::default().run(&mut fork, &program, 0..1);
    let changes = fork.take_changes().unwrap();
    assert!(before > 0 && changes.bytes() > 0);
    let kept_entries = before + changes.bytes();
    for (kept_entries, expected) in [(kept_entries, false), (kept_entries - 1, true)] {
        let options = RunOptions { kept_entries, ..RunOptions::default() };
        assert_eq!(machine.may_overflow(&changes, &options), expected);
    }
}

#[test]
fn what_games_share() {
    // `+` for what is joined, and else the name that is to blame.
    let cases = [
        ("persistent mates += 1 mate", "+"),
        ("persistent squares |= K attacks k", "+"),
        ("mate persistent last = ply", "+"),
        ("persistent both += ply both = 1", "both"),
        ("persistent odd *= 2", "odd"),
        ("cqlbegin { persistent high = 0 } high = max(high ply)", "+"),
        ("cqlbegin { persistent high = 0 } high = max(high ply) high > 9", "high"),
        ("cqlbegin { persistent high = 0 } high = max(high high)", "high"),
        ("cqlbegin { persistent high = 0 } high = max(high ply) high = min(high ply)", "high"),
        ("cqlbegin { persistent high = \"\" } high = max(high fen)", "high"),
        ("dictionary str --> int (min) D D[eco] = min(D[eco] ply)", "+"),
        ("dictionary str --> int (min) D D[eco] = min(D[player white] ply)", "D"),
        ("num = 0 dictionary int --> int (max) D D[num] = max({num += 1 num} D[num])", "D"),
        ("dictionary str --> str (max) D D[eco] = max(fen D[eco])", "+"),
        ("dictionary str --> set (intersection) D D[eco] &= k", "+"),
        ("dictionary str --> set (union) D D[eco] &= k", "D"),
        ("dictionary str --> set D D[eco] &= k", "D"),
        ("dictionary str --> set (intersection) D D[eco] |= K D[eco] &= k", "D"),
        ("persistent word += \"x\"", "word"),
        ("persistent seen += 1 seen > 3", "seen"),
        ("persistent seen += 1 message(seen)", "seen"),
        ("persistent seen += 1 sort seen", "seen"),
        ("persistent seen += 1 unbind seen", "seen"),
        ("persistent mine = 0 mine += ply mine > 3", "+"),
        ("if initial then persistent mine = 0 mine += ply mine > 3", "+"),
        ("if check then persistent mine = 0 mine += ply mine > 3", "mine"),
        ("check persistent mine = 0 mine > 3", "+"),
        ("cqlbegin { persistent base = 3 } ply > base", "+"),
        ("local dictionary D D[fen] = ply D[fen] > 3", "+"),
        ("dictionary D D[fen] = ply", "+"),
        ("dictionary int --> int (sum) D D[ply] += 1 false", "+"),
        ("dictionary int --> int (sum) D cqlend { message(#D) } D[ply] += 1", "+"),
        ("dictionary int --> int (sum) D D[ply] += 1 D[ply] -= 2", "+"),
        ("dictionary int --> int (sum) D D[ply] += 1 D[ply] > 2", "D"),
        ("dictionary int --> int (sum) D D[ply] += 1 D[ply] = 2", "D"),
        ("dictionary int --> int (sum) D D[ply] += 1 #D > 2", "D"),
        (
            "dictionary str --> int (min) $D if initial then unbind $D $D[zobristkey] += 1 $D[zobristkey] > 2",
            "+",
        ),
        (
            "dictionary str --> int (min) $D if terminal then unbind $D $D[zobristkey] += 1 $D[zobristkey] > 2",
            "$D",
        ),
        (
            "dictionary str --> int (min) $D mate if initial then unbind $D $D[zobristkey] += 1 $D[zobristkey] > 2",
            "$D",
        ),
        (
            "dictionary str --> int $D unbind $D find all { $D[zobristkey] += 1 } $D[zobristkey] > 2",
            "+",
        ),
        ("dictionary int --> int D if check then unbind D else unbind D #D == 0", "+"),
        ("dictionary int --> int D unbind D[3]", "D"),
        ("dictionary int --> str D D[ply] += \"x\"", "D"),
        ("dictionary int --> int D key $k in D { true }", "+"),
        ("dictionary int --> int D D[1] = 2 key $k in D { true }", "D"),
        ("readfile \"x\" ~~ \"y\"", "files"),
        ("persistent far += 1 up 1 far P", "far"),
        ("persistent far += 1 find 1 far check", "far"),
        ("persistent far += 1 path 1 far --", "far"),
        ("persistent far += 1 line 1 far --> .", "far"),
        ("persistent far += 1 line far 9 --> .", "far"),
        ("persistent far += 1 flip far 9 P", "far"),
        ("persistent far += 1 $p=currentposition $q=parent consecutivemoves 1 far ($p $q)", "far"),
        ("num = 0 num += 1", "-"),
        ("persistent num -= ply", "+"),
        ("persistent squares &= k", "squares"),
        ("cqlbegin { persistent word = \"abc\" } word[1] = \"x\"", "word"),
        ("mate persistent mine = 0 mine > 3", "+"),
        ("persistent mine =? Q mine & a1", "mine"),
        ("if initial then persistent mine = 0 else mine += 1 mine > 3", "+"),
        ("if initial then true else persistent mine = 0 mine > 3", "mine"),
        // What stands before the filter that makes a name the game's own always matches, or not.
        ("persistent sum += 1 if initial then persistent mine = 0 mine > 3", "+"),
        ("persistent squares |= k if initial then persistent mine = 0 mine > 3", "+"),
        ("persistent squares = k if initial then persistent mine = 0 mine > 3", "+"),
        ("{ true true } if initial then persistent mine = 0 mine > 3", "+"),
        ("{ true check } if initial then persistent mine = 0 mine > 3", "mine"),
        ("if check then true if initial then persistent mine = 0 mine > 3", "+"),
        ("if check then mate if initial then persistent mine = 0 mine > 3", "mine"),
        ("if check then true else mate if initial then persistent mine = 0 mine > 3", "mine"),
        ("if initial then persistent mine = k mine & a1", "+"),
        ("if btm then { true check } if initial then persistent mine = 0 mine > 3", "mine"),
        ("if btm then (true and check) if initial then persistent mine = 0 mine > 3", "mine"),
        ("persistent squares =? k if initial then persistent mine = 0 mine > 3", "mine"),
        ("persistent first = year if initial then persistent mine = 0 mine > 3", "mine"),
        ("dictionary int --> int D unbind D D[ply] = 1 D[ply] += 1", "+"),
        ("dictionary int --> int (sum) D D[ply] = 1 D[ply] += 1", "D"),
        ("local dictionary D D[ply] = 1 unbind D[ply]", "+"),
        ("mate", "-"),
    ];
    for (query, expected) in cases {
        let program = compile(query, Dialect::CQLI).expect(query);
        let found = match program.sharing() {
            Sharing::Nothing => "-".to_owned(),
            Sharing::Joined => "+".to_owned(),
            Sharing::InOrder(reason) => reason.to_string(),
        };
        let fits = match expected {
            "-" | "+" => found == expected,
            _ => found.contains(expected),
        };
        assert!(fits, "{query}: {found}, not {expected}");
    }
    // There an operator finds no value under a new key, so it looks whether it is new.
    let program = compile("dictionary D D[ply] += 1", Dialect::CQL6).expect("sound");
    assert!(matches!(program.sharing(), Sharing::InOrder(_)));
    // There it removes comments of later games, too.
    let query = "find 2 {check removecomment}";
    let reason = |dialect| format!("{:?}", compile(query, dialect).expect(query).sharing());
    assert_eq!(reason(Dialect::CQL6), "InOrder(RemovedComments)");
    assert_eq!(reason(Dialect::CQLI), "Nothing");
}

#[test]
fn the_last_game_to_touch_a_name_decides() {
    for query in [
        "persistent last = 7 if mate then last = gamenumber",
        "dictionary int --> int D if mate then unbind D D[gamenumber] = ply",
        "dictionary int --> set D D[ply] |= k",
        "local dictionary D D[ply] = 1",
        "cqlbegin { persistent high = 3 } high = max(high ply)",
        "cqlbegin { persistent low = 3 } low = min(ply + 2 low)",
        "dictionary int --> int (max) D terminal D[ply / 4] = max(D[ply / 4] gamenumber)",
        "dictionary int --> str (min) D D[ply] = min(D[ply] fen)",
        "cqlbegin { persistent sum = 100 } sum += ply check",
        "cqlbegin { persistent squares = a1 } squares |= k",
    ] {
        let program = compile(query, Dialect::CQLI).expect(query);
        assert_eq!(program.sharing(), Sharing::Joined, "{query}");
        for cut in 0..GAMES.len() {
            assert_eq!(whole(&program), joined(&program, &[cut]), "{query}, {cut}");
        }
    }
}

/// Filters over a number, a set and two dictionaries that games share.
fn filter() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "num += 1",
        "num -= ply",
        "num = ply",
        "num > 5",
        "unbind num",
        "isbound num",
        "message(num)",
        "squares |= k",
        "squares = R",
        "squares & a-h1",
        "D[ply] += 1",
        "D[1] = gamenumber",
        "D[ply] > 1",
        "#D > 3",
        "unbind D",
        "unbind D[2]",
        "S[ply] &= [Kk]",
        "S[ply] &= ~P",
        "unbind S[1]",
        "S[3] |= R",
        "L[ply] += 1",
        "L[1] == 1",
        "unbind L",
        "up 1 num k",
        "D[1] = max(D[1] ply)",
        "D[1] = min(gamenumber D[1])",
        "num = min(num gamenumber - 3)",
        "key $k in D { num += $k }",
        "if initial then unbind D",
        "if initial then num = 0",
        "check",
        "mate",
        "initial",
        "terminal",
        "btm",
        "true",
        "false",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{ {a} {b} }}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} or {b})")),
            inner.clone().prop_map(|a| format!("not {{ {a} }}")),
            inner.clone().prop_map(|a| format!("find {{ {a} }}")),
            inner.clone().prop_map(|a| format!("if check then {{ {a} }}")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("if initial then {{ {a} }} else {{ {b} }}")),
            (inner.clone(), inner)
                .prop_map(|(a, b)| format!("if btm then {{ {a} }} else {{ {b} }}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Wherever the games are cut, the joined changes are what one machine leaves, and no game can
    /// tell.
    #[test]
    fn joined_changes_are_those_of_one_machine(
        filters in prop::collection::vec(filter(), 1..5),
        mut cuts in prop::collection::vec(0..=GAMES.len(), 0..4),
    ) {
        cuts.sort_unstable();
        let query = format!(
            "cqlbegin {{ persistent num = 2 persistent squares = a1 }} \
             dictionary int --> int (sum) D local dictionary L \
             dictionary int --> set (intersection) S {}",
            filters.join(" ")
        );
        if let Some(program) = compile(&query, Dialect::CQLI)
            && program.sharing() == Sharing::Joined
        {
            prop_assert_eq!(whole(&program), joined(&program, &cuts), "{}", query);
        }
    }
}
