//! The dictionary section: all tokens, front-coded group by group, and their clusters.
//!
//! ```text
//! coding: u8, clusters: u8, tokens: varint
//! stream: groups      (class, level, tokens) of each group
//! front-coded (0):
//!   stream: shared    bytes shared with the previous token, varints, 0 at the start of a group
//!   stream: lengths   bytes that follow, varints
//!   stream: suffixes  those bytes
//! adaptive (1), at level `max` if there are few tokens or much text per token:
//!   bytes of all tokens: varint, code length: varint, code
//! if there are more than four clusters:
//!   stream: rows      0 for the default cluster, else one more than the cluster
//!   stream: columns   the same
//! ```

use super::Level;
use super::adaptive::dictionary_coder;
use super::bytes::{ByteReader, Malformed, put_varint};
use super::clusters::{Clusters, DEFAULT_CLUSTERS, MOST_CLUSTERS, default_clusters};
use super::front_coding;
use super::layer::{Layer, put_stream, take_stream};
use crate::token::{Dictionary, DictionaryBuilder, LEVELS, MAX_SEPARATOR, MAX_WORD, TokenClass};

/// How the tokens' bytes are stored.
const FRONT_CODED: u8 = 0;
const ADAPTIVE: u8 = 1;

/// The adaptive code is a fifth smaller, but takes some 5 µs per token to decode. That is little
/// compared with the grammar if there is this much text per token, and little in total if there are
/// this few tokens. Otherwise it would take a third of the loading time.
const TEXT_A_TOKEN: u64 = 1 << 10;
const FEW_TOKENS: usize = 1 << 15;

pub(crate) fn encode(
    dictionary: &Dictionary,
    clusters: &Clusters,
    layer: Layer,
    level: Level,
    text_bytes: u64,
) -> Vec<u8> {
    let tokens = dictionary.len();
    let is_quick = tokens <= FEW_TOKENS || text_bytes / TEXT_A_TOKEN >= tokens as u64;
    let coding = if level == Level::Max && is_quick { ADAPTIVE } else { FRONT_CODED };
    let mut out = vec![coding, clusters.count as u8];
    put_varint(&mut out, dictionary.len() as u64);
    let mut groups = Vec::new();
    for group in dictionary.groups() {
        groups.extend([group.class as u8, group.level]);
        put_varint(&mut groups, u64::from(group.end - group.start));
    }
    put_stream(&mut out, layer, &groups);
    match coding {
        ADAPTIVE => encode_adaptive(&mut out, dictionary),
        _ => encode_front_coded(&mut out, dictionary, layer),
    }
    if clusters.count > DEFAULT_CLUSTERS {
        let defaults = default_clusters(dictionary, clusters.count);
        for (own, default) in
            [(&clusters.rows, &defaults.rows), (&clusters.columns, &defaults.columns)]
        {
            let explicit: Vec<u8> = own
                .iter()
                .zip(default)
                .map(|(own, default)| if own == default { 0 } else { own + 1 })
                .collect();
            put_stream(&mut out, layer, &explicit);
        }
    }
    out
}

fn encode_front_coded(out: &mut Vec<u8>, dictionary: &Dictionary, layer: Layer) {
    let (mut shared, mut lengths, mut suffixes) = (Vec::new(), Vec::new(), Vec::new());
    for group in dictionary.groups() {
        let mut last: &[u8] = &[];
        for id in group.start..group.end {
            let token = dictionary.bytes(id);
            let common = front_coding::shared(last, token);
            put_varint(&mut shared, common as u64);
            put_varint(&mut lengths, (token.len() - common) as u64);
            suffixes.extend_from_slice(&token[common..]);
            last = token;
        }
    }
    for stream in [&shared, &lengths, &suffixes] {
        put_stream(out, layer, stream);
    }
}

fn encode_adaptive(out: &mut Vec<u8>, dictionary: &Dictionary) {
    let group_ends: Vec<u32> = dictionary.groups().iter().map(|group| group.end).collect();
    let lengths = (0..dictionary.len() as u32).map(|id| dictionary.bytes(id).len() as u64);
    put_varint(out, lengths.sum());
    let token = |id: usize| dictionary.bytes(id as u32);
    let coded = dictionary_coder::encode(dictionary.len(), token, &group_ends);
    put_varint(out, coded.len() as u64);
    out.extend_from_slice(&coded);
}

pub(crate) fn decode(bytes: &[u8]) -> Result<(Dictionary, Clusters), Malformed> {
    let mut reader = ByteReader::new(bytes);
    let (coding, cluster_count) = (reader.u8()?, reader.u8()?);
    if coding > ADAPTIVE {
        return reader.malformed(format!("unknown coding {coding}"));
    }
    if cluster_count == 0 || cluster_count as usize > MOST_CLUSTERS {
        return reader.malformed(format!("{cluster_count} clusters"));
    }
    let tokens = reader.varint_at_most(u64::from(u32::MAX) / 2, "number of tokens")? as usize;
    let at = reader.offset();
    let groups = read_groups(&take_stream(&mut reader)?, tokens)
        .map_err(|error| Malformed::at(at, format!("groups of tokens: {error}")))?;
    let dictionary = match coding {
        ADAPTIVE => decode_adaptive(&mut reader, tokens, &groups)?,
        _ => {
            let shared = take_stream(&mut reader)?;
            let lengths = take_stream(&mut reader)?;
            let suffixes = take_stream(&mut reader)?;
            if tokens > shared.len() {
                return reader.malformed(format!("{tokens} tokens in {} bytes", shared.len()));
            }
            decode_front_coded(tokens, &groups, &shared, &lengths, &suffixes)
                .map_err(|error| Malformed::at(at, format!("tokens: {error}")))?
        }
    };
    let mut clusters = default_clusters(&dictionary, cluster_count as usize);
    if clusters.count > DEFAULT_CLUSTERS {
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
    }
    reader.expect_end()?;
    Ok((dictionary, clusters))
}

/// Class, level and number of tokens of each group.
type GroupSizes = Vec<(TokenClass, u8, u32)>;

fn read_groups(bytes: &[u8], tokens: usize) -> Result<GroupSizes, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let mut groups = Vec::new();
    let mut left = tokens as u64;
    while left > 0 {
        let (class, level) = (reader.u8()?, reader.u8()?);
        let Some(&class) =
            TokenClass::ALL.get(class as usize).filter(|_| (level as usize) < LEVELS)
        else {
            return reader.malformed(format!("no group of class {class} and level {level}"));
        };
        let count = reader.varint_at_most(left, "tokens of a group")?;
        left -= count;
        groups.push((class, level, count as u32));
    }
    reader.expect_end()?;
    Ok(groups)
}

/// The longest token of a class.
fn longest(class: TokenClass) -> usize {
    if class.is_word() { MAX_WORD } else { MAX_SEPARATOR }
}

/// A byte of code decodes to fewer bytes of tokens than this, and to fewer tokens, so that a forged
/// length cannot make a reader allocate much memory.
const MOST_BYTES_A_BYTE: u64 = 1 << 14;

fn decode_adaptive(
    reader: &mut ByteReader<'_>,
    tokens: usize,
    groups: &GroupSizes,
) -> Result<Dictionary, Malformed> {
    let at = reader.offset();
    let total = reader.varint()?;
    let len = reader.varint()?;
    let coded = reader.take(usize::try_from(len).unwrap_or(usize::MAX))?;
    let most = len.saturating_mul(MOST_BYTES_A_BYTE).saturating_add(1 << 20);
    if total > most.min(u64::from(u32::MAX)) || tokens as u64 > most {
        return Err(Malformed::at(at, format!("{total} bytes of tokens in {len} bytes")));
    }
    let mut end = 0;
    let group_ends: Vec<u32> = groups
        .iter()
        .map(|group| {
            end += group.2;
            end
        })
        .collect();
    let damaged = |what: &str| Malformed::at(at, format!("tokens: {what}"));
    let (arena, ends) = dictionary_coder::decode(coded, tokens, &group_ends, total as usize)
        .map_err(|_| damaged("the code is damaged"))?;
    let mut builder = DictionaryBuilder::with_capacity(tokens, arena.len());
    let (mut start, mut ends) = (0, ends.into_iter());
    for &(class, level, count) in groups {
        for end in ends.by_ref().take(count as usize) {
            let token = &arena[start as usize..end as usize];
            if token.len() > longest(class) {
                return Err(damaged("a token is too long"));
            }
            builder.push(class, level, token);
            start = end;
        }
    }
    builder.finish().map_err(|error| damaged(&error.to_string()))
}

fn decode_front_coded(
    tokens: usize,
    groups: &GroupSizes,
    shared: &[u8],
    lengths: &[u8],
    suffixes: &[u8],
) -> Result<Dictionary, Malformed> {
    let (mut shared, mut lengths) = (ByteReader::new(shared), ByteReader::new(lengths));
    let mut suffixes = ByteReader::new(suffixes);
    let mut builder = DictionaryBuilder::with_capacity(tokens, suffixes.remaining() * 2);
    let mut total = 0u64;
    for &(class, level, count) in groups {
        let longest = longest(class) as u64;
        let mut last_len = 0u64;
        for _ in 0..count {
            let most_shared = last_len.min(front_coding::MOST_SHARED as u64);
            let common = shared.varint_at_most(most_shared, "shared bytes")?;
            let len = lengths.varint_at_most(longest - common, "token length")?;
            total += common + len;
            if total > u64::from(u32::MAX) {
                return lengths.malformed("tokens of more than 4 GiB");
            }
            let following = suffixes.rest();
            suffixes.take(len as usize)?;
            builder.push_sharing(class, level, common as usize, following, len as usize);
            last_len = common + len;
        }
    }
    shared.expect_end()?;
    lengths.expect_end()?;
    suffixes.expect_end()?;
    builder.finish().map_err(|error| Malformed::at(0, error.to_string()))
}
