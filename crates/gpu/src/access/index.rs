//! The index of a segment, built on the device in two phases (random-access-gpu section IV-C):
//! frequencies first, then placement by their sums.
//!
//! | the paper's | here |
//! |---|---|
//! | rootOffset | `sums`: bytes before each symbol of the root, and of each rule |
//! | word2rule, rule2location | `places` and `owners`: the places of every symbol in the root and in rules, ascending, and the document or rule of each |
//! | rule2file | `tables`: for every rule, the documents that contain it and how often |
//!
//! The paper's rule2location lists every place of a rule in the text, which is as long as the text where
//! it repeats. Ours lists the places in the grammar. How often each place counts in a document is what
//! rule2file stores for its rule.

use crate::backend::Backend;
use crate::bytes::pack;
use crate::engine::Nodes;
use crate::engine::device_nodes::{DeviceNodes, UploadedNodes, check_binding};
use crate::error::GpuError;
use crate::kernels::access::{index_places, index_text_lengths, index_text_spans};
use crate::recording::{Buffer, Recording};
use crate::session::{Phase, Session};
use std::ops::Range;
use zgram::plumbing::Dictionary;
use zgram::plumbing::Grammar;

/// A segment on a device, with its index.
#[derive(Debug)]
pub(super) struct Index {
    /// The numbers of rules, documents and tokens: the first parameters of most kernels.
    pub(super) numbers: [u32; 3],
    /// The depth of the grammar.
    pub(super) depth: u32,
    /// The number of symbols of the longest rule, and of the longest document.
    pub(super) longest_rule: u32,
    pub(super) longest_document: u32,
    /// The bytes of each document.
    pub(super) lengths: Vec<u32>,
    /// Where the places of each token begin.
    place_starts: Vec<u32>,
    /// Where the places of each token in rules begin.
    root_ends: Vec<u32>,
    pub(super) on_device: OnDevice,
}

/// The buffers of an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnDevice {
    /// Small tables in one buffer: see `kernels/access/shared/shape.wgsl`.
    pub(super) shape: Buffer,
    pub(super) symbols: Buffer,
    pub(super) sums: Buffer,
    /// The bytes of all tokens, four per word.
    pub(super) letters: Buffer,
    pub(super) places: Buffer,
    pub(super) owners: Buffer,
    pub(super) tables: Buffer,
}

impl OnDevice {
    pub(super) fn all(&self) -> [Buffer; 7] {
        [self.shape, self.symbols, self.sums, self.letters, self.places, self.owners, self.tables]
    }
}

/// The places of a token.
pub(super) struct Places {
    pub(super) in_root: Range<u32>,
    pub(super) in_rules: Range<u32>,
}

impl Index {
    /// Uploads a segment and builds its index.
    ///
    /// # Errors
    /// When the device fails or something does not fit.
    pub(super) fn new(
        backend: &dyn Backend,
        grammar: &Grammar,
        dictionary: &Dictionary,
    ) -> Result<Self, GpuError> {
        let mut session = Session::new(backend);
        let documents: Vec<usize> = (0..grammar.doc_count()).collect();
        let nodes =
            Nodes::new(grammar, &documents, Nodes::threshold(grammar), grammar.tokens(), Some)?;
        let [token_starts, letters, token_numbers] = texts(grammar, dictionary)?;
        let numbers @ [rules, document_count, tokens] =
            [grammar.rule_count() as u32, documents.len() as u32, grammar.tokens()];
        let kinds = (tokens + rules + 1) as usize;
        let count = grammar.symbols().len();

        let mut recording = Recording::new();
        let uploaded = UploadedNodes::new(&mut recording, nodes, None);
        let device_nodes = DeviceNodes::new(&mut recording, uploaded, 0);
        let token_numbers = recording.upload("token_numbers", token_numbers);
        // Bottom-up: lengths. Rules come first among nodes and keep their numbers.
        let lengths = recording.buffer("text_lengths", device_nodes.len() as usize);
        let ends = recording.buffer("ends", device_nodes.len() as usize);
        let plan = device_nodes.plan(&session, false, (1, 0), ExactSizeIterator::len);
        let bindings = [token_numbers.into(), lengths.into(), ends.into()];
        device_nodes.pass(&mut recording, &index_text_lengths::KERNEL, &plan, 0, &[], &bindings);
        let first = device_nodes.first_document as usize;
        let document_lengths = recording.download(lengths, first..first + documents.len());

        let mut shape_words = grammar.rule_starts().to_vec();
        shape_words.extend_from_slice(grammar.doc_starts());
        let length_place = shape_words.len();
        shape_words.resize(length_place + rules as usize, 0);
        shape_words.extend_from_slice(&token_starts);
        let starts_place = shape_words.len();
        let tables_place = starts_place + 2 * kinds;
        shape_words.resize(tables_place + rules as usize + 1, 0);
        check_binding(&session, shape_words.len().max(count + 1).max(letters.len()))?;
        let shape = recording.upload("shape", shape_words);
        recording.copy(lengths, 0..rules as usize, shape, length_place);

        let symbols = recording.upload("symbols", grammar.symbols().to_vec());
        let sums = recording.buffer("sums", count + 1);
        let keys = recording.buffer("keys", count);
        let places = recording.buffer("places", count);
        let params = [rules, document_count, tokens, count as u32];
        recording.dispatch(
            &index_text_spans::KERNEL,
            count,
            &params,
            &[
                shape.into(),
                symbols.into(),
                token_numbers.into(),
                ends.into(),
                sums.into(),
                keys.into(),
                places.into(),
            ],
        );
        recording.scan(sums, count + 1);
        let sorter = recording.sorter(count, u32::BITS - (kinds as u32).leading_zeros());
        sorter.sort(&mut recording, keys, places);
        sorter.free(&mut recording);
        let owners = recording.buffer("owners", count);
        let starts = recording.buffer("place_starts", 2 * kinds);
        recording.dispatch(
            &index_places::KERNEL,
            count.max(kinds),
            &params,
            &[shape.into(), keys.into(), places.into(), owners.into(), starts.into()],
        );
        recording.copy(starts, 0..2 * kinds, shape, starts_place);
        let place_starts = recording.download(starts, 0..tokens as usize + 1);
        let root_ends = recording.download(starts, kinds..kinds + tokens as usize);
        let letters = recording.upload("letters", letters);
        for buffer in [keys, starts, ends] {
            recording.free(buffer);
        }
        let mut outcome = session.submit(Phase::Initialisation, recording)?;
        let lengths_of_documents = outcome.take(document_lengths);
        if lengths_of_documents.iter().any(|&length| length >= index_text_lengths::MOST) {
            return Err(GpuError::TooMany { what: "bytes of a document" });
        }
        let (table_starts, tables) = device_nodes.tables_of_documents(&mut session)?;
        let mut recording = Recording::new();
        recording.copy(table_starts, 0..rules as usize + 1, shape, tables_place);
        session.submit(Phase::Initialisation, recording)?;

        let longest =
            |starts: &[u32]| starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        let on_device = OnDevice { shape, symbols, sums, letters, places, owners, tables };
        session.keep(&on_device.all());
        Ok(Self {
            numbers,
            depth: grammar.depth(),
            longest_rule: longest(&grammar.rule_starts()[1..]),
            longest_document: longest(grammar.doc_starts()),
            lengths: lengths_of_documents,
            place_starts: outcome.take(place_starts),
            root_ends: outcome.take(root_ends),
            on_device,
        })
    }

    /// The places of a token.
    pub(super) fn places(&self, token: u32) -> Places {
        let token = token as usize;
        let [start, end] = [token, token + 1].map(|token| self.place_starts[token]);
        let root_end = self.root_ends[token];
        Places { in_root: start..root_end, in_rules: root_end..end }
    }
}

/// The start of each token's bytes, the bytes, and four times its length plus its class.
fn texts(grammar: &Grammar, dictionary: &Dictionary) -> Result<[Vec<u32>; 3], GpuError> {
    let too_many = |_| GpuError::TooMany { what: "bytes of words" };
    let mut starts = vec![0];
    let (mut bytes, mut numbers) = (Vec::new(), Vec::new());
    for token in 0..grammar.tokens() {
        let text = dictionary.bytes(token);
        bytes.extend_from_slice(text);
        starts.push(u32::try_from(bytes.len()).map_err(too_many)?);
        numbers.push((text.len() as u32) << 2 | dictionary.class(token) as u32);
    }
    Ok([starts, pack(&bytes), numbers])
}
