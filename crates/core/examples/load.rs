use zgram::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a.get(2).map_or(10, |s| s.parse().unwrap());
    let mut v = vec![];
    let mut d = vec![];
    for _ in 0..n {
        let t = std::time::Instant::now();
        let c = Corpus::open(&a[1]).unwrap();
        c.dictionary().unwrap();
        d.push(t.elapsed().as_secs_f64());
        for i in 0..c.facts().segments.len() {
            std::hint::black_box(c.segment(i).unwrap());
        }
        v.push(t.elapsed().as_secs_f64());
    }
    v.sort_by(f64::total_cmp);
    d.sort_by(f64::total_cmp);
    let c = Corpus::open(&a[1]).unwrap();
    let mb = c.facts().sizes.text_bytes as f64 / 1e6;
    println!(
        "{} min {:.1} ms median {:.1} ms dict {:.1} ms => {:.0} MB/s",
        a[1],
        v[0] * 1e3,
        v[n / 2] * 1e3,
        d[0] * 1e3,
        mb / v[0]
    );
}
