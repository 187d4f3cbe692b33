//! Adding up the records of matches.

use std::collections::HashMap;

use super::performance::RatedGames;
use super::record::{self, GroupRecord};
use super::{GroupKeys, GroupRow, GroupTable, GroupValue};
use crate::limits::{MAX_GROUP_BYTES, MAX_GROUPS};

/// There are more groups than a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TooManyGroups {
    /// There are more than this number.
    #[error(
        "there are more than {0} groups, and a table holds no more: group by a key with fewer \
         values, such as year in place of date, or eco:1 in place of eco"
    )]
    Groups(usize),
    /// Their values have more than this number of bytes.
    #[error(
        "the values of the groups have more than {0} bytes, and a table holds no more: group by a \
         key with fewer or shorter values"
    )]
    Bytes(usize),
}

/// Adds up the records of matches.
#[derive(Debug)]
pub(crate) struct GroupCounter {
    groups: GroupKeys,
    counts: HashMap<Box<[u8]>, Counts>,
    /// The matching games of each query, by the bytes of its title.
    games: HashMap<Box<[u8]>, u64>,
    /// Bytes of all values.
    bytes: usize,
    max_groups: usize,
    max_bytes: usize,
    /// The record of the last match, as far as it has come.
    record: Vec<u8>,
}

/// The numbers of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    positions: u64,
    /// The games, in the order of [`GameEnd`].
    games: [u64; 4],
    rated: RatedGames,
}

impl GroupCounter {
    pub(crate) fn new(groups: GroupKeys) -> GroupCounter {
        GroupCounter {
            groups,
            counts: HashMap::new(),
            games: HashMap::new(),
            bytes: 0,
            max_groups: MAX_GROUPS,
            max_bytes: MAX_GROUP_BYTES,
            record: Vec::new(),
        }
    }

    /// The same with other limits.
    #[cfg(test)]
    pub(crate) fn with_limits(self, max_groups: usize, max_bytes: usize) -> GroupCounter {
        GroupCounter { max_groups, max_bytes, ..self }
    }

    /// Takes the next bytes of a record, which may be the first of it.
    pub(crate) fn take(&mut self, bytes: &[u8], first: bool) -> Result<(), TooManyGroups> {
        if first {
            self.end_record()?;
        }
        self.record.extend_from_slice(bytes);
        Ok(())
    }

    fn end_record(&mut self) -> Result<(), TooManyGroups> {
        let bytes = std::mem::take(&mut self.record);
        if let Some((title, groups)) = record::read(&bytes) {
            match self.games.get_mut(title) {
                Some(games) => *games += 1,
                None => drop(self.games.insert(title.into(), 1)),
            }
            for group in groups {
                self.add(&group)?;
            }
        }
        self.record = bytes;
        self.record.clear();
        Ok(())
    }

    fn add(&mut self, group: &GroupRecord<'_>) -> Result<(), TooManyGroups> {
        let GroupRecord { end, opponent, positions, values } = *group;
        let counts = match self.counts.get_mut(values) {
            Some(counts) => counts,
            None => {
                if self.counts.len() >= self.max_groups {
                    return Err(TooManyGroups::Groups(self.max_groups));
                }
                self.bytes += values.len();
                if self.bytes > self.max_bytes {
                    return Err(TooManyGroups::Bytes(self.max_bytes));
                }
                self.counts.entry(values.into()).or_default()
            }
        };
        counts.positions += positions;
        counts.games[end as usize] += 1;
        if let Some((half_points, opponent)) = end.half_points().zip(opponent) {
            counts.rated.add(half_points, opponent);
        }
        Ok(())
    }

    /// The table of all records.
    pub(crate) fn finish(mut self) -> Result<GroupTable, TooManyGroups> {
        self.end_record()?;
        let all = self.games.values().sum();
        let of_query: HashMap<GroupValue, u64> = self
            .games
            .iter()
            .filter_map(|(title, games)| Some((record::read_values(title).pop()?, *games)))
            .collect();
        let query_key = self.groups.query_key();
        let row = |(values, counts): (Box<[u8]>, Counts)| {
            let keys = record::read_values(&values);
            let query = query_key.and_then(|index| of_query.get(keys.get(index)?));
            let [won, drawn, lost, other] = counts.games;
            let of = query.copied().unwrap_or(all);
            let (positions, rated) = (counts.positions, counts.rated);
            GroupRow { keys, positions, won, drawn, lost, other, rated, of }
        };
        let rows = std::mem::take(&mut self.counts).into_iter().map(row).collect();
        Ok(GroupTable::new(self.groups, rows))
    }
}
