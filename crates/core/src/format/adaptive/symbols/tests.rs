use super::super::range_coder::Encoder;
use super::super::recency::UNKNOWN_USES;
use super::*;

/// Codes `sequence`, of ranks. It must keep to [`SymbolModel::uses_left`] or is an error.
fn encode(sequence: &[u32], model: &SymbolModel) -> Result<Vec<u8>, Corrupt> {
    let mut coding = Coding::new::<Encoder>(model, sequence.len())?;
    let mut encoder = Encoder::default();
    let mut left = model.uses_left.to_vec();
    for &rank in sequence {
        let left = &mut left[rank as usize];
        *left = if *left == UNKNOWN_USES { *left } else { left.checked_sub(1).ok_or(Corrupt)? };
        let bucket = model.buckets.partition_point(|bucket| bucket.first_rank <= rank) - 1;
        coding.symbol(&mut encoder, rank, bucket, usize::from(model.buckets[bucket].column))?;
    }
    Ok(encoder.finish())
}

fn decode_all(bytes: &[u8], len: usize, model: &SymbolModel) -> Result<Vec<u32>, Corrupt> {
    let mut ranks = Vec::new();
    decode(bytes, len, model, |at, block| {
        assert_eq!(at, ranks.len());
        ranks.extend_from_slice(block);
    })?;
    Ok(ranks)
}

fn random(state: &mut u64) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 32) as u32
}

/// Buckets of growing size over `columns` columns, and rows, tokens and uses for all.
struct Symbols {
    buckets: Vec<Bucket>,
    row: Vec<u8>,
    last_token: Vec<u32>,
    uses_left: Vec<u8>,
}

impl Symbols {
    fn new(columns: u8, levels: u32, largest: u32) -> Self {
        let mut buckets = Vec::new();
        let mut first_rank = 0;
        for (column, level) in
            (0..columns).flat_map(|column| (0..levels).map(move |level| (column, level)))
        {
            let size = largest.checked_shr(level).unwrap_or(0).max(1);
            buckets.push(Bucket { first_rank, size, column });
            first_rank += size;
        }
        let row = (0..first_rank).map(|rank| (rank % 32) as u8).collect();
        let uses_left = vec![UNKNOWN_USES; first_rank as usize];
        Symbols { buckets, row, last_token: (0..first_rank).collect(), uses_left }
    }

    fn model(&self) -> SymbolModel<'_> {
        SymbolModel {
            buckets: &self.buckets,
            row: &self.row,
            last_token: &self.last_token,
            uses_left: &self.uses_left,
        }
    }

    fn assert_round_trip(&self, sequence: &[u32]) {
        let bytes = encode(sequence, &self.model()).unwrap();
        assert_eq!(decode_all(&bytes, sequence.len(), &self.model()).unwrap(), sequence);
    }
}

#[test]
fn sequences_come_back() {
    let mut state = 7;
    for symbols in [
        Symbols::new(1, 1, 1),
        Symbols::new(1, 32, 9),
        Symbols::new(32, 3, 700),
        Symbols::new(3, 2, 40_000),
    ] {
        let count = symbols.row.len() as u32;
        symbols.assert_round_trip(&[]);
        symbols.assert_round_trip(&[count - 1]);
        symbols.assert_round_trip(&vec![count / 2; 5000]);
        symbols.assert_round_trip(&(0..count).chain((0..count).rev()).collect::<Vec<_>>());
        symbols.assert_round_trip(
            &(0..20_000).map(|_| random(&mut state) % count).collect::<Vec<_>>(),
        );
        symbols.assert_round_trip(
            &(0..20_000)
                .map(|_| count * (random(&mut state) % 9) / 10)
                .map(|r| r.min(count - 1))
                .collect::<Vec<_>>(),
        );
    }
}

#[test]
fn used_up_symbols_leave() {
    let mut symbols = Symbols::new(4, 3, 600);
    let mut state = 3;
    symbols.uses_left.iter_mut().for_each(|uses| *uses = (random(&mut state) % 4) as u8);
    let mut sequence: Vec<u32> = symbols
        .uses_left
        .iter()
        .enumerate()
        .flat_map(|(rank, &uses)| vec![rank as u32; usize::from(uses)])
        .collect();
    for at in (1..sequence.len()).rev() {
        sequence.swap(at, random(&mut state) as usize % (at + 1));
    }
    symbols.assert_round_trip(&sequence);
    sequence.push(sequence[0]);
    assert_eq!(encode(&sequence, &symbols.model()), Err(Corrupt));
}

#[test]
fn garbage_is_decoded_or_refused() {
    let mut state = 11;
    for seed in 0..200u32 {
        let mut symbols = Symbols::new(1 + seed as u8 % 32, 1 + seed % 32, 1 + seed * 7);
        if seed % 2 == 0 {
            symbols.uses_left.iter_mut().for_each(|uses| *uses = (random(&mut state) % 3) as u8);
        }
        let mut bytes: Vec<u8> = (0..seed * 9).map(|_| random(&mut state) as u8).collect();
        if seed % 5 == 0 {
            bytes.fill(0xFF);
        }
        if let Ok(ranks) = decode_all(&bytes, 3000, &symbols.model()) {
            assert!(ranks.iter().all(|&rank| (rank as usize) < symbols.row.len()));
        }
    }
}

#[test]
fn unsound_models_are_refused() {
    let refused = |change: fn(&mut Symbols)| {
        let mut symbols = Symbols::new(2, 2, 5);
        change(&mut symbols);
        assert_eq!(decode_all(&[1, 2, 3], 4, &symbols.model()), Err(Corrupt));
    };
    refused(|symbols| symbols.buckets[1].size += 1);
    refused(|symbols| symbols.buckets[1].first_rank += 1);
    refused(|symbols| symbols.buckets[0].column = 1);
    refused(|symbols| symbols.buckets[3].column = 32);
    refused(|symbols| symbols.row[0] = 32);
    refused(|symbols| symbols.uses_left.truncate(3));
    assert_eq!(decode_all(&[], 1, &Symbols::new(1, 33, 1).model()), Err(Corrupt));
    assert_eq!(decode_all(&[], 1, &Symbols::new(0, 0, 1).model()), Err(Corrupt));
}
