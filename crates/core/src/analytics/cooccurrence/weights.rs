//! What a pair of words adds to its cell: a whole number.
//!
//! With [`Weighting::Inverse`] a pair at distance `d` weighs `1 / d`. Every weight is a whole number of
//! `1 / L`, where `L` is the least common multiple of all distances. So cells are sums of whole numbers,
//! exact in any order and on any number of threads, and only the final quotient is rounded.

use super::Weighting;
use crate::error::CooccurrenceError;

/// The largest window with weights of `1 / d`: up to here, `L` fits in 64 bits.
pub(super) const MOST_INVERSE: usize = 46;

/// The largest window where all pairs weigh the same.
pub(super) const MOST_FLAT: usize = 10_000;

/// The weights of distances from 1 to the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weights {
    /// In units of `1 / divisor`, the weight at distance 1 first. They do not rise.
    pub(super) of_distance: Vec<u64>,
    divisor: u64,
}

impl Weights {
    pub(super) fn new(window: usize, weighting: Weighting) -> Result<Self, CooccurrenceError> {
        let most = match weighting {
            Weighting::Inverse => MOST_INVERSE,
            Weighting::Flat => MOST_FLAT,
        };
        if !(1..=most).contains(&window) {
            return Err(CooccurrenceError::BadWindow { window, most });
        }
        let divisor = match weighting {
            Weighting::Inverse => (1..=window as u64).fold(1, |all, d| all / common(all, d) * d),
            Weighting::Flat => 1,
        };
        let weight = |distance: u64| match weighting {
            Weighting::Inverse => divisor / distance,
            Weighting::Flat => 1,
        };
        Ok(Self { of_distance: (1..=window as u64).map(weight).collect(), divisor })
    }

    pub(super) fn window(&self) -> usize {
        self.of_distance.len()
    }

    /// The heaviest weight.
    pub(super) fn most(&self) -> u64 {
        self.of_distance[0]
    }

    /// The value of a sum of weights, correctly rounded.
    #[inline(always)]
    pub(super) fn value(&self, sum: u128) -> f64 {
        /// Whole numbers up to here are exact in an `f64`.
        const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
        if sum <= u128::from(EXACT) && self.divisor <= EXACT {
            return sum as u64 as f64 / self.divisor as f64;
        }
        quotient(sum, self.divisor)
    }
}

/// `sum / divisor`, correctly rounded.
#[cold]
fn quotient(sum: u128, divisor: u64) -> f64 {
    if sum == 0 {
        return 0.0;
    }
    // The quotient of the shifted sum has at least 64 bits. A remainder sets the lowest of them, which
    // is far below the bits that rounding looks at, except that it breaks ties.
    let shift = sum.leading_zeros();
    let (scaled, divisor) = (sum << shift, u128::from(divisor));
    let bits = (scaled / divisor) | u128::from(!scaled.is_multiple_of(divisor));
    bits as f64 * 0.5f64.powi(shift as i32)
}

/// The greatest common divisor.
fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn weights_are_exact_up_to_the_largest_window() {
        for window in 1..=MOST_INVERSE {
            let weights = Weights::new(window, Weighting::Inverse).unwrap();
            for (&weight, distance) in weights.of_distance.iter().zip(1..) {
                assert_eq!(weight * distance, weights.divisor);
                assert_eq!(weights.value(weight.into()), 1.0 / distance as f64);
            }
        }
        assert_eq!(Weights::new(15, Weighting::Inverse).unwrap().divisor, 360_360);
        let overflow = u128::from(Weights::new(46, Weighting::Inverse).unwrap().divisor) * 47;
        assert!(overflow > u128::from(u64::MAX), "47 is prime, so a window of 47 does not fit");
        let most = |weighting| match Weights::new(1_000_000_000, weighting) {
            Err(CooccurrenceError::BadWindow { most, .. }) => most,
            other => panic!("{other:?}"),
        };
        assert_eq!((most(Weighting::Inverse), most(Weighting::Flat)), (46, 10_000));
        assert!(Weights::new(0, Weighting::Flat).is_err());
    }

    proptest! {
        /// Multiplied back, the quotient is at most half a unit in the last place away; on a tie its
        /// last bit is zero.
        #[test]
        fn quotients_are_correctly_rounded(
            sum in prop_oneof![any::<u64>().prop_map(u128::from), any::<u128>().prop_map(|n| n >> 12)],
            divisor in prop_oneof![1u64..100, 1u64 << 40..u64::MAX],
        ) {
            prop_assume!(sum > 0);
            let value = quotient(sum, divisor);
            let (low, high) = (value.next_down(), value.next_up());
            // Compares a number with the quotient: whether `number * divisor < sum`, in whole numbers.
            let half = |a: f64, b: f64| {
                // The number halfway between two neighbours has one bit more than they have.
                let (mantissa, exponent) = decode(a);
                let (other, its) = decode(b);
                let least = exponent.min(its) - 1;
                let sum = (mantissa << (exponent - least)) + (other << (its - least));
                (sum / 2, least)
            };
            let compare = |(mantissa, exponent): (u128, i32)| {
                // mantissa * 2^exponent * divisor against sum
                let left = big(mantissa, u128::from(divisor), exponent.max(0) as u32);
                let right = big(sum, 1, (-exponent).max(0) as u32);
                left.cmp(&right)
            };
            let even = value.to_bits().is_multiple_of(2);
            let below = compare(half(low, value));
            let above = compare(half(value, high));
            prop_assert!(below.is_lt() || even && below.is_eq());
            prop_assert!(above.is_gt() || even && above.is_eq());
            if sum < 1 << 53 && divisor < 1 << 53 {
                prop_assert_eq!(value, sum as f64 / divisor as f64);
            }
        }
    }

    fn decode(value: f64) -> (u128, i32) {
        let bits = value.to_bits();
        let exponent = (bits >> 52) as i32 - 1075;
        (u128::from(bits & ((1 << 52) - 1) | 1 << 52), exponent)
    }

    /// `a * b << shift` as digits of 32 bits, the highest first, of one length for all.
    fn big(a: u128, b: u128, shift: u32) -> Vec<u64> {
        const DIGITS: usize = 24;
        let digit = |n: u128, at: usize| if at < 4 { (n >> (32 * at)) as u32 as u64 } else { 0 };
        let mut product = vec![0u64; DIGITS];
        for at in 0..4 {
            let mut carry = 0;
            for place in 0..DIGITS - at {
                let sum = product[at + place] + digit(a, at) * digit(b, place) + carry;
                (product[at + place], carry) = (sum & 0xFFFF_FFFF, sum >> 32);
            }
        }
        for _ in 0..shift {
            let mut carry = 0;
            for digit in &mut product {
                let doubled = *digit << 1 | carry;
                (*digit, carry) = (doubled & 0xFFFF_FFFF, doubled >> 32);
            }
        }
        product.reverse();
        product
    }
}
