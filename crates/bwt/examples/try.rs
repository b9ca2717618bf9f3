//! Temporary.
use std::io::{Read, Write, copy};
use zgram_bwt::bzip2::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let threads: usize = a[2].parse().unwrap();
    let f = std::fs::File::open(&a[3]).unwrap();
    let out = std::io::stdout().lock();
    if a[1] == "c" {
        let mut w = Writer::new(out, WriterOptions { level: 9, threads }).unwrap();
        let mut f = f; let mut buf = vec![0u8; 1 << 16];
        loop { let n = f.read(&mut buf).unwrap(); if n == 0 { break } w.write_all(&buf[..n]).unwrap(); }
        w.finish().unwrap();
    } else {
        let mut r = Reader::new(f, threads).unwrap();
        let mut out = out; let mut buf = vec![0u8; 1 << 16];
        loop { let n = r.read(&mut buf).unwrap(); if n == 0 { break } out.write_all(&buf[..n]).unwrap(); }
        let _ = copy(&mut r, &mut out);
    }
}
