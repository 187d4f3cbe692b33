//! The steps of a game, and the fuel of a regular expression.

/// The size of a portion. A run that can be stopped checks after each portion whether to go on:
/// every few milliseconds.
const PORTION: u64 = 1 << 16;

/// What may still be spent. It is given out in portions, so that the run can be stopped between
/// two of them, and counting within a portion costs nothing more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// What is left of the portion.
    now: u64,
    later: u64,
}

impl Allowance {
    /// An allowance in one portion, or, if the run can be stopped, in several.
    pub(crate) fn new(all: u64, in_portions: bool) -> Allowance {
        let now = if in_portions { all.min(PORTION) } else { all };
        Allowance { now, later: all - now }
    }

    /// Returns an allowance that is `factor` times as large.
    pub(crate) fn times(self, factor: u64) -> Allowance {
        let times = |part: u64| part.saturating_mul(factor);
        Allowance { now: times(self.now), later: times(self.later) }
    }

    pub(crate) fn left(&self) -> u64 {
        self.now.saturating_add(self.later)
    }

    /// Spends one. Returns `false` if the portion is used up.
    #[inline]
    pub(crate) fn take(&mut self) -> bool {
        let Some(now) = self.now.checked_sub(1) else { return false };
        self.now = now;
        true
    }

    /// Spends what is there, up to `amount`.
    #[inline]
    pub(crate) fn pay(&mut self, amount: u64) {
        match self.now.checked_sub(amount) {
            Some(now) => self.now = now,
            None => self.pay_more(amount),
        }
    }

    /// Spends more than the portion.
    #[cold]
    fn pay_more(&mut self, amount: u64) {
        self.later = self.later.saturating_sub(amount - self.now);
        self.now = 0;
    }

    /// Begins the next portion. Returns `false` if all is used up.
    #[cold]
    pub(crate) fn next_portion(&mut self) -> bool {
        let portion = self.later.min(PORTION);
        self.later -= portion;
        self.now += portion;
        self.now > 0
    }

    /// Spends all.
    pub(crate) fn clear(&mut self) {
        *self = Allowance { now: 0, later: 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_add_up() {
        for (all, in_portions, spent_at_once) in
            [(0, true, 0), (3 * PORTION + 5, true, 0), (3 * PORTION + 5, true, 2 * PORTION + 7)]
        {
            let mut allowance = Allowance::new(all, in_portions);
            allowance.pay(spent_at_once);
            assert_eq!(allowance.left(), all - spent_at_once);
            let mut taken = 0;
            while allowance.take() || allowance.next_portion() && allowance.take() {
                taken += 1;
            }
            assert_eq!((taken, allowance.left()), (all - spent_at_once, 0));
        }
        let mut allowance = Allowance::new(7, false);
        assert_eq!(allowance.times(u64::MAX).left(), u64::MAX);
        allowance.pay(8);
        assert!(!allowance.take() && !allowance.next_portion());
    }
}
