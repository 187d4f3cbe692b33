//! Choices that bytes make.

/// A source of choices. Each takes a byte, or two. When no byte is left, every choice is the first
/// one, so what is made of the choices ends.
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
}

impl<'b> Choices<'b> {
    /// The choices that these bytes make.
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices { bytes }
    }

    /// Returns the next byte; 0 when none is left.
    pub fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        byte
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
