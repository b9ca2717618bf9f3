//! Random numbers that depend on a seed alone, not on the machine, the build or the thread.
//!
//! The generator is SplitMix64 (Steele, Lea, Flood 2014): one addition and a mixing function per number.
//! It passes BigCrush and serves simulations. It keeps no secrets.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream with number `stream` of a seed. Work that is divided into parts takes one stream per
    /// part, so that its result does not depend on the thread that does it.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        // Mixed once each, so that neighbouring seeds and streams share no numbers.
        Self { state: mix(seed ^ mix(stream)) }
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }

    /// A number below `limit`; 0 if `limit` is 0. It takes the high half of a product, whose bias is at
    /// most `limit` in 2^64.
    #[inline]
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u32
    }

    /// A number from 0 up to, but without, 1.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        // The 24 bits that a float holds exactly.
        (self.bits() >> 40) as f32 * (1.0 / (1 << 24) as f32)
    }
}

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation's first numbers from state 0.
    #[test]
    fn numbers_are_those_of_the_reference() {
        let mut random = Random { state: 0 };
        let first = [random.bits(), random.bits(), random.bits()];
        assert_eq!(first, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
    }

    #[test]
    fn numbers_are_in_range_and_even() {
        let mut random = Random::new(1, 2);
        let mut seen = [0u32; 7];
        (0..70_000).for_each(|_| seen[random.below(7) as usize] += 1);
        assert!(seen.iter().all(|&count| (9_600..10_400).contains(&count)), "{seen:?}");
        let units: Vec<f32> = (0..10_000).map(|_| random.unit()).collect();
        assert!(units.iter().all(|unit| (0.0..1.0).contains(unit)));
        let mean = units.iter().sum::<f32>() / units.len() as f32;
        assert!((0.49..0.51).contains(&mean), "{mean}");
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn seeds_and_streams_differ() {
        let first = |seed, stream| Random::new(seed, stream).bits();
        let mut all: Vec<u64> =
            (0..30).flat_map(|seed| (0..30).map(move |stream| first(seed, stream))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 900);
        assert_eq!(first(3, 4), first(3, 4));
    }
}
