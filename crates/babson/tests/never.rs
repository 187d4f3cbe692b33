//! A query that is said to match nothing matches nothing, whatever the games are.

use std::path::Path;

use babson::Query;
use babson::diagnostic::Code;

/// Filters that the check knows, and some that it does not.
const FILTERS: &[&str] = &[
    "wtm",
    "btm",
    "not wtm",
    "not btm",
    "check",
    "not check",
    "mate",
    "not mate",
    "stalemate",
    "not stalemate",
    "initial",
    "not initial",
    "terminal",
    "move",
    "move previous",
    "not move",
    "sidetomove == 1",
    "sidetomove == black",
    "sidetomove > 1",
    "K",
    "not K",
    "k == 2",
    "k < 2",
    "P == 9",
    "P > 8",
    "P < 3",
    "#P == 65",
    "Q",
    "not Q",
    "#Q == 0",
    "Q > 1",
    "9 < Q",
    "A > 16",
    "a <= 16",
    "[Aa] > 32",
    "Ra1",
    "qa1",
    "_a1",
    "Aa1",
    "[Kk]e1",
    "Pa1",
    "#. == 64",
    "#e4 == 1",
    "#[e4,e5] > 2",
    "#Pa7-8 > 2",
    "Q | R",
    "#(Q | R) < 1",
    "#(Q & R) > 0",
    "#~A < 1",
    "#~. > 0",
    "#light Q > 32",
    "K attacks Q",
    "not (K attacks Q)",
    "#(K attacks Q) > 1",
    "ply > 2",
    "ply < 2",
    "ply == 3",
    "2 < ply < 5",
    "1 > ply >= 1",
    "movenumber > 2",
    "movenumber < 2",
    "depth == 0",
    "halfmoveclock > 3",
    "halfmoveclock < 2",
    "result 1-0",
    "result 0-1",
    "year > 1950",
    "year < 1950",
    "elo white > 2400",
    "elo white < 2000",
    "gamenumber == 1",
    "gamenumber > 1",
    "variantend",
    "true",
    "power A > 20",
    "power A < 10",
];

/// Filters around others.
const FRAMES: &[(&str, &str)] = &[
    ("{", "}"),
    ("not {", "}"),
    ("not not {", "}"),
    ("find {", "}"),
    ("find 0 {", "}"),
    ("find all {", "}"),
    ("flipcolor {", "}"),
    ("flip 0 3 {", "}"),
    ("shift 2 {", "}"),
    ("notransform {", "}"),
    ("parent : {", "}"),
    ("move legal : {", "}"),
    ("move legal all : {", "}"),
    ("move legal count : {", "}"),
    ("move pseudolegal : {", "}"),
    ("move : {", "}"),
    ("move previous : {", "}"),
    ("imagine piece Q --> e4 : {", "}"),
    ("imagine piece _ --> K : {", "}"),
    ("imagine piece K --> a1-8 : {", "}"),
    ("imagine sidetomove reverse : {", "}"),
    ("here = currentposition here : {", "}"),
    ("spot = imagine piece _ --> K : saveposition spot : {", "}"),
    ("settag(\"Result\" \"1-0\") {", "}"),
    ("settag(\"WhiteElo\" \"2500\") {", "}"),
    ("if check then {", "}"),
    ("line --> {", "}"),
];

/// A generator of pseudorandom numbers (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn query(&mut self, depth: usize) -> String {
        let count = 1 + self.below(3);
        let filters: Vec<String> = (0..count)
            .map(|_| match self.below(4) {
                0 if depth > 0 => {
                    let (head, tail) = FRAMES[self.below(FRAMES.len())];
                    format!("{head}{}{tail}", self.query(depth - 1))
                }
                1 if depth > 0 => {
                    format!("{{{{{}}} or {{{}}}}}", self.query(depth - 1), self.query(depth - 1))
                }
                _ => FILTERS[self.below(FILTERS.len())].to_owned(),
            })
            .collect();
        filters.join(if self.below(3) == 0 { " and " } else { " " })
    }

    /// Games that begin with any board, with any number of kings.
    fn games(&mut self, count: usize) -> String {
        let mut games = String::new();
        for _ in 0..count {
            let density = 2 + self.below(8);
            let mut board = String::new();
            for square in 0..64 {
                if square > 0 && square % 8 == 0 {
                    board.push('/');
                }
                board.push(match self.below(density) {
                    0 => char::from(b"PNBRQKpnbrqk"[self.below(12)]),
                    _ => '1',
                });
            }
            let side = ["w", "b"][self.below(2)];
            games += &format!("[SetUp \"1\"]\n[FEN \"{board} {side} - - 0 1\"]\n\n*\n\n");
        }
        games
    }
}

/// The first games of a database of the corpus.
fn corpus(name: &str, bytes: usize) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games").join(name);
    let mut games = std::fs::read(path).unwrap();
    if let Some(end) = babson::pgn::find_boundary(&games, bytes.min(games.len())) {
        games.truncate(end);
    }
    games
}

#[test]
fn a_query_that_never_holds_matches_nothing() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let chess = corpus("masters-2k.pgn", 15_000);
    let mut other = numbers.games(150).into_bytes();
    other.extend(corpus("odd-positions.pgn", 30_000));
    for name in ["antichess-programfox", "random-horde", "random-atomic", "random-crazyhouse"] {
        other.extend(corpus(&format!("variants/{name}.pgn"), 6_000));
    }
    other.extend(corpus("special.pgn", 20_000));
    let (mut queries, mut told) = (0, [0, 0]);
    let mut kinds = std::collections::BTreeSet::new();
    while queries < 6_000 {
        queries += 1;
        let text = numbers.query(2);
        let builder =
            Query::builder(text.as_str()).options(|options| options.variations = Some(true));
        let Ok(query) = builder.compile() else { continue };
        let matches = |games: &[u8]| query.search(games).limit(1).filter(Result::is_ok).count();
        for warning in query.warnings() {
            let (at, is_all) = match warning.code {
                Code::NeverHolds => (0, true),
                Code::NeverInChess => (1, false),
                _ => continue,
            };
            told[at] += 1;
            kinds.insert(warning.span.text(&text).to_owned());
            assert_eq!(matches(&chess), 0, "{text}: {warning}");
            assert!(!is_all || matches(&other) == 0, "{text}: {warning}");
        }
    }
    // The check finds much of what there is to find.
    assert!(told[0] > 300 && told[1] > 100 && kinds.len() > 30, "{told:?} {kinds:?}");
}
