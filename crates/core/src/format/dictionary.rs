//! The dictionary section: all tokens, front-coded group by group, and their clusters.
//!
//! ```text
//! clusters: u8, tokens: varint
//! stream: groups      (class, level, tokens) of each group
//! stream: shared      bytes shared with the token before, varints, 0 at the start of a group
//! stream: lengths     bytes that follow, varints
//! stream: suffixes    those bytes
//! stream: rows        0 for the default cluster, else one more than the cluster; only if clusters > 4
//! stream: columns     likewise
//! ```

use super::bytes::{ByteReader, Malformed, put_varint};
use super::layer::{Layer, put_stream, take_stream};
use super::segment::{Clusters, MOST_CLUSTERS, default_clusters};
use crate::token::{Dictionary, DictionaryBuilder, LEVELS, MAX_SEPARATOR, MAX_WORD, TokenClass};

/// Longer common prefixes are written again: a few bytes must not stand for very long tokens.
const MOST_SHARED: usize = 255;

pub(crate) fn encode(dictionary: &Dictionary, clusters: &Clusters, layer: Layer) -> Vec<u8> {
    let mut groups = Vec::new();
    let (mut shared, mut lengths, mut suffixes) = (Vec::new(), Vec::new(), Vec::new());
    for group in dictionary.groups() {
        groups.extend([group.class as u8, group.level]);
        put_varint(&mut groups, u64::from(group.end - group.start));
        let mut last: &[u8] = &[];
        for id in group.start..group.end {
            let token = dictionary.bytes(id);
            let common =
                token.iter().zip(last).take(MOST_SHARED).take_while(|(a, b)| a == b).count();
            put_varint(&mut shared, common as u64);
            put_varint(&mut lengths, (token.len() - common) as u64);
            suffixes.extend_from_slice(&token[common..]);
            last = token;
        }
    }
    let mut out = vec![clusters.count as u8];
    put_varint(&mut out, dictionary.len() as u64);
    for stream in [&groups, &shared, &lengths, &suffixes] {
        put_stream(&mut out, layer, stream);
    }
    let defaults = default_clusters(dictionary, clusters.count);
    for (own, default) in [(&clusters.rows, &defaults.rows), (&clusters.columns, &defaults.columns)]
    {
        let explicit: Vec<u8> = own
            .iter()
            .zip(default)
            .map(|(own, default)| if own == default { 0 } else { own + 1 })
            .collect();
        put_stream(&mut out, layer, &explicit);
    }
    out
}

pub(crate) fn decode(bytes: &[u8]) -> Result<(Dictionary, Clusters), Malformed> {
    let mut reader = ByteReader::new(bytes);
    let cluster_count = reader.u8()?;
    if cluster_count == 0 || cluster_count as usize > MOST_CLUSTERS {
        return reader.malformed(format!("{cluster_count} clusters"));
    }
    let tokens = reader.varint_at_most(u64::from(u32::MAX) / 2, "number of tokens")? as usize;
    let groups = take_stream(&mut reader)?;
    let shared = take_stream(&mut reader)?;
    let lengths = take_stream(&mut reader)?;
    let suffixes = take_stream(&mut reader)?;
    let at = reader.offset();
    if tokens > shared.len() {
        return Err(Malformed::at(at, format!("{tokens} tokens in {} bytes", shared.len())));
    }
    let dictionary = decode_tokens(tokens, &groups, &shared, &lengths, &suffixes)
        .map_err(|error| Malformed::at(at, format!("tokens: {error}")))?;
    let mut clusters = default_clusters(&dictionary, cluster_count as usize);
    for own in [&mut clusters.rows, &mut clusters.columns] {
        let explicit = take_stream(&mut reader)?;
        if explicit.len() != own.len() || explicit.iter().any(|&value| value > cluster_count) {
            return reader.malformed("clusters do not fit the tokens");
        }
        for (own, &explicit) in own.iter_mut().zip(explicit.iter()) {
            if explicit > 0 {
                *own = explicit - 1;
            }
        }
    }
    reader.expect_end()?;
    Ok((dictionary, clusters))
}

fn decode_tokens(
    tokens: usize,
    groups: &[u8],
    shared: &[u8],
    lengths: &[u8],
    suffixes: &[u8],
) -> Result<Dictionary, Malformed> {
    let (mut groups, mut shared) = (ByteReader::new(groups), ByteReader::new(shared));
    let (mut lengths, mut suffixes) = (ByteReader::new(lengths), ByteReader::new(suffixes));
    let mut builder = DictionaryBuilder::with_capacity(tokens, suffixes.remaining() * 2);
    let (mut left, mut total) = (tokens as u64, 0u64);
    while left > 0 {
        let (class, level) = (groups.u8()?, groups.u8()?);
        let Some(&class) =
            TokenClass::ALL.get(class as usize).filter(|_| (level as usize) < LEVELS)
        else {
            return groups.malformed(format!("no group of class {class} and level {level}"));
        };
        let longest = if class.is_word() { MAX_WORD } else { MAX_SEPARATOR } as u64;
        let count = groups.varint_at_most(left, "tokens of a group")?;
        left -= count;
        let mut last_len = 0u64;
        for _ in 0..count {
            let most_shared = last_len.min(MOST_SHARED as u64);
            let common = shared.varint_at_most(most_shared, "shared bytes")?;
            let len = lengths.varint_at_most(longest - common, "token length")?;
            total += common + len;
            if total > u64::from(u32::MAX) {
                return lengths.malformed("tokens of more than 4 GiB");
            }
            builder.push_sharing(class, level, common as usize, suffixes.take(len as usize)?);
            last_len = common + len;
        }
    }
    groups.expect_end()?;
    shared.expect_end()?;
    lengths.expect_end()?;
    suffixes.expect_end()?;
    builder.finish().map_err(|error| Malformed::at(0, error.to_string()))
}
