//! The stages of block sorting give the same results as on the CPU.

use crate::devices::{NAMES, backends, open};
use std::io::{Read, Write};
use std::sync::Arc;
use zgram_bwt::bzip2::{Accelerator, Reader, Writer, WriterOptions};
use zgram_bwt::{Transformed, forward, histogram, huffman, inverse, mtf};
use zgram_gpu::bwt::Stages;
use zgram_gpu::{Backend, DeviceOptions, Limits, Twins};

/// Text-like bytes: words from a small vocabulary, so that some ties are long.
fn words(len: usize) -> Vec<u8> {
    let mut state = 7u32;
    let mut text = Vec::with_capacity(len + 9);
    while text.len() < len {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let word = (state >> 24) * (state >> 16 & 0xff) / 400;
        text.extend_from_slice(format!("{word:x} ").as_bytes());
    }
    text.truncate(len);
    text
}

/// Pseudo-random bytes.
fn noise(len: usize) -> Vec<u8> {
    (0..len as u32).map(|at| (zgram_gpu::kernels::mix(at) >> 11) as u8).collect()
}

/// Files of an archive: texts that begin alike, padded with zeros to whole records.
fn padded(files: usize) -> Vec<u8> {
    let file = |at: usize| {
        let mut file = words(60 + 37 * at % 400);
        file.resize(512, 0);
        file
    };
    (0..files).flat_map(file).collect()
}

/// The thesis's examples, the shortest texts, and texts that are hard to sort.
fn texts() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = [
        &b"ababacabac"[..],
        b"mississippi",
        b"deadbeef",
        b"",
        b"x",
        b"xx",
        b"ba",
        b"aab",
        b"abcde",
    ]
    .map(<[u8]>::to_vec)
    .into();
    texts.push(vec![b'a'; 5000]);
    texts.push(b"ab".repeat(2500));
    texts.push(b"bca".repeat(1003));
    texts.push([vec![b'a'; 4099], vec![b'b']].concat());
    texts.push([words(3000), words(3000), b"!".to_vec()].concat());
    texts.push((0..=255).cycle().take(3000).collect());
    // As many rotations that begin alike as a workgroup sorts, and one more.
    for count in [1024, 1025] {
        let number = |at| format!("wxyz{:x}", zgram_gpu::kernels::mix(at) % 5000);
        texts.push((0..count).flat_map(|at| number(at).into_bytes()).collect());
    }
    texts.push(noise(10_000));
    texts.push(words(20_000));
    // Groups that are large until they are sorted once, and others that bytes do not distinguish.
    texts.push(padded(40));
    texts
}

#[test]
fn the_transform_and_its_inverse() {
    for (name, backend) in backends() {
        let stages = Stages::new(backend);
        for text in texts() {
            let expected = forward(&text);
            let start = &text[..text.len().min(20)];
            let found = stages.forward(&text).unwrap();
            assert_eq!(found, expected, "{name}: {start:?} and so on");
            let Transformed { last_column, origin } = expected;
            let found = stages.inverse(&last_column, origin).unwrap();
            assert_eq!(found, text, "{name}: {start:?} and so on");
        }
    }
}

/// Sorting a rotation among all large groups takes ten times the memory traffic of sorting it in a
/// workgroup. Lines of which many begin alike, and many are equal, are sorted that way only once.
#[test]
fn groups_that_have_become_small_are_sorted_by_workgroups() {
    let lines = 4000;
    let mix = zgram_gpu::kernels::mix;
    let line = |at| (0..7).map(move |part| format!("{:08x}", mix(1000 + mix(at) % 40 * 7 + part)));
    let text: Vec<u8> = (0..lines)
        .flat_map(|at| format!("wxyz{}", line(at).collect::<String>()).into_bytes())
        .collect();
    let stages = Stages::new(Twins::default());
    assert_eq!(stages.forward(&text).unwrap(), forward(&text));
    // Twice a place, a rank and a key for each rotation that begins with the same four bytes.
    let once = 4 * 6 * u64::from(lines);
    let found = stages.traffic()["transform_large_keys"];
    assert!((once..once + once / 10).contains(&found), "{found} instead of {once}");
}

#[test]
fn any_column_and_row_give_what_the_cpu_gives() {
    for (name, backend) in backends() {
        let stages = Stages::new(backend);
        for (column, origin) in [(noise(3000), 17), (words(700), 699), (b"ba".repeat(300), 1)] {
            let found = stages.inverse(&column, origin).unwrap();
            assert_eq!(found, inverse(&column, origin), "{name}");
        }
    }
}

#[test]
fn long_walks_go_on_in_later_dispatches() {
    for (name, backend) in backends() {
        let column = noise(20_000);
        let before = backend.counters().submissions;
        let found = Stages::new(backend).inverse(&column, 5).unwrap();
        assert_eq!(found, inverse(&column, 5), "{name}");
        // There would be two if every walk ended at once.
        assert!(backend.counters().submissions - before > 2, "{name}");
    }
}

/// The list 0, 1, and so on.
fn in_order() -> [u8; 256] {
    std::array::from_fn(|place| place as u8)
}

#[test]
fn move_to_front_and_back() {
    for (name, backend) in backends() {
        let stages = Stages::new(backend);
        for text in texts() {
            let expected = mtf::encode_in_parallel(&text);
            let start = &text[..text.len().min(20)];
            let found = stages.move_to_front(&text, &in_order()).unwrap();
            assert_eq!(found, expected, "{name}: {start:?} and so on");
            let found = stages.move_from_front(&expected, &in_order()).unwrap();
            assert_eq!(found, text, "{name}: {start:?} and so on");
        }
    }
}

/// Every symbol is the last in the list, so threads loop as long as possible.
#[test]
fn symbols_from_the_end_of_the_list() {
    for (name, backend) in backends() {
        let stages = Stages::new(backend);
        let places = vec![255; 5000];
        let text = stages.move_from_front(&places, &in_order()).unwrap();
        assert_eq!(text, mtf::decode(&places), "{name}");
        assert_eq!(stages.move_to_front(&text, &in_order()).unwrap(), places, "{name}");
    }
}

#[test]
fn histogram_and_huffman_codes() {
    for (name, backend) in backends() {
        let stages = Stages::new(backend);
        let skewed = |at: u32| (zgram_gpu::kernels::mix(at) % 1000 * (at % 7) / 4) as u16;
        for (count, alphabet) in [(0, 2), (1, 2), (10, 1500), (4096, 1500), (20_000, 1500)] {
            let most = alphabet as u16 - 1;
            let symbols: Vec<u16> = (0..count).map(|at| skewed(at).min(most)).collect();
            let expected = histogram::histogram(&symbols, alphabet);
            assert_eq!(stages.histogram(&symbols, alphabet).unwrap(), expected, "{name}: {count}");
            let expected = huffman::encode(&symbols, alphabet);
            assert_eq!(stages.huffman(&symbols, alphabet).unwrap(), expected, "{name}: {count}");
            let back = stages.from_huffman(&expected).unwrap();
            assert_eq!(back, Some(symbols), "{name}: {count}");
        }
    }
}

fn compressed(
    text: &[u8],
    stages: Option<Stages<impl Backend + std::fmt::Debug + 'static>>,
) -> Vec<u8> {
    let options = WriterOptions { level: 1, threads: 2 };
    let mut writer = Writer::new(Vec::new(), options);
    if let Some(stages) = stages {
        writer = writer.with_accelerator(Arc::new(stages));
    }
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

#[test]
fn bzip2_files_are_those_of_the_cpu() {
    for text in texts() {
        let expected = compressed(&text, None::<Stages<Twins>>);
        assert!(compressed(&text, Some(Stages::new(Twins::default()))) == expected);
    }
    // Three blocks.
    let text = words(250_000);
    let expected = compressed(&text, None::<Stages<Twins>>);
    assert!(compressed(&text, Some(Stages::new(Twins::default()))) == expected);
    for name in NAMES {
        let open = || Stages::new(open(name, DeviceOptions::default()));
        for text in [words(20_000), b"ab".repeat(1000), Vec::new()] {
            let expected = compressed(&text, None::<Stages<Twins>>);
            assert!(compressed(&text, Some(open())) == expected, "{name}: {}", text.len());
        }
    }
}

/// Chunks that are too short, bits that are no code, and invalid lengths.
#[test]
fn what_is_not_coded_is_not_decoded() {
    let symbols: Vec<u16> = (0..9000).map(|at| at % 300).collect();
    let whole = huffman::encode(&symbols, 300);
    let mut damaged = vec![whole.clone(); 5];
    damaged[0].bytes.pop();
    damaged[1].lengths[5] = 0;
    damaged[2].lengths.iter_mut().for_each(|length| *length = 20);
    (damaged[3].sizes[0], damaged[3].sizes[1]) = (whole.sizes[0] - 40, whole.sizes[1] + 40);
    damaged[4].symbols += 4096;
    for (name, backend) in backends() {
        let stages = Stages::new(backend);
        for (number, coded) in damaged.iter().enumerate() {
            let expected = huffman::decode(coded).ok();
            assert_eq!(stages.from_huffman(coded).unwrap(), expected, "{name}: {number}");
            assert_eq!(expected, None);
        }
    }
}

/// What a reader returns for a file: its text, or the error.
fn restored(file: &[u8], stages: Option<Arc<dyn Accelerator>>) -> Result<Vec<u8>, String> {
    let mut reader = Reader::new(file, 2);
    if let Some(stages) = stages {
        reader = reader.with_accelerator(stages);
    }
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// The twins and both devices, as accelerators.
fn accelerators() -> Vec<(&'static str, Arc<dyn Accelerator>)> {
    let device = |name| -> (&'static str, Arc<dyn Accelerator>) {
        (name, Arc::new(Stages::new(open(name, DeviceOptions::default()))))
    };
    let twins: Arc<dyn Accelerator> = Arc::new(Stages::new(Twins::default()));
    [("twins", twins)].into_iter().chain(NAMES.map(device)).collect()
}

#[test]
fn bzip2_files_are_read_as_by_the_cpu() {
    let accelerators = accelerators();
    for text in texts() {
        let file = compressed(&text, None::<Stages<Twins>>);
        for (name, stages) in &accelerators {
            let found = restored(&file, Some(Arc::clone(stages)));
            assert!(found.as_ref() == Ok(&text), "{name}: {}", text.len());
        }
    }
    // Several blocks, windows of bits and streams, and groups of all tables.
    for ((name, stages), most) in accelerators.iter().zip([150_000, 20_000, 20_000]) {
        let text = [words(most), noise(most / 2)].concat();
        let file = compressed(&text, None::<Stages<Twins>>).repeat(2);
        assert!(restored(&file, Some(Arc::clone(stages))) == Ok(text.repeat(2)), "{name}");
    }
    // A small binding makes windows short.
    let small = Stages::new(Twins::new(Limits { binding: 12_000, memory: 1 << 24 }));
    let text = words(9_000);
    let file = compressed(&text, None::<Stages<Twins>>);
    assert!(restored(&file, Some(Arc::new(small))) == Ok(text));
}

/// Flipped bits, and truncated files: the CPU and all devices report the same error.
#[test]
fn damaged_bzip2_files_are_refused_as_by_the_cpu() {
    let accelerators = accelerators();
    let file = compressed(&words(3_000), None::<Stages<Twins>>);
    let bits = 8 * file.len();
    let mut refused = 0;
    for at in (0..bits).step_by(127) {
        let mut flipped = file.clone();
        flipped[at / 8] ^= 1 << (at % 8);
        let cut = file[..at / 8].to_vec();
        for (number, damaged) in [flipped, cut].iter().enumerate() {
            let expected = restored(damaged, None);
            refused += usize::from(expected.is_err());
            // Each device takes some of them.
            let (name, stages) = &accelerators[(at / 127 + number) % accelerators.len()];
            assert_eq!(restored(damaged, Some(Arc::clone(stages))), expected, "{name}: {at}");
        }
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn too_little_memory_is_an_error() {
    let stages = Stages::new(Twins::new(Limits { binding: 1 << 20, memory: 20_000 }));
    assert!(stages.forward(&words(20_000)).unwrap_err().to_string().contains("bytes are needed"));
    // The failure has left no buffers.
    let text = words(1000);
    assert_eq!(stages.forward(&text).unwrap(), forward(&text));
    let mut writer = Writer::new(Vec::new(), WriterOptions::default());
    writer = writer.with_accelerator(Arc::new(stages));
    writer.write_all(&words(20_000)).unwrap();
    assert!(writer.finish().unwrap_err().to_string().contains("bytes are needed"));
    let file = compressed(&words(20_000), None::<Stages<Twins>>);
    let stages = Stages::new(Twins::new(Limits { binding: 1 << 20, memory: 20_000 }));
    assert!(restored(&file, Some(Arc::new(stages))).unwrap_err().contains("bytes are needed"));
}
