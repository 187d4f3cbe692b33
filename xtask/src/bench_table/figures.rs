//! What the times say: medians, ratios, means, and the targets that are missed.

/// The workloads that must look at many positions of most games.
const HARD: [&str; 9] = ["W04", "W05", "W08", "W09", "W10", "W11", "W12", "W14", "W16"];

/// The workloads for which the table got columns: the figures of others say more.
const SHAPED: [&str; 3] = ["W08", "W09", "W14"];

/// The largest time of packing relative to `mate` on the PGN file.
pub(super) const MAX_PACKING: f64 = 3.0;
/// The largest size of a table relative to its PGN file, plain and compressed.
pub(super) const MAX_SIZE: f64 = 0.9;
pub(super) const MAX_PACKED_SIZE: f64 = 0.35;
/// The least geometric means of the ratios: of all workloads, and of the hard ones.
pub(super) const MIN_MEAN: f64 = 12.0;
pub(super) const MIN_HARD_MEAN: f64 = 3.0;

/// The times of a workload: processor seconds of each round.
pub(super) struct WorkloadTimes {
    /// The name of its file, without extension.
    pub(super) name: String,
    /// How many games match.
    pub(super) matches: u64,
    pub(super) pgn: Vec<f64>,
    pub(super) table: Vec<f64>,
}

impl WorkloadTimes {
    /// The part of the name before the dash.
    pub(super) fn id(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }

    /// How many times faster the table is.
    pub(super) fn ratio(&self) -> f64 {
        pairwise_ratio(&self.pgn, &self.table)
    }

    /// Whether the workload counts in the means: only the workloads with W do.
    fn counts(&self) -> bool {
        self.id().starts_with('W')
    }

    /// The least ratio that is wanted.
    pub(super) fn target(&self) -> Option<f64> {
        match self.id() {
            "W01" => Some(100.0),
            "W13" => Some(40.0),
            id if HARD.contains(&id) => Some(MIN_HARD_MEAN),
            _ => self.counts().then_some(MIN_MEAN),
        }
    }

    /// The largest time on PGN that is wanted, relative to W01.
    fn pgn_target(&self) -> Option<f64> {
        match self.id() {
            "W01" => None,
            // They need not look at every position.
            "W02" | "W07" | "W13" | "W15" => Some(1.0),
            "W10" => Some(2.0),
            _ => self.counts().then_some(1.25),
        }
    }
}

/// All that was measured of Babson alone.
pub(super) struct Figures {
    pub(super) workloads: Vec<WorkloadTimes>,
    /// Processor seconds of packing on one thread, of each round.
    pub(super) packing: Vec<f64>,
    pub(super) pgn_bytes: u64,
    pub(super) table_bytes: u64,
    /// Bytes of the table with `--compress zstd`.
    pub(super) packed_bytes: u64,
}

impl Figures {
    fn named(&self, id: &str) -> Option<&WorkloadTimes> {
        self.workloads.iter().find(|workload| workload.id() == id)
    }

    /// The time on PGN relative to W01.
    pub(super) fn relative(&self, workload: &WorkloadTimes) -> Option<f64> {
        self.named("W01").map(|first| pairwise_ratio(&workload.pgn, &first.pgn))
    }

    /// The geometric mean of the ratios of W01 to W16, as far as they were measured.
    pub(super) fn mean(&self) -> Option<f64> {
        self.mean_of(|_| true)
    }

    /// The same without the workloads for which the table got columns.
    pub(super) fn mean_without_shaped(&self) -> Option<f64> {
        self.mean_of(|id| !SHAPED.contains(&id))
    }

    /// The same of the hard workloads.
    pub(super) fn hard_mean(&self) -> Option<f64> {
        self.mean_of(|id| HARD.contains(&id))
    }

    fn mean_of(&self, is_in: impl Fn(&str) -> bool) -> Option<f64> {
        let chosen = self.workloads.iter().filter(|one| one.counts() && is_in(one.id()));
        geometric_mean(chosen.map(WorkloadTimes::ratio))
    }

    /// The time of packing relative to W01 on the PGN file.
    pub(super) fn packing_ratio(&self) -> Option<f64> {
        self.named("W01").map(|first| pairwise_ratio(&self.packing, &first.pgn))
    }

    /// The sizes of the table, plain and compressed, relative to the PGN file.
    pub(super) fn sizes(&self) -> [f64; 2] {
        [self.table_bytes, self.packed_bytes].map(|bytes| bytes as f64 / self.pgn_bytes as f64)
    }

    /// A sentence for each target that is missed.
    pub(super) fn losses(&self) -> Vec<String> {
        let mut losses = Vec::new();
        for workload in &self.workloads {
            let (name, ratio) = (&workload.name, workload.ratio());
            if ratio < 1.0 {
                let times = significant(1.0 / ratio);
                losses.push(format!("`{name}`: the table takes {times} times as long as the PGN"));
            } else if let Some(target) = workload.target().filter(|target| ratio < *target) {
                let times = significant(ratio);
                losses.push(format!(
                    "`{name}`: the table is {times} times faster, the target is {target}"
                ));
            }
            let relative = self.relative(workload).zip(workload.pgn_target());
            if let Some((relative, target)) = relative.filter(|(relative, most)| relative > most) {
                losses.push(format!(
                    "`{name}`: on PGN it takes {relative:.2} times as long as W01, the target is \
                     at most {target}"
                ));
            }
        }
        let mut at_least = |what: &str, mean: Option<f64>, target: f64| {
            if let Some(mean) = mean.filter(|mean| *mean < target) {
                losses.push(format!("{what}: {}, the target is {target}", significant(mean)));
            }
        };
        at_least("the mean of all workloads", self.mean(), MIN_MEAN);
        at_least("the mean of the nine hard workloads", self.hard_mean(), MIN_HARD_MEAN);
        let mut at_most = |what: &str, value: Option<f64>, target: f64| {
            if let Some(value) = value.filter(|value| *value > target) {
                let value = significant(value);
                losses.push(format!("{what}: {value}, the target is at most {target}"));
            }
        };
        let [size, packed] = self.sizes();
        at_most("packing, relative to W01 on PGN", self.packing_ratio(), MAX_PACKING);
        at_most("the size of a table, relative to its PGN", Some(size), MAX_SIZE);
        at_most("the size of a compressed table", Some(packed), MAX_PACKED_SIZE);
        losses
    }
}

/// The median; of an even number of values the mean of the two in the middle. 0 of none.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.get(middle.wrapping_sub(1)), sorted.get(middle)) {
        (Some(low), Some(high)) if sorted.len().is_multiple_of(2) => (low + high) / 2.0,
        (_, Some(middle)) => *middle,
        (_, None) => 0.0,
    }
}

/// The median of the quotients of two series, round by round.
pub(super) fn pairwise_ratio(dividends: &[f64], divisors: &[f64]) -> f64 {
    let pairs = dividends.iter().zip(divisors);
    // The system may count no time at all for a very short run.
    let ratios: Vec<f64> = pairs.map(|(one, other)| one.max(1e-6) / other.max(1e-6)).collect();
    median(&ratios)
}

/// The geometric mean; `None` of no values.
pub(super) fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_u32);
    for value in values {
        sum += value.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

/// A number with at least two significant digits, and all its digits before the point.
pub(super) fn significant(value: f64) -> String {
    let decimals = match value.abs() {
        0.0 => 0,
        size if size >= 10.0 => 0,
        size => (1 - size.log10().floor() as i32).clamp(0, 6) as usize,
    };
    format!("{value:.decimals$}")
}
