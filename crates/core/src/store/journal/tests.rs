//! Crashes, damage and forgery.

use super::*;
use proptest::prelude::*;
use std::sync::{Arc, Mutex};
use xxhash_rust::xxh3::xxh3_64;
use zgram_testkit::Random;

const CORPUS: Identity = Identity { index_checksum: 17, len: 4711 };
const OWNER: Owner = Owner { corpus: CORPUS, origin: None };

fn edit(number: u64) -> Edit {
    Edit::Insert { document: 3, offset: number, bytes: vec![b'x'; number as usize % 50] }
}

/// Replays a journal of these bytes; returns its edits too.
fn replay(bytes: &[u8], owner: Owner) -> Result<Option<(Replay, Vec<Edit>)>, String> {
    let replayed = super::replay(&Arc::new(bytes.to_vec()), owner)?;
    Ok(replayed.map(|replay| {
        let edits = replay.edits().map(|edit| edit.map(|bytes| bytes.to_vec())).collect();
        (replay, edits)
    }))
}

/// A disk in memory that forgets what was not flushed, and stops working after some calls.
#[derive(Clone, Default)]
struct FaultyDisk(Arc<Mutex<Image>>);

#[derive(Default)]
struct Image {
    durable: Vec<u8>,
    live: Vec<u8>,
    calls_left: Option<usize>,
}

impl FaultyDisk {
    fn failing_after(calls: usize) -> Self {
        let disk = Self::default();
        disk.0.lock().unwrap().calls_left = Some(calls);
        disk
    }

    fn call(&self, work: impl FnOnce(&mut Image)) -> io::Result<()> {
        let mut image = self.0.lock().unwrap();
        match &mut image.calls_left {
            Some(0) => return Err(io::Error::other("the disk is gone")),
            Some(left) => *left -= 1,
            None => {}
        }
        work(&mut image);
        Ok(())
    }

    /// What a crash leaves: all that was flushed, and any part of what was written since.
    fn after_crash(&self, random: &mut Random) -> Vec<u8> {
        let image = self.0.lock().unwrap();
        let mut bytes = image.durable.clone();
        if image.live.len() > bytes.len() {
            let more = random.below(image.live.len() - bytes.len() + 1);
            bytes.extend(&image.live[bytes.len()..][..more]);
        }
        bytes
    }
}

impl Disk for FaultyDisk {
    fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.call(|image| {
            image.live.truncate(offset as usize);
            image.live.extend(bytes);
        })
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.call(|image| image.live.truncate(len as usize))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.call(|image| image.durable = image.live.clone())
    }
}

/// A journal of this many records of up to three edits, and where each record ends.
fn journal(records: u64) -> (Vec<u8>, Vec<(usize, Vec<Edit>)>) {
    let disk = FaultyDisk::default();
    let mut journal = Journal::begin(Box::new(disk.clone()), CORPUS, &[]).unwrap();
    let mut ends = vec![(HEADER_LEN, Vec::new())];
    for number in 1..=records {
        let edits: Vec<Edit> = (0..number % 3 + 1).map(|at| edit(number * 10 + at)).collect();
        let borrowed: Vec<Edit<&[u8]>> = edits.iter().map(Edit::borrowed).collect();
        journal.write(&borrowed).unwrap();
        let all = [&ends[ends.len() - 1].1[..], &edits].concat();
        ends.push((disk.0.lock().unwrap().durable.len(), all));
    }
    let bytes = disk.0.lock().unwrap().durable.clone();
    (bytes, ends)
}

#[test]
fn a_journal_cut_anywhere_has_its_whole_records() {
    let (bytes, ends) = journal(8);
    for len in 0..=bytes.len() {
        let replayed = replay(&bytes[..len], OWNER).unwrap();
        let whole = ends.iter().rposition(|(end, _)| *end <= len);
        match (replayed, whole) {
            (None, None) => {}
            (Some((replayed, found)), Some(whole)) => {
                let (end, edits) = &ends[whole];
                assert_eq!(&found, edits, "cut at {len}");
                let found = replayed.end().map(|end| (end.sequence, end.len));
                assert_eq!(found, Some((whole as u64, *end as u64)));
                assert_eq!(replayed.ends.len(), whole + 1);
                assert_eq!(replayed.dropped, (len - end) as u64);
            }
            (replayed, whole) => panic!("cut at {len}: {replayed:?}, {whole:?}"),
        }
    }
}

#[test]
fn whatever_was_acknowledged_survives_a_crash_at_any_call() {
    let mut random = Random::new(5);
    for calls in 0..60 {
        let disk = FaultyDisk::failing_after(calls);
        let mut acknowledged = Vec::new();
        let mut attempted = Vec::new();
        if let Ok(mut journal) = Journal::begin(Box::new(disk.clone()), CORPUS, &[]) {
            for number in 0..20 {
                attempted.push(edit(number));
                if journal.write(&[edit(number).borrowed()]).is_err() {
                    assert!(
                        journal.write(&[edit(99).borrowed()]).is_err(),
                        "it does not go on after a failure"
                    );
                    break;
                }
                acknowledged.push(edit(number));
            }
        }
        for _ in 0..20 {
            let bytes = disk.after_crash(&mut random);
            let found = replay(&bytes, OWNER).unwrap().map_or(Vec::new(), |replay| replay.1);
            assert!(found.starts_with(&acknowledged), "{calls} calls: an edit is lost");
            assert!(attempted.starts_with(&found), "{calls} calls: an edit nobody made");

            // The next writer continues after it.
            let again = FaultyDisk::default();
            again.0.lock().unwrap().live = bytes.clone();
            let replayed = replay(&bytes, OWNER).unwrap();
            let mut journal = match replayed.and_then(|(replayed, _)| replayed.end()) {
                Some(end) => Journal::after(Box::new(again.clone()), CORPUS, end).unwrap(),
                None => Journal::begin(Box::new(again.clone()), CORPUS, &[]).unwrap(),
            };
            journal.write(&[edit(1000).borrowed()]).unwrap();
            let bytes = again.after_crash(&mut random);
            let (all, edits) = replay(&bytes, OWNER).unwrap().unwrap();
            assert_eq!(edits, [&found[..], &[edit(1000)]].concat());
            assert_eq!(all.dropped, 0);
        }
    }
}

#[test]
fn damage_that_no_crash_leaves_is_refused() {
    let (bytes, ends) = journal(5);
    let last = ends[ends.len() - 2].0;
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        match replay(&damaged, OWNER) {
            Err(_) => assert!(at < last, "byte {at}"),
            Ok(replayed) => {
                // A damaged last record looks like one that a crash has left incomplete.
                assert!(at >= last, "byte {at}: {replayed:?}");
                assert_eq!(replayed.unwrap().1, ends[ends.len() - 2].1);
            }
        }
    }
}

/// A complete record was acknowledged: one that is missing before it is damage, not a crash.
#[test]
fn a_record_behind_a_gap_is_refused() {
    let (bytes, ends) = journal(4);
    for (gap, end) in [(1, 2), (2, 3), (1, 3), (3, 4)] {
        let rest = &bytes[ends[end].0..];
        let cut = [&bytes[..ends[gap].0], rest].concat();
        let replayed = replay(&cut, OWNER);
        assert_eq!(replayed.is_err(), !rest.is_empty(), "records {gap} to {end}: {replayed:?}");
        // Only the next record, too.
        if let Some((next, _)) = ends.get(end + 1) {
            let cut = [&bytes[..ends[gap].0], &bytes[ends[end].0..*next]].concat();
            let refused = replay(&cut, OWNER).unwrap_err();
            assert!(refused.contains("is missing"), "{refused}");
        }
    }
}

#[test]
fn journals_of_others_are_refused() {
    let (bytes, ends) = journal(2);
    let other = Identity { index_checksum: 18, ..CORPUS };
    let refused = replay(&bytes, Owner { corpus: other, origin: None }).unwrap_err();
    assert!(refused.contains("another corpus"), "{refused}");
    // Unless this corpus was compacted from the other: then the remaining edits are carried over.
    let merged = |sequence| Owner { corpus: other, origin: Some((CORPUS, sequence)) };
    assert_eq!(replay(&bytes, merged(2)), Ok(None));
    let (carried, edits) = replay(&bytes, merged(1)).unwrap().unwrap();
    assert_eq!((edits, carried.ends), (ends[2].1[ends[1].1.len()..].to_vec(), Vec::new()));

    let mut newer = bytes;
    newer[8] = 2;
    let sum = xxh3_64(&newer[..HEADER_LEN - 8]);
    newer[HEADER_LEN - 8..HEADER_LEN].copy_from_slice(&sum.to_le_bytes());
    assert!(replay(&newer, OWNER).unwrap_err().contains("version 2"));
    assert!(replay(b"some text that somebody has put there", OWNER).is_err());
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        at in any::<usize>(),
    ) {
        let _ = replay(&bytes, OWNER);
        // Behind a sound header, and as the edits of a sound record.
        let header = FRAMES.header(CORPUS);
        let _ = replay(&[&header[..], &bytes].concat(), OWNER);
        let (record, _) = FRAMES.record(CORPUS, 1, |out| out.extend(&bytes));
        let _ = replay(&[header, record].concat(), OWNER);
        let (mut sound, _) = journal(3);
        let at = at % sound.len();
        sound.splice(at..at, bytes);
        let _ = replay(&sound, OWNER);
    }
}
