//! `zobristkey`: the keys of a game's positions are made one from the other.

use babson_chess::zobrist;

use super::Run;

/// What is known of the keys of the current game.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The placements of the first positions, by id.
    placements: Vec<u64>,
    /// The position whose key was asked for last, and its text: most queries ask twice.
    last: Option<(u32, u64)>,
}

impl Keys {
    pub(super) fn clear(&mut self) {
        self.placements.clear();
        self.last = None;
    }
}

impl Run<'_, '_> {
    /// The text of the current board's key.
    pub(super) fn zobrist_key(&mut self) -> u64 {
        if !self.is_own() {
            let key = zobrist::key(&self.here.board);
            return self.state.intern(&hexadecimal(key));
        }
        let node = self.here.node;
        if let Some((known, text)) = self.state.kept.keys.last
            && known == node
        {
            return text;
        }
        let placement = self.placement(node as usize);
        let key = zobrist::of_placement(placement, &self.here.board);
        let text = self.state.intern(&hexadecimal(key));
        self.state.kept.keys.last = Some((node, text));
        text
    }

    fn placement(&mut self, node: usize) -> u64 {
        let known = &mut self.state.kept.keys.placements;
        if known.is_empty() {
            known.push(zobrist::placement(&self.positions[0]));
        }
        for next in known.len()..=node {
            let parent = self.nodes[next].parent as usize;
            let (before, after) = (&self.positions[parent], &self.positions[next]);
            known.push(zobrist::placement_after(known[parent], before, after));
        }
        known[node]
    }
}

/// Sixteen digits, eight at a time: each half-byte becomes a byte, and those above nine step over
/// the characters between `9` and `a`.
fn hexadecimal(key: u64) -> [u8; 16] {
    let digits = |half: u32| {
        let mut bytes = u64::from(half);
        bytes = (bytes | bytes << 16) & 0x0000_ffff_0000_ffff;
        bytes = (bytes | bytes << 8) & 0x00ff_00ff_00ff_00ff;
        bytes = (bytes | bytes << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        let letters = (bytes + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
        bytes + 0x3030_3030_3030_3030 + letters * u64::from(b'a' - b'9' - 1)
    };
    let high = digits((key >> 32) as u32).to_be_bytes();
    let low = digits(key as u32).to_be_bytes();
    std::array::from_fn(|at| if at < 8 { high[at] } else { low[at - 8] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        for key in [0, 1, 0x463b_9618_1691_fc9c, u64::MAX] {
            assert_eq!(hexadecimal(key), *format!("{key:016x}").as_bytes());
        }
    }
}
