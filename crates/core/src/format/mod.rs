//! wip
mod bytes;
mod layer;
pub(crate) mod segment;
pub use bytes::Malformed;
pub use layer::Layer;

/// wip
pub fn proto(grammar: &crate::grammar::Grammar, dict: &crate::token::Dictionary, fast: bool) -> (usize, f64, f64) {
    let t = std::time::Instant::now();
    let clusters = if fast { segment::Clusters::single(dict.len()) } else { segment::cluster_tokens(grammar, dict) };
    let tc = t.elapsed().as_secs_f64();
    let coding = if fast { segment::Coding::Packed } else { segment::Coding::Lanes };
    let bytes = segment::encode(grammar, dict, &clusters, coding, Layer::Zstd);
    let te = t.elapsed().as_secs_f64();
    let mut best = f64::MAX;
    for _ in 0..5 {
        let t = std::time::Instant::now();
        let back = segment::decode(&bytes, dict, &clusters, 1 << 40).unwrap();
        best = best.min(t.elapsed().as_secs_f64());
        back.validate().unwrap();
        assert!(back.document_tokens(0) == grammar.document_tokens(0));
        assert!(back.expanded_lengths()[0] == grammar.expanded_lengths()[0]);
    }
    eprintln!("    cluster {tc:.2}s total encode {te:.2}s");
    (bytes.len(), te, best)
}
