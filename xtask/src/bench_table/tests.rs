//! The arithmetic of the figures and the blocks of the page. Nothing is timed.

use super::figures::{Figures, WorkloadTimes, geometric_mean, median, pairwise_ratio, significant};
use super::growth::{Growth, GrowthTimes, write_copy};
use super::measure::counts;
use super::page::{self, PageBlock, with_blocks};
use super::peers::{PeerTimes, Peers, match_count};
use super::{BenchOptions, Measured, PAGE};

fn workload(name: &str, pgn: f64, table: f64) -> WorkloadTimes {
    let (name, matches) = (name.to_owned(), 7);
    WorkloadTimes { name, matches, pgn: vec![pgn; 3], table: vec![table; 3] }
}

fn figures(workloads: Vec<WorkloadTimes>) -> Figures {
    let (pgn_bytes, table_bytes, packed_bytes) = (1000, 900, 350);
    Figures { workloads, packing: vec![3.0; 3], pgn_bytes, table_bytes, packed_bytes }
}

fn is_near(value: Option<f64>, expected: f64) -> bool {
    value.is_some_and(|value| (value - expected).abs() < 1e-9)
}

#[test]
fn medians_and_means() {
    assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    assert_eq!((median(&[5.0]), median(&[])), (5.0, 0.0));
    assert!(is_near(geometric_mean([2.0, 8.0].into_iter()), 4.0));
    assert_eq!(geometric_mean([].into_iter()), None);
    // The ratios are 10, 2 and 3; the ratio of the medians would be 2.
    assert_eq!(pairwise_ratio(&[10.0, 2.0, 6.0], &[1.0, 1.0, 2.0]), 3.0);
    // A run in which no time was counted is not infinitely fast.
    assert!(pairwise_ratio(&[1.0], &[0.0]).is_finite());
}

#[test]
fn numbers_have_two_digits() {
    for (value, expected) in [
        (0.0, "0"),
        (0.000_123_4, "0.00012"),
        (0.012_34, "0.012"),
        (0.5, "0.50"),
        (1.26, "1.3"),
        (9.0, "9.0"),
        (12.4, "12"),
        (1234.5, "1234"),
    ] {
        assert_eq!(significant(value), expected);
    }
}

#[test]
fn means_leave_out_what_they_must() {
    let figures = figures(vec![
        workload("W01-mate", 1.0, 0.01),
        workload("W04-attacks", 1.0, 0.25),
        workload("W08-line-checks", 1.0, 0.01),
        workload("D1-threefold", 1.0, 1.0),
    ]);
    assert!(is_near(figures.mean(), 40_000_f64.cbrt()));
    assert!(is_near(figures.mean_without_shaped(), 20.0));
    assert!(is_near(figures.hard_mean(), 20.0));
    assert!(is_near(figures.packing_ratio(), 3.0));
    assert_eq!(figures.sizes(), [0.9, 0.35]);
    let relative = figures.relative(&workload("W10-legal-moves", 2.5, 1.0));
    assert!(is_near(relative, 2.5));
}

#[test]
fn missed_targets_are_losses() {
    let met = figures(vec![workload("W01-mate", 1.0, 0.01), workload("W04-attacks", 1.25, 0.25)]);
    assert_eq!(met.losses(), [""; 0]);
    let mut missed = figures(vec![
        workload("W01-mate", 1.0, 0.02),
        workload("W02-smothered", 1.5, 0.1),
        workload("W10-legal-moves", 2.5, 5.0),
        workload("D1-threefold", 9.0, 9.0),
    ]);
    missed.packing = vec![3.5; 3];
    (missed.table_bytes, missed.packed_bytes) = (950, 400);
    assert_eq!(
        missed.losses(),
        [
            "`W01-mate`: the table is 50 times faster, the target is 100",
            "`W02-smothered`: on PGN it takes 1.50 times as long as W01, the target is at most 1",
            "`W10-legal-moves`: the table takes 2.0 times as long as the PGN",
            "`W10-legal-moves`: on PGN it takes 2.50 times as long as W01, the target is at most 2",
            "the mean of all workloads: 7.2, the target is 12",
            "the mean of the nine hard workloads: 0.50, the target is 3",
            "packing, relative to W01 on PGN: 3.5, the target is at most 3",
            "the size of a table, relative to its PGN: 0.95, the target is at most 0.9",
            "the size of a compressed table: 0.40, the target is at most 0.35",
        ]
    );
}

#[test]
fn tables_have_a_row_for_each_workload_and_peer() {
    let figures =
        figures(vec![workload("W01-mate", 1.0, 0.01), workload("D1-threefold", 2.0, 1.0)]);
    let peer = |job: &str, seconds: f64, games| PeerTimes {
        job: job.to_owned(),
        ours: "`mate` on PGN".to_owned(),
        games,
        peer: vec![seconds],
        babson: vec![2.0],
    };
    let times = vec![peer("slow", 5.0, None), peer("fast", 1.0, Some([8, 9]))];
    let peers = Peers { times, missing: vec!["cql6"] };
    let growth = |name: &str, large| GrowthTimes {
        name: name.to_owned(),
        small: vec![100.0; 3],
        large: vec![large; 3],
    };
    let growth = Growth { games: 42, times: vec![growth("W01", 83.0), growth("W02", 106.0)] };
    let machine = vec!["one".to_owned()];
    let mut measured = Measured { machine, figures, growth: Some(growth), peers };
    let block = |block| page::block(block, &measured);
    assert_eq!(block(PageBlock::Machine), "- one\n");
    let workloads = block(PageBlock::Workloads);
    assert!(
        workloads.contains("| W01-mate | 7 | 1.0 | 1.00 | 0.010 | 100 | 100 |\n"),
        "{workloads}"
    );
    assert!(
        workloads.contains("| D1-threefold | 7 | 2.0 | 2.00 | 1.0 | 2.0 | – |\n"),
        "{workloads}"
    );
    assert!(workloads.contains("| W01 to W16 | 100 | 12 |\n"), "{workloads}");
    assert!(workloads.contains("| the nine hard ones | – | 3 |\n"), "{workloads}");
    let packing = block(PageBlock::Packing);
    assert!(packing.contains("| 3.0 s, 3.0 times W01 on PGN | at most 3 times |\n"), "{packing}");
    assert!(packing.contains("| 900 bytes, 0.90 of the PGN | at most 0.9 |\n"), "{packing}");
    let peers = block(PageBlock::Peers);
    assert!(peers.contains("| slow | 5.0 | `mate` on PGN | 2.0 | 2.5 | – |\n"), "{peers}");
    assert!(peers.contains("| fast | 1.0 | `mate` on PGN | 2.0 | 0.50 | 8, 9 |\n"), "{peers}");
    assert!(peers.ends_with("Not installed where this was measured: cql6.\n"), "{peers}");
    let growth = block(PageBlock::Growth);
    assert!(growth.starts_with("The large table has 42 games.\n\n| workload |"), "{growth}");
    assert!(
        growth.ends_with("| W01 | 100 | 83 | 0.83 |\n| W02 | 100 | 106 | 1.06 |\n"),
        "{growth}"
    );
    assert_eq!(
        block(PageBlock::Losses),
        "- `W02`: a game of the large table takes 1.06 times as long, the target is at most 1.05\n\
         - fast: 2.0 times faster than Babson, `mate` on PGN\n"
    );
    measured.growth = None;
    assert_eq!(page::block(PageBlock::Growth, &measured), "Not measured: it needs `--copies`.");
}

/// The first copy is as it was. In another one each game has one new name; the names take turns.
#[test]
fn copies_have_new_names() {
    let game =
        "[Event \"a\"]\n[Site \"b\"]\n[ECO \"C50\"]\n[White \"c\"]\n[Black \"d\"]\n\n1. e4 *\n\n";
    let text = game.repeat(4);
    let copy = |copy: u32| {
        let mut out = Vec::new();
        write_copy(text.as_bytes(), copy, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(copy(0), format!("{text}\n\n"));
    let third = copy(3);
    for name in ["a", "b", "c", "d"] {
        assert_eq!(third.matches(&format!("\"{name} 3\"")).count(), 1, "{third}");
        assert_eq!(third.matches(&format!("\"{name}\"")).count(), 3, "{third}");
    }
    assert_ne!(third.replace(" 3\"", "\""), copy(2));
}

/// Only the text between the marks of a block changes, and only once.
#[test]
fn prose_around_the_blocks_stays() {
    let page = std::fs::read_to_string(crate::root().join(PAGE)).unwrap();
    let first = with_blocks(&page, |block| format!("{block:?}, first\n")).unwrap();
    let second = with_blocks(&first, |block| format!("{block:?}, second")).unwrap();
    assert_eq!(second, first.replace(", first", ", second"));
    assert_eq!(second.matches(", second\n\n<!-- end of ").count(), 6);
    let prose = |text: &str| {
        let mut inside = false;
        let mut lines = Vec::new();
        for line in text.lines() {
            inside &= !line.starts_with("<!-- end of ");
            if !inside {
                lines.push(line.to_owned());
            }
            inside |= line.starts_with("<!-- bench-table: ");
        }
        lines
    };
    assert_eq!(prose(&page), prose(&second));
    assert!(prose(&page).iter().any(|line| line.starts_with("## Where Babson loses")));
}

#[test]
fn a_page_without_a_place_for_a_block_is_refused() {
    let page = std::fs::read_to_string(crate::root().join(PAGE)).unwrap();
    let refused = |page: &str| with_blocks(page, |_| String::new()).unwrap_err().to_string();
    let no_end = page.replace("<!-- end of losses -->\n", "");
    assert!(refused(&no_end).contains("`<!-- end of losses -->`"));
    let twice = page.clone() + "<!-- bench-table: peers -->\n<!-- end of peers -->\n";
    assert!(refused(&twice).contains("`<!-- bench-table: peers -->`"));
    let turned = page.replace("<!-- bench-table: packing -->", "<!-- x -->");
    let turned = turned.replace("<!-- end of packing -->", "<!-- bench-table: packing -->");
    let turned = turned.replace("<!-- x -->", "<!-- end of packing -->");
    assert!(refused(&turned).contains("packing of the page ends before it begins"));
}

#[test]
fn numbers_of_other_programs_are_read() {
    let summary =
        "babson 0.1.0\n32 matches of 2000 games in 0.0383 seconds using 1 thread to a.pgn\n";
    assert_eq!(counts(summary), Some((32, 2000)));
    assert_eq!(counts("1 match of 1 game in 0.1 seconds"), Some((1, 1)));
    assert_eq!(counts("nothing"), None);
    assert_eq!(match_count("{\n\"moves\": 14922,\n\"match count\": 8,\n}"), Some(8));
    assert_eq!(match_count("{}"), None);
}

#[test]
fn options_are_pairs() {
    let parse = |words: &[&str]| BenchOptions::parse(&crate::root(), words);
    let options = parse(&["--rounds", "3", "--pgn", "a.pgn"]).unwrap();
    assert_eq!((options.rounds, options.pgn.to_str()), (3, Some("a.pgn")));
    assert_eq!(options.copies, 1);
    assert_eq!(parse(&["--copies", "40"]).unwrap().copies, 40);
    assert!(parse(&[]).unwrap().out.ends_with(PAGE));
    for wrong in
        [&["a.pgn"][..], &["--rounds"], &["--rounds", "0"], &["--copies", "0"], &["--speed", "9"]]
    {
        assert!(parse(wrong).is_none(), "{wrong:?}");
    }
}
