use zgram::{format::*, input::*, progress::Silent, *};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut o = CompressOptions::default();
    if let Ok(s) = std::env::var("T") {
        o.threads = s.parse().unwrap();
    }
    if let Ok(s) = std::env::var("M") {
        o.memory = s.parse::<u64>().unwrap() << 20;
    }
    let s = compress(
        &Sources::new([a[1].clone().into()], ReadOptions::default()),
        a[2].as_ref(),
        &o,
        &Silent,
    )
    .unwrap();
    println!(
        "{} segs {} tokens {}",
        s.compressed_bytes,
        s.facts.segments.len(),
        s.facts.sizes.text_tokens
    );
}
