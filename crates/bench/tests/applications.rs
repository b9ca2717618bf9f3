//! The whole applications benchmark on a small corpus, with the real zgram and the real rivals.
//!
//! Answers are compared and failures end the run: for that zgram is wrapped in a script that spoils its
//! work.
#![cfg(unix)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use support::{alone, install, zgram};
use tempfile::TempDir;
use zgram_bench::applications::figures::{Outcome, Report};
use zgram_bench::applications::table::Application;
use zgram_bench::applications::{Options, report};
use zgram_bench::head::CorpusArgs;
use zgram_bench::workspace;

/// Python with the rivals: of `ZGRAM_PYTHON`, or where `./test` installs it.
fn python() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let installed = own.ancestors().nth(3).unwrap().join("tools/bin/python");
    let python = std::env::var_os("ZGRAM_PYTHON").map_or(installed, PathBuf::from);
    let mut import = Command::new(&python);
    import.args(["-c", "import bm25s, gensim, numpy, scipy, sklearn, tomotopy"]);
    let is_there = import.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    assert!(
        is_there,
        "{} lacks the rivals of this test. ./test installs them; or install \
         benchmarks/rivals/requirements.txt and set ZGRAM_PYTHON",
        python.display()
    );
    python
}

/// Documents in several scripts, with an empty one, one without words, and bytes that are no text.
fn corpus(folder: &Path) -> PathBuf {
    let corpus = folder.join("corpus");
    let sample = workspace::root().unwrap().join("samples/books");
    fs::create_dir_all(corpus.join("letters")).unwrap();
    for (number, entry) in fs::read_dir(&sample).unwrap().enumerate() {
        let text = fs::read(entry.unwrap().path()).unwrap();
        // Some of each book, so that words differ between documents.
        let part = &text[text.len().min(1000)..text.len().min(9000)];
        fs::write(corpus.join(format!("book {number}.txt")), part).unwrap();
    }
    let latin =
        "Une Stra\u{df}enname, \u{39f}\u{394}\u{39f}\u{3a3}: snake_case, 3.14 \u{4e2d}\u{6587}\n";
    fs::write(corpus.join("letters/one.txt"), latin.repeat(30)).unwrap();
    fs::write(corpus.join("letters/two.txt"), b"caf\xe9 au lait, the caf\xe9 \xff".repeat(20))
        .unwrap();
    fs::write(corpus.join("letters/empty.txt"), "").unwrap();
    fs::write(corpus.join("letters/no words.txt"), "- . ! a b c\n").unwrap();
    corpus
}

fn options(folder: &Path, zgram: PathBuf, python: PathBuf) -> Options {
    Options {
        inputs: CorpusArgs { paths: vec![corpus(folder)], corpora: None, zgram: Some(zgram) },
        application: Vec::new(),
        threads: 1,
        iterations: 3,
        epochs: 1,
        glove: Some(env!("CARGO_BIN_EXE_zgram-glove").into()),
        python,
        cache: None,
        runs: 2,
        patience: 100,
        only: None,
        record: false,
    }
}

fn measured(options: &Options) -> anyhow::Result<Report> {
    report(options, &workspace::root()?)
}

#[test]
fn every_program_answers_and_every_rival_agrees() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    let report = measured(&options(folder.path(), zgram(), python())).unwrap();
    assert_eq!(report.missing, [""; 0]);
    let [corpus] = &report.corpora[..] else { panic!("one corpus") };
    for application in Application::ALL {
        let figures = corpus.of(application).unwrap();
        let names: Vec<_> = application.contestants().iter().map(|one| one.name).collect();
        assert_eq!(figures.rows.iter().map(|row| row.name).collect::<Vec<_>>(), names);
        for row in &figures.rows {
            let Outcome::Done { cost, split } = &row.outcome else { panic!("{row:?}") };
            assert!(split.preprocessing >= 0.0 && split.computing >= 0.0, "{row:?}");
            assert!((split.preprocessing + split.computing - cost.cpu_seconds).abs() < 1e-9);
            // Who is set against zgram has an answer that was compared.
            assert_eq!(row.agreement.is_some(), row.against.is_some(), "{row:?}");
        }
        let rivals = application.contestants().iter().filter(|one| one.against.is_some());
        assert_eq!(figures.pairs().count(), rivals.count());
    }
    let page = report.markdown();
    for row in corpus.applications.iter().flat_map(|application| &application.rows) {
        assert!(page.contains(&format!("| {} |", row.name)), "{} in {page}", row.name);
    }
    for chart in report.charts() {
        chart.write(folder.path()).unwrap();
    }
    serde_json::to_string(&report).unwrap();
}

#[test]
fn an_answer_that_is_not_the_rivals_is_caught() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("zgram");
    // Words of one letter stay.
    let script = format!(
        "#!/bin/sh\nfor word do shift; [ \"$word\" = --sklearn ] || set -- \"$@\" \"$word\"; done\nexec '{}' \"$@\"\n",
        zgram().display()
    );
    install(&script, &program);
    let options = Options {
        application: vec![Application::Matrix],
        runs: 1,
        ..options(folder.path(), program, python())
    };
    let error = format!("{:#}", measured(&options).unwrap_err());
    assert!(error.contains("CountVectorizer: the answers differ"), "{error}");
}

#[test]
fn missing_rivals_are_rows_that_say_so() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    let options = Options {
        application: vec![Application::Matrix],
        ..options(folder.path(), zgram(), "no-such-python".into())
    };
    let report = measured(&options).unwrap();
    let install = "pip install -r benchmarks/rivals/requirements.txt";
    let missing = [
        format!("scikit-learn is not installed: {install}"),
        format!("answers are not compared, which needs numpy and scipy: {install}"),
    ];
    assert_eq!(report.missing, missing);
    let page = report.markdown();
    assert!(page.contains("| CountVectorizer | **MISSING** |"), "{page}");
    assert!(page.contains("- **MISSING**: scikit-learn"), "{page}");
}

#[test]
fn a_zgram_that_fails_ends_the_benchmark() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("zgram");
    install(
        "#!/bin/sh\n[ $1 = --version ] && { echo zgram 1.0; exit; }\necho out of luck >&2\nexit 2\n",
        &program,
    );
    let error = measured(&options(folder.path(), program, "no-such-python".into())).unwrap_err();
    assert!(format!("{error:#}").contains("out of luck"), "{error:#}");
}
