//! The blocks of the page. A block lies between a line `<!-- bench-table: NAME -->` and a line
//! `<!-- end of NAME -->`. What is outside of the blocks stays.

use std::io::{self, Error};

use super::Measured;
use super::figures::{
    Figures, MAX_PACKED_SIZE, MAX_PACKING, MAX_SIZE, MIN_HARD_MEAN, MIN_MEAN, median, significant,
};
use super::growth::{Growth, MAX_GROWTH};
use super::peers::Peers;

/// A block of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageBlock {
    /// The machine, the versions and the games.
    Machine,
    /// The workloads on PGN and on the table, with the means.
    Workloads,
    /// Packing and sizes.
    Packing,
    /// A large table beside a small one.
    Growth,
    /// The targets that are missed, and the peers that are faster.
    Losses,
    /// The peers.
    Peers,
}

impl PageBlock {
    const ALL: [PageBlock; 6] = [
        PageBlock::Machine,
        PageBlock::Workloads,
        PageBlock::Packing,
        PageBlock::Growth,
        PageBlock::Losses,
        PageBlock::Peers,
    ];

    fn name(self) -> &'static str {
        match self {
            PageBlock::Machine => "machine",
            PageBlock::Workloads => "workloads",
            PageBlock::Packing => "packing",
            PageBlock::Growth => "growth",
            PageBlock::Losses => "losses",
            PageBlock::Peers => "peers",
        }
    }
}

/// The page with the text of its blocks replaced.
///
/// # Errors
/// A block is missing, has no end or is there twice.
pub(super) fn with_blocks(page: &str, text: impl Fn(PageBlock) -> String) -> io::Result<String> {
    let mut page = page.to_owned();
    for block in PageBlock::ALL {
        let name = block.name();
        let (begin, end) =
            (format!("<!-- bench-table: {name} -->\n"), format!("<!-- end of {name} -->\n"));
        if [&begin, &end].iter().any(|marker| page.matches(marker.as_str()).count() != 1) {
            let [begin, end] = [begin.trim(), end.trim()];
            let why = format!("the page must have the lines `{begin}` and `{end}` once each");
            return Err(Error::other(why));
        }
        let (before, rest) = page.split_once(&begin).unwrap_or_default();
        let Some((_, after)) = rest.split_once(&end) else {
            return Err(Error::other(format!(
                "the block {name} of the page ends before it begins"
            )));
        };
        page = format!("{before}{begin}\n{}\n\n{end}{after}", text(block).trim_end());
    }
    Ok(page)
}

/// The text of a block.
pub(super) fn block(block: PageBlock, measured: &Measured) -> String {
    let Measured { machine, figures, growth, peers } = measured;
    match block {
        PageBlock::Machine => list(machine),
        PageBlock::Workloads => workloads(figures),
        PageBlock::Packing => packing(figures),
        PageBlock::Growth => growth.as_ref().map_or_else(not_grown, growth_table),
        PageBlock::Losses => losses(measured),
        PageBlock::Peers => peer_table(peers),
    }
}

fn list(items: &[String]) -> String {
    items.iter().map(|item| format!("- {item}\n")).collect()
}

fn workloads(figures: &Figures) -> String {
    let mut text = "| workload | games | PGN, s | relative to W01 | table, s | ratio | target |\n\
                    | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
    for workload in &figures.workloads {
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            workload.name,
            workload.matches,
            significant(median(&workload.pgn)),
            or_dash(figures.relative(workload).map(|relative| format!("{relative:.2}"))),
            significant(median(&workload.table)),
            significant(workload.ratio()),
            or_dash(workload.target().map(|target| target.to_string())),
        ));
    }
    let means = [
        ("W01 to W16", figures.mean(), Some(MIN_MEAN)),
        ("without W08, W09 and W14", figures.mean_without_shaped(), None),
        ("the nine hard ones", figures.hard_mean(), Some(MIN_HARD_MEAN)),
    ];
    text.push_str("\n| geometric mean of the ratios | ratio | target |\n| --- | --- | --- |\n");
    for (what, mean, target) in means {
        let target = target.map(|target| target.to_string());
        text.push_str(&format!(
            "| {what} | {} | {} |\n",
            or_dash(mean.map(significant)),
            or_dash(target)
        ));
    }
    text
}

fn packing(figures: &Figures) -> String {
    let [size, packed] = figures.sizes();
    let time = match figures.packing_ratio() {
        Some(ratio) => format!(
            "{} s, {} times W01 on PGN | at most {MAX_PACKING} times",
            significant(median(&figures.packing)),
            significant(ratio)
        ),
        None => format!("{} s | –", significant(median(&figures.packing))),
    };
    format!(
        "| | measured | target |\n| --- | --- | --- |\n\
         | packing, one thread | {time} |\n\
         | PGN | {} bytes | |\n\
         | table | {} bytes, {size:.2} of the PGN | at most {MAX_SIZE} |\n\
         | table with `--compress zstd` | {} bytes, {packed:.2} of the PGN | at most \
         {MAX_PACKED_SIZE} |\n",
        figures.pgn_bytes, figures.table_bytes, figures.packed_bytes
    )
}

fn not_grown() -> String {
    "Not measured: it needs `--copies`.".to_owned()
}

fn growth_table(growth: &Growth) -> String {
    let mut text = format!(
        "The large table has {} games.\n\n\
         | workload | small table, ns a game | large table, ns a game | ratio |\n\
         | --- | --- | --- | --- |\n",
        growth.games
    );
    for times in &growth.times {
        let (small, large) = (median(&times.small), median(&times.large));
        let (name, ratio) = (&times.name, times.ratio());
        text.push_str(&format!("| {name} | {small:.0} | {large:.0} | {ratio:.2} |\n"));
    }
    text
}

/// The workloads whose games take longer in the large table.
fn grown(growth: &Growth) -> impl Iterator<Item = String> {
    growth.times.iter().filter(|times| times.ratio() > MAX_GROWTH).map(|times| {
        let ratio = times.ratio();
        format!(
            "`{}`: a game of the large table takes {ratio:.2} times as long, the target is at most \
             {MAX_GROWTH}",
            times.name
        )
    })
}

fn losses(measured: &Measured) -> String {
    let Measured { figures, growth, peers, .. } = measured;
    let mut losses = figures.losses();
    losses.extend(growth.iter().flat_map(grown));
    for times in peers.times.iter().filter(|times| times.ratio() < 1.0) {
        let factor = significant(1.0 / times.ratio());
        losses.push(format!("{}: {factor} times faster than Babson, {}", times.job, times.ours));
    }
    match losses.is_empty() {
        true => "No target is missed.".to_owned(),
        false => list(&losses),
    }
}

fn peer_table(peers: &Peers) -> String {
    let mut text = String::new();
    if !peers.times.is_empty() {
        text.push_str(
            "| peer | CPU s | Babson | CPU s | ratio | games of both |\n\
             | --- | --- | --- | --- | --- | --- |\n",
        );
    }
    for times in &peers.times {
        let [peer, babson] = times.medians().map(significant);
        let games = match times.games {
            Some([theirs, ours]) => format!("{theirs}, {ours}"),
            None => "–".to_owned(),
        };
        text.push_str(&format!(
            "| {} | {peer} | {} | {babson} | {} | {games} |\n",
            times.job,
            times.ours,
            significant(times.ratio())
        ));
    }
    if !peers.missing.is_empty() {
        let gap = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!(
            "{gap}Not installed where this was measured: {}.\n",
            peers.missing.join(", ")
        ));
    }
    text
}
