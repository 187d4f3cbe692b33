//! Bytes that are damaged as disks, networks and attackers do it.

use crate::Choices;

/// The most edits of one damage.
const MAX_EDITS: usize = 6;

/// Numbers at which arithmetic and comparisons change their results.
const ODD_NUMBERS: [u64; 12] = [
    0,
    1,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// Returns the bytes after some edits: bits turned, numbers replaced, parts removed, repeated and
/// moved, and bytes inserted. Without choices, nothing is edited.
pub fn damage(bytes: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..choices.below(MAX_EDITS + 1) {
        edit(&mut bytes, choices);
    }
    bytes
}

fn edit(bytes: &mut Vec<u8>, choices: &mut Choices<'_>) {
    // Headers and footers are small and decide much.
    let at = match choices.below(4) {
        0 | 1 => choices.below(bytes.len()),
        2 => choices.below(bytes.len().min(128)),
        _ => bytes.len().saturating_sub(1 + choices.below(256)),
    };
    let Some(&byte) = bytes.get(at) else {
        bytes.push(choices.byte());
        return;
    };
    let length = (1 + choices.below(64)).min(bytes.len() - at);
    match choices.below(8) {
        0 => bytes[at] = byte ^ 1 << choices.below(8),
        1 => bytes[at] = choices.byte(),
        2 => {
            let width = [1, 2, 4, 8][choices.below(4)].min(bytes.len() - at);
            let number = choices.choose(&ODD_NUMBERS).to_le_bytes();
            bytes[at..at + width].copy_from_slice(&number[..width]);
        }
        3 => bytes.truncate(at),
        4 => drop(bytes.drain(at..at + length)),
        5 => {
            let part = bytes[at..at + length].to_vec();
            bytes.splice(at..at, part);
        }
        6 => {
            let part: Vec<u8> = bytes.drain(at..at + length).collect();
            let to = choices.below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
        _ => {
            let added: Vec<u8> = (0..1 + choices.below(8)).map(|_| choices.byte()).collect();
            bytes.splice(at..at, added);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_random_inputs;

    #[test]
    fn without_choices_nothing_is_damaged() {
        assert_eq!(damage(b"abc", &mut Choices::new(&[])), b"abc");
    }

    #[test]
    fn most_damage_is_small() {
        let file = [7; 500];
        for_random_inputs(300, |bytes| {
            let damaged = damage(&file, &mut Choices::new(bytes));
            assert!(damaged.len() < file.len() + 64 * MAX_EDITS);
        });
        // An empty file can be damaged, too.
        for_random_inputs(50, |bytes| drop(damage(b"", &mut Choices::new(bytes))));
    }
}
