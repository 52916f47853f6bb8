//! How fast requests may come.

use std::sync::Mutex;
use std::time::Instant;

use millstone::locks::lock;

/// What may be spent at once, in tokens.
const MOST: f64 = 2_000.0;
/// What comes back in a second.
const A_SECOND: f64 = 1_000.0;
/// The bytes of a body that cost as much as a request.
const BYTES: f64 = 1_024.0;

/// A purse of tokens, which fills again with time: a request costs one, and so does each KiB of it.
pub struct Purse(Mutex<(f64, Instant)>);

impl Purse {
    /// A full purse.
    pub fn full() -> Self {
        Self(Mutex::new((MOST, Instant::now())))
    }

    /// Pays for a request. Returns whether that was possible.
    pub fn pay(&self) -> bool {
        self.pay_at(Instant::now(), 1.0)
    }

    /// Pays for the bytes of its body. Returns whether that was possible.
    pub fn pay_for_bytes(&self, bytes: usize) -> bool {
        self.pay_at(Instant::now(), bytes as f64 / BYTES)
    }

    fn pay_at(&self, now: Instant, cost: f64) -> bool {
        let (tokens, since) = &mut *lock(&self.0);
        let earned = now.saturating_duration_since(*since).as_secs_f64() * A_SECOND;
        (*tokens, *since) = ((*tokens + earned).min(MOST), now);
        let is_paid = *tokens >= cost;
        if is_paid {
            *tokens -= cost;
        }
        is_paid
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_empty_purse_fills_with_time() {
        let purse = Purse::full();
        let now = Instant::now();
        assert!((0..MOST as usize).all(|_| purse.pay_at(now, 1.0)));
        assert!(!purse.pay_at(now, 1.0));
        let later = now + Duration::from_millis(5);
        assert!(!purse.pay_at(later, 8.0));
        assert!(purse.pay_at(later, 3.0));
        assert!(!purse.pay_at(later, 3.0));
    }
}
