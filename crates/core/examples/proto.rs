use std::time::Instant;
use zgram::{format::*, input::*, progress::Silent, *};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let out = std::path::PathBuf::from(&a[2]);
    for level in [Level::Default, Level::Max] {
        for kind in [GrammarKind::RePair, GrammarKind::Sequitur] {
            if std::env::var("SEQ").is_err() && kind == GrammarKind::Sequitur {
                continue;
            }
            let t = Instant::now();
            let mut o = CompressOptions::default();
            o.level = level;
            o.grammar = kind;
            if let Ok(s) = std::env::var("SEG") {
                o.segment_size = s.parse().unwrap();
            }
            if let Ok(s) = std::env::var("T") {
                o.threads = s.parse().unwrap();
            }
            let s = compress(
                &Sources::new([a[1].clone().into()], ReadOptions::default()),
                &out,
                &o,
                &Silent,
            )
            .unwrap();
            let tc = t.elapsed().as_secs_f64();
            let mb = s.facts.sizes.text_bytes as f64 / 1e6;
            let mut best = f64::MAX;
            let mut dict = f64::MAX;
            for _ in 0..5 {
                let t = Instant::now();
                let c = Corpus::open(&out).unwrap();
                c.dictionary().unwrap();
                dict = dict.min(t.elapsed().as_secs_f64());
                for i in 0..c.facts().segments.len() {
                    c.segment(i).unwrap();
                }
                best = best.min(t.elapsed().as_secs_f64());
            }
            let c = Corpus::open(&out).unwrap();
            let t = Instant::now();
            let d = c.dictionary().unwrap();
            let mut n = 0u64;
            struct Count<'a>(&'a mut u64);
            impl std::io::Write for Count<'_> {
                fn write(&mut self, b: &[u8]) -> std::io::Result<usize> {
                    *self.0 += b.len() as u64;
                    Ok(b.len())
                }
                fn flush(&mut self) -> std::io::Result<()> {
                    Ok(())
                }
            }
            for i in 0..c.facts().segments.len() {
                let g = c.segment(i).unwrap();
                let e = Expander::new(&g, d);
                for k in 0..g.doc_count() {
                    e.write(g.document(k), &mut Count(&mut n)).unwrap();
                }
            }
            let td = t.elapsed().as_secs_f64();
            assert_eq!(n, s.facts.sizes.text_bytes);
            c.verify(&Silent).unwrap();
            let sec = |k| c.sections().iter().filter(|s| s.kind == k).map(|s| s.len).sum::<u64>();
            println!(
                "{} {level:?} {kind:?}: {:.1} MB -> {} ({:.2}%) seg {} dict {} docs {}; compress {:.1} MB/s; load {:.0} MB/s ({:.1} ms, dict {:.1} ms); expand {:.0} MB/s; segs {} g {} rules {} depth {}",
                a[1],
                mb,
                s.compressed_bytes,
                s.compressed_bytes as f64 / mb / 1e4,
                sec(SectionKind::Segment),
                sec(SectionKind::Dictionary),
                sec(SectionKind::Documents),
                mb / tc,
                mb / best,
                best * 1e3,
                dict * 1e3,
                mb / td,
                s.facts.segments.len(),
                s.facts.sizes.symbols,
                s.facts.sizes.rules,
                s.facts.sizes.depth
            );
        }
    }
}
