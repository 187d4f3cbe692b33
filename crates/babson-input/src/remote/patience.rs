//! How long a server may take that sends a text.

use std::time::Duration;

use crate::limits::MIN_RATE;

/// The time that a server still has. It may be silent for some time, and gains time by the bytes
/// that it sends, up to the time that it had at first. So it may send fewer bytes than [`MIN_RATE`]
/// for a while, but not forever, however much it has sent before.
pub(super) struct Patience {
    silence: Duration,
    left: Duration,
    /// The bytes that came since it was renewed.
    bytes: u64,
    was_renewed: bool,
}

impl Patience {
    /// Patience with a server that may be silent for this time.
    pub(super) fn new(silence: Duration) -> Patience {
        Patience { silence, left: silence, bytes: 0, was_renewed: false }
    }

    /// How long the server may take now.
    pub(super) fn left(&self) -> Duration {
        self.left
    }

    /// Takes account of bytes that came after this time.
    pub(super) fn spend(&mut self, time: Duration, bytes: usize) {
        let bytes = bytes as u64;
        self.bytes = self.bytes.saturating_add(bytes);
        let gained = Duration::from_micros(bytes.saturating_mul(1_000_000) / MIN_RATE);
        self.left = self.left.saturating_add(gained).saturating_sub(time).min(self.silence);
    }

    /// Gives the server all its time again, once, and again when it has sent enough bytes for it.
    /// Returns whether it did.
    pub(super) fn renew(&mut self) -> bool {
        let enough = self.silence.as_millis().saturating_mul(u128::from(MIN_RATE)) / 1000;
        if self.was_renewed && u128::from(self.bytes) < enough {
            return false;
        }
        *self = Patience { was_renewed: true, ..Patience::new(self.silence) };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_give_time() {
        let second = Duration::from_secs(1);
        let mut patience = Patience::new(4 * second);
        patience.spend(3 * second, 0);
        assert_eq!(patience.left(), second);
        patience.spend(second, MIN_RATE as usize);
        assert_eq!(patience.left(), second);
        // Many bytes do not make up for a long silence later.
        patience.spend(second, 1 << 30);
        assert_eq!(patience.left(), 4 * second);
        patience.spend(9 * second, 1);
        assert_eq!(patience.left(), Duration::ZERO);
        assert!(patience.renew() && !patience.renew());
        patience.spend(second, 4 * MIN_RATE as usize - 1);
        assert!(!patience.renew());
        patience.spend(second, 1);
        assert!(patience.renew());
        assert_eq!(patience.left(), 4 * second);
    }
}
