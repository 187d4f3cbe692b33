//! Conditions on numbers of moves and checks, and on their order.

use babson_lang::Dialect;

use super::{Columns, Sample, check, samples};

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

fn line(numbers: &mut Numbers) -> String {
    let arrow = numbers.of(&["-->", "-->", "<--"]);
    let option = numbers.of(&["", "", "", "singlecolor ", "firstmatch ", "3 8 "]);
    let mut text = format!("line quiet {option}");
    for _ in 0..=numbers.below(3) {
        let filter =
            numbers.of(&["check", "check", ".", "{wtm check}", "mate", "Q", "{Q check btm}"]);
        let repeat = numbers.of(&["", "", "{2}", "{2,}", "+", "*", "?", "{1,3}", "{3}"]);
        text += &match numbers.below(4) {
            0 => format!("{arrow} (check {arrow} {filter}){repeat} "),
            _ => format!("{arrow} {filter} {repeat} "),
        };
    }
    text
}

fn find(numbers: &mut Numbers) -> String {
    let mut filters = Vec::new();
    let previous = numbers.of(&["", "", "previous "]);
    let from = numbers.of(&["", "", "from P ", "from [Kk] ", "from [Nb] ", "from c-f2-7 "]);
    let to = numbers.of(&["", "to d5 ", "to [d-e4-5] ", "to (R|k) "]);
    let more =
        numbers.of(&["", "", "capture [Aa] ", "capture p ", "castle", "enpassant", "promote Q"]);
    if previous.len() + from.len() + to.len() + more.len() > 0 {
        filters.push(format!("move {previous}{from}{to}{more}"));
    }
    if numbers.below(3) == 0 || filters.is_empty() {
        filters.push("check".to_owned());
    }
    let (body, number) = (filters.join(" "), 1 + numbers.below(6));
    match numbers.below(3) {
        0 => format!("find {number} 200 {{{body}}}"),
        1 => format!("{{find all {{{body}}}}} >= {number}"),
        _ => format!("find <-- {number} 200 {{{body}}}"),
    }
}

/// Games with many checks and captures, also on the last rank.
fn games() -> Vec<Sample> {
    let mut games = samples();
    for text in [
        "[FEN \"7k/8/8/8/8/8/8/KQ6 w - - 0 1\"]\n\n1. Qh1+ Kg8 2. Qg1+ Kf8 3. Qf1+ Ke8 4. Qe1+ Kd8 5. Qd1+ *",
        "[FEN \"4k3/8/8/8/8/8/r6q/1Q2K3 w - - 0 1\"]\n\n1. Qb8+ Qxb8 2. Kf1 Qb1# *",
        "[FEN \"3rk2q/8/8/8/8/8/8/3RK2Q w - - 0 1\"]\n\n1. Qxh8+ Ke7 2. Rxd8 Kxd8 *",
        "[FEN \"6k1/4PPPP/8/8/8/8/pppp4/6K1 w - - 0 1\"]\n\n1. e8=Q+ Kxg7 2. h8=Q+ Kxh8 3. f8=Q+ Kh7 \
         4. Qfh8+ Kg6 5. Qe6+ Kg5 6. Qhh6# *",
        "1. e4 e5 2. Nf3 Nc6 3. d4 exd4 4. Nxd4 Nxd4 5. Qxd4 d5 6. exd5 Qxd5 7. Qxd5 c6 8. Qxc6+ bxc6 *",
        "1. e4 a6 2. e5 d5 3. exd6 b5 4. a4 b4 5. c4 bxc3 6. Nxc3 *",
    ] {
        games.push(super::sample(text.as_bytes()));
    }
    games
}

#[test]
fn counts_rule_out_no_game_that_matches() {
    let games = games();
    let columns = Columns::of(&games);
    let mut numbers = Numbers(3);
    let (mut guarded, mut ruled_out) = (0, 0);
    let count = if super::is_long() { 20_000 } else { 400 };
    for number in 0..count {
        let query = match number % 2 {
            0 => line(&mut numbers),
            _ => find(&mut numbers),
        };
        let found = check(&query, Dialect::CQLI, &games, &columns);
        guarded += usize::from(found > 0);
        ruled_out += found;
    }
    assert!(guarded > count / 2, "{guarded} guards, {ruled_out} games");
}
