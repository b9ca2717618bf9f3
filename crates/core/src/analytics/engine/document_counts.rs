//! The counts of each document's items, in the order of documents, for answers that are not rows
//! of text.

use super::ordered::Outlet;
use super::{Division, Loaded, Prepare, Setting, Share, for_each_share};
use crate::analytics::report::Phase;
use crate::corpus::Documents;
use crate::error::QueryError;
use crate::grammar::Grammar;

/// Items that are counted in one document after the other.
pub(crate) trait CountDocument: Prepare {
    type Key: Clone + Ord + Send + Sync;
    /// What a thread writes to while it counts.
    type Scratch;
    /// What items that span pieces of a document need to know of a piece.
    type Ends: Send;
    /// The same of all pieces of a document so far.
    type Border: Default + Send;

    fn scratch(&self, prepared: &Self::Prepared) -> Self::Scratch;

    /// Counts the items of a document and appends them to `counts`, rising by key. Returns how many
    /// symbols it visited.
    fn count_document(
        &self,
        documents: Documents<'_>,
        prepared: &Self::Prepared,
        document: usize,
        scratch: &mut Self::Scratch,
        counts: &mut Vec<(Self::Key, u64)>,
    ) -> Result<u64, QueryError>;

    fn ends(&self, grammar: &Grammar, document: usize) -> Self::Ends;

    /// Adds a piece to a border and passes the items that begin before it and end in it to `sink`.
    fn cross(&self, border: &mut Self::Border, ends: &Self::Ends, sink: &mut dyn FnMut(Self::Key));
}

/// Counts that are passed on together, unless a document has more.
const COUNTS: usize = 1 << 15;

/// Counts of some documents.
struct Chunk<I: CountDocument> {
    segment: usize,
    /// Documents, where their counts end, and their ends if they are pieces.
    documents: Vec<(u32, usize, Option<I::Ends>)>,
    counts: Vec<(I::Key, u64)>,
}

/// Counts the items of each chosen document and passes document and counts to `consume`, rising by
/// key. A document that spans segments comes once for each piece; items that span pieces come with
/// the piece they end in, out of order: see [`Counted`].
pub(crate) fn for_each_document<I: CountDocument>(
    setting: &Setting<'_>,
    items: &I,
    mut consume: impl FnMut(Counted<'_, I::Key>) -> Result<(), QueryError> + Send,
) -> Result<(), QueryError> {
    let work = |share: Share<'_, I>, outlet: &mut Outlet<'_, '_, Chunk<I>, QueryError>| {
        let Share { segment, scope, documents, .. } = &share;
        let Loaded { prepared, .. } = segment;
        let mut scratch = items.scratch(prepared);
        let new = || Chunk { segment: scope.segment, documents: Vec::new(), counts: Vec::new() };
        let mut chunk = new();
        for &document in *documents {
            setting.plan.options.progress.check()?;
            setting.ledger.meter.time(Phase::Traverse, || {
                let counts = &mut chunk.counts;
                let all = segment.documents();
                let visited =
                    items.count_document(all, prepared, document, &mut scratch, counts)?;
                setting.visited(visited);
                Ok::<_, QueryError>(())
            })?;
            let ends = scope
                .is_piece(document)
                .then(|| items.ends(segment.documents().grammar(), document));
            chunk.documents.push((scope.corpus_number(document), chunk.counts.len(), ends));
            share.passed(document);
            if chunk.counts.len() >= COUNTS
                && outlet.emit(std::mem::replace(&mut chunk, new())).is_err()
            {
                return Ok(());
            }
        }
        let _ = outlet.emit(chunk);
        Ok(())
    };
    let mut split: Option<(u32, usize, I::Border)> = None;
    let mut pass_on = |chunk: Chunk<I>| {
        let mut start = 0;
        for (document, end, ends) in chunk.documents {
            let mut spanning = Vec::new();
            if let Some(ends) = ends {
                // Nothing is known of items that span a skipped segment.
                let known = split.take().filter(|(before, segment, _)| {
                    *before == document && setting.plan.follows(*segment, chunk.segment)
                });
                let mut border = known.map(|(_, _, border)| border).unwrap_or_default();
                items.cross(&mut border, &ends, &mut |key| spanning.push((key, 1)));
                split = Some((document, chunk.segment, border));
            }
            let counts = &chunk.counts[start..end];
            consume(Counted { document: document as usize, counts, spanning: &spanning })?;
            start = end;
        }
        Ok(())
    };
    let segments = &setting.plan.segments;
    setting.plan.while_ordering(|| {
        for_each_share(setting, items, segments, Division::Separate, work, &mut pass_on)
    })
}

/// The counts of a document, or of a piece of one.
pub(crate) struct Counted<'a, K> {
    /// The document's number in the corpus.
    pub(crate) document: usize,
    /// Rising by key.
    pub(crate) counts: &'a [(K, u64)],
    /// Items that begin in pieces before this one, in no order; an item may come several times.
    pub(crate) spanning: &'a [(K, u64)],
}
