//! Choices that bytes make.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A source of choices. Each takes a byte, or three. When no byte is left, every choice is the
/// first one, so what is made of the choices ends; [`Choices::endless`] continues instead.
///
/// ```
/// use babson_arbitrary::Choices;
///
/// let mut choices = Choices::new(&[7, 1]);
/// assert_eq!(choices.below(5), 2);
/// assert_eq!(choices.choose(&["a", "b"]), "b");
/// assert!(choices.is_over());
/// assert_eq!(choices.choose(&["a", "b"]), "a");
/// ```
#[derive(Clone, Debug)]
pub struct Choices<'b> {
    bytes: &'b [u8],
    /// Where the bytes after the last one come from; `None` if these are 0.
    beyond: Option<SplitMix64>,
}

impl<'b> Choices<'b> {
    /// The choices that these bytes make.
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices { bytes, beyond: None }
    }

    /// Returns choices by the bytes that are left. When these are used up, pseudorandom numbers
    /// follow, seeded with a hash of them. So the things made of short inputs differ, too: use it
    /// for what ends by itself, such as a game, not for what ends when [no byte is
    /// left](Choices::is_over).
    ///
    /// ```
    /// use babson_arbitrary::{Choices, game};
    ///
    /// let [one, other] = [[3], [4]].map(|bytes| game(&mut Choices::new(&bytes).endless()));
    /// assert_ne!(one, other);
    /// ```
    pub fn endless(&self) -> Choices<'b> {
        let next =
            |state, byte: &u8| SplitMix64::seed_from_u64(state ^ u64::from(*byte)).next_u64();
        let hash = self.bytes.iter().fold(self.bytes.len() as u64, next);
        Choices { bytes: self.bytes, beyond: Some(SplitMix64::seed_from_u64(hash)) }
    }

    /// Returns the next byte. When none is left: 0, or a pseudorandom one if the choices are
    /// [endless](Choices::endless).
    pub fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&byte, rest)) => {
                self.bytes = rest;
                byte
            }
            None => self.beyond.as_mut().map_or(0, |random| (random.next_u64() >> 56) as u8),
        }
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let number = match end {
            0 | 1 => return 0,
            2..=256 => usize::from(self.byte()),
            _ => usize::from(self.byte()) << 16 | usize::from(self.byte()) << 8,
        };
        match end {
            2..=256 => number % end,
            _ => (number | usize::from(self.byte())) % end,
        }
    }

    /// Returns one of the items.
    ///
    /// # Panics
    /// The list of items is empty.
    pub fn choose<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// Returns true in one of `of` cases.
    pub fn one_in(&mut self, of: usize) -> bool {
        // The first choice is the plain one.
        self.below(of) == of - 1
    }

    /// Returns whether no byte is left.
    pub fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes that are left, without the choices before.
    pub fn rest(&self) -> &'b [u8] {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_choices_begin_with_the_bytes() {
        let bytes = |choices: &mut Choices<'_>| (0..20).map(|_| choices.byte()).collect::<Vec<_>>();
        let mut choices = Choices::new(&[9, 1, 2]);
        choices.byte();
        let [one, same] = [(); 2].map(|()| bytes(&mut choices.endless()));
        assert_eq!(one, same);
        assert_eq!(one[..2], [1, 2]);
        assert!(one[2..].iter().any(|&byte| byte != one[2]));
        // The bytes before do not matter, and those that are left do.
        assert_eq!(bytes(&mut Choices::new(&[1, 2]).endless()), one);
        assert_ne!(bytes(&mut Choices::new(&[1, 3]).endless())[2..], one[2..]);
    }
}
