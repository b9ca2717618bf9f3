//! `zgram bzip2` beside the programs it replaces: bzip2, lbzip2 and pbzip2 must be installed,
//! as `./test` sees to.

use crate::support::Place;
use predicates::prelude::*;
use std::fs;
use std::process::{Command, Output, Stdio};

/// Text of several blocks at level 1, with runs.
fn text() -> Vec<u8> {
    let mut state = 1u32;
    let mut next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let words = ["the ", "quick ", "brown\n", "fox ", "aaaaaaaa", "\0\0\0\0\0\0\0"];
    let mut text: Vec<u8> =
        (0..60_000).flat_map(|_| words[next() as usize % words.len()].bytes()).collect();
    text.extend(vec![b'x'; 300_000]);
    text.extend((0..150_000).map(|_| next() as u8));
    text
}

/// Runs another program in the place; it must be there and succeed.
fn run(place: &Place, program: &str, arguments: &[&str]) -> Output {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(place.path("."))
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{program} is needed for this test: {error}"));
    assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    output
}

const PROGRAMS: [&str; 3] = ["bzip2", "lbzip2", "pbzip2"];

#[test]
fn other_programs_read_what_is_written() {
    let place = Place::new();
    place.write("t", text());
    for level in ["-1", "-9", "--best"] {
        place.zgram(["bzip2", "-kf", level, "t"]).assert().success();
        for program in PROGRAMS {
            let read = run(&place, program, &["-dc", "t.bz2"]);
            assert!(read.stdout == text(), "{program} of {level}");
        }
    }
}

#[test]
fn what_other_programs_write_is_read() {
    let place = Place::new();
    place.write("t", text());
    for program in PROGRAMS {
        for level in ["-1", "-9"] {
            run(&place, program, &["-kf", level, "t"]);
            for threads in ["1", "3"] {
                let read = place.zgram(["bzip2", "-dc", "t.bz2", "--threads", threads]);
                assert!({ read }.output().unwrap().stdout == text(), "{program} {level}");
            }
        }
    }
}

#[test]
fn several_streams_are_one_file() {
    let place = Place::new();
    place.write("t", text());
    let mut all = Vec::new();
    for (program, level) in PROGRAMS.iter().zip(["-1", "-9", "-5"]) {
        all.extend(run(&place, program, &["-c", level, "t"]).stdout);
    }
    place.write("all.bz2", all);
    place.zgram(["bzip2", "-d", "all.bz2"]).assert().success();
    assert!(place.read("all") == text().repeat(3));
}

#[test]
fn files_are_replaced_unless_kept() {
    let place = Place::new();
    place.write("a.txt", "mississippi");
    place.zgram(["bzip2", "a.txt"]).assert().success().stdout("").stderr("");
    assert_eq!(place.names(), ["a.txt.bz2"]);
    place.zgram(["bzip2", "-dk", "a.txt.bz2"]).assert().success();
    assert_eq!(place.names(), ["a.txt", "a.txt.bz2"]);
    assert_eq!(place.read("a.txt"), b"mississippi");
    place
        .zgram(["bzip2", "a.txt"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("a.txt.bz2 exists already"));
    place.zgram(["bzip2", "-f", "a.txt"]).assert().success();
    assert_eq!(place.names(), ["a.txt.bz2"]);
}

#[test]
fn names_change_as_with_bzip2() {
    for (packed, unpacked) in
        [("a.bz2", "a"), ("a.bz", "a"), ("a.tbz2", "a.tar"), ("a.tbz", "a.tar"), ("a.x", "a.x.out")]
    {
        let place = Place::new();
        place.write("t", "text");
        place.zgram(["bzip2", "t"]).assert().success();
        fs::rename(place.path("t.bz2"), place.path(packed)).unwrap();
        place.zgram(["bzip2", "-d", packed]).assert().success();
        assert_eq!(place.names(), [unpacked]);
    }
    let place = Place::new();
    place.write("a.bz2", "text");
    place.zgram(["bzip2", "a.bz2"]).assert().code(1).stderr(predicate::str::contains("ends with"));
    assert_eq!(place.names(), ["a.bz2"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_times_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("a", "text");
    fs::set_permissions(place.path("a"), fs::Permissions::from_mode(0o640)).unwrap();
    let past = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::open(place.path("a")).unwrap().set_modified(past).unwrap();
    place.zgram(["bzip2", "a"]).assert().success();
    let metadata = fs::metadata(place.path("a.bz2")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
    assert_eq!(metadata.modified().unwrap(), past);
}

#[cfg(unix)]
#[test]
fn links_and_folders_are_left_alone() {
    let place = Place::new();
    place.write("folder/a", "text");
    place.write("a", "text");
    std::os::unix::fs::symlink("a", place.path("soft")).unwrap();
    place.zgram(["bzip2", "folder"]).assert().code(1);
    place
        .zgram(["bzip2", "soft"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("regular file"));
    place.zgram(["bzip2", "-c", "soft"]).assert().success();
    fs::hard_link(place.path("a"), place.path("hard")).unwrap();
    place.zgram(["bzip2", "a"]).assert().code(1).stderr(predicate::str::contains("other names"));
    assert_eq!(place.names(), ["a", "folder", "hard", "soft"]);
    place.zgram(["bzip2", "-f", "a"]).assert().success();
    assert_eq!(place.names(), ["a.bz2", "folder", "hard", "soft"]);
}

#[test]
fn without_files_it_is_a_filter() {
    let place = Place::new();
    for arguments in [&["bzip2"][..], &["bzip2", "-"], &["bzip2", "-c", "-3"]] {
        let packed = place.zgram(arguments.iter().copied()).write_stdin(text()).output().unwrap();
        assert!(packed.status.success());
        let unpacked = place.zgram(["bzip2", "-d"]).write_stdin(packed.stdout).output().unwrap();
        assert!(unpacked.stdout == text());
    }
    let empty = place.zgram(["bzip2"]).write_stdin("").output().unwrap();
    assert_eq!(empty.stdout.len(), 14);
    place.zgram(["bzip2", "-d"]).write_stdin(empty.stdout).assert().success().stdout("");
}

#[test]
fn testing_reports_damage_by_bzip2s_exit_codes() {
    let place = Place::new();
    place.write("t", text());
    place.zgram(["bzip2", "-1", "t"]).assert().success();
    place.zgram(["bzip2", "-t", "t.bz2"]).assert().success().stdout("").stderr("");
    let whole = place.read("t.bz2");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let followed = [&whole[..], b"more"].concat();
    for (name, content, code, says) in [
        ("cut.bz2", &whole[..whole.len() - 1], 2, "ends at byte"),
        ("flipped.bz2", &flipped[..], 2, "is damaged"),
        ("foreign.bz2", b"some text", 2, "not a bzip2 file"),
        ("empty.bz2", b"", 2, "ends at byte 0"),
        ("followed.bz2", &followed[..], 0, "ignoring the bytes"),
    ] {
        place.write(name, content);
        place
            .zgram(["bzip2", "-t", name])
            .assert()
            .code(code)
            .stderr(predicate::str::contains(says).and(predicate::str::contains(name)));
        let theirs =
            Command::new("bzip2").args(["-t", name]).current_dir(place.path(".")).output().unwrap();
        assert_eq!(theirs.status.code(), Some(code), "{name}");
        let before = place.names();
        place.zgram(["bzip2", "-dk", name]).assert().code(code);
        assert_eq!(place.names().len(), before.len() + usize::from(code == 0), "{name}");
    }
    place.zgram(["bzip2", "-t", "missing.bz2"]).assert().code(1);
}

#[test]
fn one_bad_file_does_not_keep_others_from_being_done() {
    let place = Place::new();
    place.write("foreign.bz2", "this is none");
    place.write("good", "text");
    place.zgram(["bzip2", "good"]).assert().success();
    place.zgram(["bzip2", "-d", "missing.bz2", "foreign.bz2", "good.bz2"]).assert().code(2);
    assert_eq!(place.names(), ["foreign.bz2", "good"]);
}

#[test]
fn quiet_and_verbose_go_together_as_with_bzip2() {
    let place = Place::new();
    place.write("t", "text");
    place
        .zgram(["bzip2", "-qkv", "t"])
        .assert()
        .success()
        .stderr(predicate::str::contains("t.bz2"));
}

#[test]
fn verbose_reports_what_was_done() {
    let place = Place::new();
    place.write("t", "x".repeat(1000));
    place.zgram(["bzip2", "-v", "t"]).assert().stderr(predicate::str::contains("t.bz2"));
    place.zgram(["bzip2", "-tv", "t.bz2"]).assert().stderr(predicate::str::contains("t.bz2: ok"));
}

#[test]
fn of_options_that_exclude_each_other_the_last_counts() {
    let place = Place::new();
    place.write("t", text());
    let written =
        |options: &[&str]| place.zgram(["bzip2", "-c", "t"]).args(options).output().unwrap().stdout;
    assert_eq!(written(&["-9", "-1"]), written(&["-1"]));
    assert_eq!(written(&["--fast", "-9"]), written(&[]));
    assert_ne!(written(&["-1"]), written(&[]));
    assert_eq!(written(&["-d", "-z", "-k", "-k", "-vv", "--repetitive-best"]), written(&[]));
    place.zgram(["bzip2", "-kz", "t"]).assert().success();
    place.zgram(["bzip2", "-zdt", "t.bz2"]).assert().success().stdout("");
    place.zgram(["bzip2", "-tc", "t.bz2"]).assert().code(1).stdout("");
}

/// What bzip2 does, so do we: exit codes, names of files, and what they are without compression.
#[cfg(unix)]
#[test]
fn the_same_commands_end_as_with_bzip2() {
    let cases = [
        "-k a",
        "-c a",
        "-1 a",
        "-d a",
        "-df a",
        "-dcf a",
        "-dcf a p.bz2",
        "-t a",
        "-tf a",
        "-d p.bz2",
        "-dk p.bz2",
        "-dkf p.bz2",
        "-tc p.bz2",
        "-t p.bz2",
        "-c p.bz2",
        "-f p.bz2",
        "-d two.bz2",
        "-d garbage.bz2",
        "-d cut.bz2",
        "-t cut.bz2 p.bz2",
        "-d cut.bz2 p.bz2",
        "-dc cut.bz2 p.bz2",
        "-d bad.bz2 p.bz2",
        "-t bad.bz2 p.bz2",
        "-d text.bz2 p.bz2",
        "-d none p.bz2",
        "-qv a",
        "--quiet --verbose --keep a",
        "-d empty.bz2",
        "-d nothing.bz2",
        "empty",
        "-d p.xyz",
        "-d p.tbz2",
        "-k hard",
        "-f hard",
        "-k soft",
        "-f soft",
        "-c soft",
        "gone",
        "-f gone",
        "folder",
        "-f folder",
        "none a",
        "-t none",
        "-y a",
        "-0 a",
        "--none a",
        "--exponential -k a",
        "--small --fast a",
        "-- a",
        "a -k",
    ];
    let variables = [("", ""), ("-k", ""), ("", " -k  -1 "), ("-1", "-k"), ("--none", "")];
    let quiet = cases.iter().map(|case| (*case, ("", "")));
    let variable = variables.iter().map(|set| ("a", *set));
    for (case, (bzip2_variable, bzip_variable)) in quiet.chain(variable) {
        let ended = [false, true].map(|is_ours| {
            let place = Place::new();
            prepare(&place);
            let mut command = if is_ours {
                Command::new(env!("CARGO_BIN_EXE_zgram"))
            } else {
                Command::new("bzip2")
            };
            if is_ours {
                command.arg("bzip2");
            }
            command.args(case.split(' ')).current_dir(place.path(".")).stdin(Stdio::null());
            command.env("BZIP2", bzip2_variable).env("BZIP", bzip_variable);
            let output = command.output().unwrap();
            let files = place.names().into_iter().filter(|name| place.path(name).is_file());
            let texts = files.map(|name| {
                let bytes = fs::read(place.path(&name)).unwrap();
                (name, without_compression(bytes))
            });
            let texts: Vec<_> = texts.collect();
            (output.status.code(), texts, without_compression(output.stdout))
        });
        assert!(ended[0] == ended[1], "{case} {bzip2_variable} {bzip_variable}: {ended:?}");
    }
}

/// Files of all kinds.
#[cfg(unix)]
fn prepare(place: &Place) {
    let packed = run_with_input("bzip2", &["-c"], b"packed text\n");
    place.write("a", "text\n".repeat(99));
    place.write("empty", "");
    place.write("nothing.bz2", "");
    place.write("p.bz2", &packed);
    place.write("p.xyz", &packed);
    place.write("p.tbz2", &packed);
    place.write("two.bz2", [&packed[..], &packed].concat());
    place.write("garbage.bz2", [&packed[..], b"garbage"].concat());
    place.write("cut.bz2", &packed[..30]);
    let mut bad = packed.clone();
    bad[20] ^= 0xff;
    place.write("bad.bz2", bad);
    place.write("text.bz2", "never compressed");
    place.write("empty.bz2", run_with_input("bzip2", &["-c"], b""));
    place.write("folder/b", "text");
    place.write("other", "linked text");
    fs::hard_link(place.path("other"), place.path("hard")).unwrap();
    std::os::unix::fs::symlink("other", place.path("soft")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.path("gone")).unwrap();
}

/// What bzip2 makes of some bytes.
fn run_with_input(program: &str, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input).unwrap();
    child.wait_with_output().unwrap().stdout
}

/// The text of a .bz2 file, and anything else as it is: other encoders choose other codes.
#[cfg(unix)]
fn without_compression(bytes: Vec<u8>) -> Vec<u8> {
    let is_packed = bytes.starts_with(b"BZh");
    if is_packed { run_with_input("bzip2", &["-d"], &bytes) } else { bytes }
}

#[cfg(unix)]
#[test]
fn nobody_else_may_run_it_as_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("a", "text");
    fs::set_permissions(place.path("a"), fs::Permissions::from_mode(0o6755)).unwrap();
    place.zgram(["bzip2", "a"]).assert().success();
    let mode = fs::metadata(place.path("a.bz2")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
}

#[test]
fn what_was_never_compressed_passes_by_force() {
    let place = Place::new();
    for text in ["text", "BZ", "BZh0"] {
        let foreign = !"BZh1".starts_with(text);
        let passed = place.zgram(["bzip2", "-dfc"]).write_stdin(text).assert();
        if foreign {
            passed.success().stdout(text);
        } else {
            passed.code(2).stdout("");
        }
        place.zgram(["bzip2", "-d"]).write_stdin(text).assert().code(2).stdout("");
    }
}

#[test]
fn small_is_for_little_memory_and_license_for_nothing_else() {
    let place = Place::new();
    place.write("t", text());
    let written =
        |options: &[&str]| place.zgram(["bzip2", "-c", "t"]).args(options).output().unwrap().stdout;
    assert_eq!(written(&["-s"]), written(&["-2"]));
    assert_eq!(written(&["-1", "--small"]), written(&["-1"]));
    for option in ["-L", "--license"] {
        let output = place.zgram(["bzip2", option, "t"]).assert().success();
        output.stdout(predicate::str::contains("MIT"));
    }
    assert!(place.path("t").exists());
}

const GPU: [&str; 5] = ["bzip2", "--engine", "gpu", "--adapter", "llvmpipe"];

#[test]
fn a_gpu_writes_the_same_file() {
    let place = Place::new();
    fs::write(place.path("a"), &text()[..20_000]).unwrap();
    let expected = place.zgram(["bzip2", "-c", "a"]).output().unwrap().stdout;
    assert!(expected.starts_with(b"BZh9"));
    place.zgram(GPU).arg("a").assert().success();
    assert!(fs::read(place.path("a.bz2")).unwrap() == expected);
    place.zgram(GPU).args(["-d", "a.bz2"]).assert().success();
    assert!(fs::read(place.path("a")).unwrap() == text()[..20_000]);
    // Damage is reported as by the CPU.
    let mut damaged = expected;
    damaged[1000] ^= 4;
    fs::write(place.path("b.bz2"), damaged).unwrap();
    let output = place.zgram(["bzip2", "-t", "b.bz2"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let by_gpu = place.zgram(GPU).args(["-t", "b.bz2"]).output().unwrap();
    assert_eq!((by_gpu.status, by_gpu.stderr), (output.status, output.stderr));
}

#[test]
fn a_gpu_that_fails_leaves_the_file() {
    let place = Place::new();
    fs::write(place.path("a"), &text()[..20_000]).unwrap();
    let missing = ["bzip2", "--engine", "gpu", "--adapter", "no such thing", "a"];
    let output = predicate::str::contains("no adapter named \"no such thing\" was found");
    place.zgram(missing).assert().code(1).stderr(output);
    let output = predicate::str::contains("bytes are needed on the device");
    place.zgram(GPU).args(["--gpu-memory", "100", "a"]).assert().code(1).stderr(output);
    place.zgram(["bzip2", "-k", "a"]).assert().success();
    fs::rename(place.path("a.bz2"), place.path("b.bz2")).unwrap();
    let output = predicate::str::contains("bytes are needed on the device");
    place.zgram(GPU).args(["--gpu-memory", "100", "-d", "b.bz2"]).assert().code(1).stderr(output);
    assert!(place.path("b.bz2").exists() && !place.path("b").exists());
    assert!(place.path("a").exists() && !place.path("a.bz2").exists());
}
