//! What each code means, with an example; the files are the areas.

mod cql3;
mod operands;
mod parameters;
mod reading;
mod surroundings;
mod texts;
mod values;

use super::Code;

/// The explanation of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeEntry {
    /// The code.
    pub code: Code,
    /// What is wrong and how it is mended.
    pub explanation: &'static str,
    /// What provokes the message.
    pub example: Example,
    /// The example without the mistake, if a small change of it mends it.
    pub mended: Option<&'static str>,
}

/// What provokes a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    /// A query in the dialect `cqli`.
    Query(&'static str),
    /// A query in the dialect `cql6`.
    Cql6(&'static str),
    /// A query of CQL 3.
    Cql3(&'static str),
    /// A query of CQL 3 that [`to_modern`](crate::cql3::to_modern) converts.
    Conversion(&'static str),
    /// What no short query can show, in words.
    Elsewhere(&'static str),
}

/// One entry for each code, in the order of the codes.
pub(super) const ALL: [CodeEntry; Code::ALL.len()] = {
    let areas = [
        reading::ENTRIES,
        operands::ENTRIES,
        parameters::ENTRIES,
        values::ENTRIES,
        texts::ENTRIES,
        cql3::ENTRIES,
        surroundings::ENTRIES,
    ];
    let mut all = [reading::ENTRIES[0]; Code::ALL.len()];
    let (mut count, mut area) = (0, 0);
    while area < areas.len() {
        let mut at = 0;
        while at < areas[area].len() {
            assert!(
                areas[area][at].code as usize == count,
                "the entries are in the order of codes"
            );
            all[count] = areas[area][at];
            count += 1;
            at += 1;
        }
        area += 1;
    }
    assert!(count == Code::ALL.len(), "each code has an entry");
    all
};
