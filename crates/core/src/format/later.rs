//! Tokens that the dictionary gained after a segment was encoded: section LATE.
//!
//! Compaction copies the segments that no edit touches as they are. Their tokens are numbered as in the
//! dictionary of that time. The dictionary only gains tokens since, so the ids of the new ones in the
//! present dictionary are enough to turn old ids into present ones.
//!
//! ```text
//! tokens: varint
//! stream: ids, rising: each minus the one before it minus one, varints; the first as it is
//! ```

use super::bytes::{ByteReader, Malformed, put_varint};
use super::clusters::Clusters;
use super::layer::{Layer, put_stream, take_stream};
use crate::token::{Dictionary, Group};

pub(crate) fn encode(ids: &[u32], layer: Layer) -> Vec<u8> {
    let (mut out, mut gaps) = (Vec::new(), Vec::new());
    let mut next = 0;
    for &id in ids {
        put_varint(&mut gaps, u64::from(id - next));
        next = id + 1;
    }
    put_varint(&mut out, ids.len() as u64);
    put_stream(&mut out, layer, &gaps);
    out
}

/// Decodes the ids for a dictionary of this many tokens.
pub(crate) fn decode(bytes: &[u8], tokens: usize) -> Result<Vec<u32>, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let count = reader.varint_at_most(tokens as u64, "number of later tokens")? as usize;
    let at = reader.offset();
    let stream = take_stream(&mut reader)?;
    reader.expect_end()?;
    decode_gaps(&stream, count, tokens)
        .map_err(|error| Malformed::at(at, format!("later tokens: {error}")))
}

fn decode_gaps(stream: &[u8], count: usize, tokens: usize) -> Result<Vec<u32>, Malformed> {
    let mut gaps = ByteReader::new(stream);
    if count > stream.len() {
        return gaps.malformed(format!("{count} ids in {} bytes", stream.len()));
    }
    let mut ids = Vec::with_capacity(count);
    let mut next = 0;
    for left in (0..count as u64).rev() {
        let most = (tokens as u64 - next).saturating_sub(left + 1);
        next += gaps.varint_at_most(most, "gap")?;
        ids.push(next as u32);
        next += 1;
    }
    gaps.expect_end()?;
    Ok(ids)
}

/// The tokens of a dictionary without those that it gained later.
pub(crate) struct EarlierTokens {
    pub(crate) groups: Vec<Group>,
    pub(crate) clusters: Clusters,
    /// The present id of each.
    pub(crate) ids: Vec<u32>,
}

impl EarlierTokens {
    /// The tokens of a dictionary except `later`, which are rising ids of it.
    pub(crate) fn new(dictionary: &Dictionary, clusters: &Clusters, later: &[u32]) -> Self {
        let ids = earlier_ids(dictionary.len(), later);
        let number = |id: u32| id - later.partition_point(|&later| later < id) as u32;
        let groups = dictionary.groups().iter().map(|group| Group {
            start: number(group.start),
            end: number(group.end),
            ..*group
        });
        let pick = |all: &[u8]| ids.iter().map(|&id| all[id as usize]).collect();
        Self {
            groups: groups.filter(|group| group.start < group.end).collect(),
            clusters: Clusters {
                count: clusters.count,
                rows: pick(&clusters.rows),
                columns: pick(&clusters.columns),
            },
            ids,
        }
    }
}

/// The ids below `tokens` that are not in `later`, a rising list.
pub(crate) fn earlier_ids(tokens: usize, later: &[u32]) -> Vec<u32> {
    let mut ids = Vec::with_capacity(tokens - later.len());
    let mut next = 0;
    for &id in later {
        ids.extend(next..id);
        next = id + 1;
    }
    ids.extend(next..tokens as u32);
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ids_come_back(ids in proptest::collection::btree_set(0u32..300, 0..300), more in 0usize..9) {
            let ids: Vec<u32> = ids.into_iter().collect();
            let tokens = ids.last().map_or(0, |&last| last as usize + 1) + more;
            for layer in [Layer::None, Layer::Zstd] {
                let bytes = encode(&ids, layer);
                prop_assert_eq!(&decode(&bytes, tokens).unwrap(), &ids);
                if let Some(&last) = ids.last() {
                    prop_assert!(decode(&bytes, last as usize).is_err());
                }
            }
            let earlier = earlier_ids(tokens, &ids);
            let expected: Vec<u32> = (0..tokens as u32).filter(|id| !ids.contains(id)).collect();
            prop_assert_eq!(earlier, expected);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60), tokens in 0usize..50) {
            if let Ok(ids) = decode(&bytes, tokens) {
                prop_assert!(ids.is_sorted() && ids.iter().all(|&id| (id as usize) < tokens));
                prop_assert_eq!(earlier_ids(tokens, &ids).len(), tokens - ids.len());
            }
        }
    }
}
