use zgram::{grammar::*, progress::Silent, token::*};
use std::time::Instant;
fn files(p:&std::path::Path,out:&mut Vec<std::path::PathBuf>){ let mut e:Vec<_>=std::fs::read_dir(p).unwrap().map(|e|e.unwrap().path()).collect(); e.sort(); for f in e { if f.is_dir(){files(&f,out)} else {out.push(f)} } }
fn main(){
  let dir=std::env::args().nth(1).unwrap(); let min:u32=std::env::args().nth(2).map_or(2,|s|s.parse().unwrap());
  let mut fs=vec![]; files(dir.as_ref(),&mut fs);
  let docs:Vec<Vec<u8>>=fs.iter().map(|f|std::fs::read(f).unwrap()).collect();
  let bytes:usize=docs.iter().map(|d|d.len()).sum();
  let t=Instant::now();
  let mut int=Interner::default(); let mut ids=vec![]; let mut starts=vec![0u32];
  for d in &docs { let mut s=Splitter::default(); s.finish(d,|c,b| ids.push(int.intern(c,b))); starts.push(ids.len() as u32); }
  let tt=t.elapsed();
  println!("{dir}: {:.1} MB, {} tokens, {} vocab, tokenise {:.0} MB/s", bytes as f64/1e6, ids.len(), int.len(), bytes as f64/1e6/tt.as_secs_f64());
  for threads in [1] {
  let pool=rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
  let t=Instant::now();
  let g=pool.install(||repair::RePair{min_count:min}.build(TokenDocs{tokens:int.len() as u32,ids:&ids,doc_starts:&starts},&Silent).unwrap());
  let tb=t.elapsed();
  println!("  threads {threads}: build {:.1} MB/s, g {} root {} rules {} depth {} tokens/g {:.2}", bytes as f64/1e6/tb.as_secs_f64(), g.symbols().len(), g.root().len(), g.rule_count(), g.depth(), ids.len() as f64/g.symbols().len() as f64);
  { let mut f=vec![0u32; g.tokens() as usize+g.rule_count()]; for &s in g.symbols(){f[s as usize]+=1;} let n=g.symbols().len() as f64; let h:f64=f.iter().filter(|&&c|c>0).map(|&c|c as f64*(n/c as f64).log2()).sum(); let r=g.rule_count() as f64; println!("  H0 {:.2} bits/sym, est {:.0} bytes ({:.2}%) w/o dict", h/n, (h-r*11.0)/8.0, (h-r*11.0)/8.0/bytes as f64*100.0); }
  { let mut uses=vec![0u32;int.len()]; for &s in g.symbols(){ if s<g.tokens(){uses[s as usize]+=1;} } let (dict,map)=Dictionary::arrange(&int,&uses).unwrap(); let sy=g.symbols().iter().map(|&s| if s<g.tokens(){map[s as usize]}else{s}).collect(); let g2=Grammar::new(g.tokens(),g.rule_starts().to_vec(),sy,g.doc_starts().to_vec()).unwrap();
    for fast in [true,false] { let (n,te,td)=zgram::format::proto(&g2,&dict,fast); println!("  {} {} bytes ({:.2}%), encode {:.2}s, decode {:.1} ms = {:.0} MB/s ({:.2} ns/sym)", if fast {"packed"} else {"lanes"}, n, n as f64*100.0/bytes as f64, te, td*1e3, bytes as f64/1e6/td, td*1e9/g.symbols().len() as f64); } }
  if threads==1 { g.validate().unwrap(); for d in 0..docs.len().min(200){ assert!(g.document_tokens(d)==ids[starts[d] as usize..starts[d+1] as usize]); }
    if let Some(out)=std::env::args().nth(3){ use std::io::Write; let mut f=std::io::BufWriter::new(std::fs::File::create(out).unwrap()); let mut w=|v:&[u32]|{ f.write_all(&(v.len() as u32).to_le_bytes()).unwrap(); for x in v { f.write_all(&x.to_le_bytes()).unwrap(); } }; w(&[g.tokens()]); w(g.rule_starts()); w(g.symbols()); w(g.doc_starts()); w(&(0..int.len() as u32).map(|i|int.class(i) as u32).collect::<Vec<_>>());
      for i in 0..int.len() as u32 { let b=int.bytes(i); f.write_all(&(b.len() as u32).to_le_bytes()).unwrap(); f.write_all(b).unwrap(); } }
  }
  }
}
