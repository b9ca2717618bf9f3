//! `zgram word2vec`: trains word vectors and writes them after each epoch.

use crate::analytics::{Phases, chosen, view};
use crate::args::{VectorFormatName, Word2VecArgs};
use crate::human;
use crate::open::open_current;
use crate::output_file::OutputFile;
use crate::reporter::Reporter;
use std::io::BufWriter;
use zgram_models::vectors::{VectorFormat, WordVectors};
use zgram_models::word2vec::{Epoch, Objective, Training, Word2Vec};

pub(crate) fn run(args: &Word2VecArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let mut phases = Phases::start();
    let corpus = open_current(&args.file.path, reporter)?;
    phases.end("open");
    let options = &args.training;
    let mut query = Word2Vec::new(&corpus)
        .view(view(&args.view)?)
        .size(options.size)
        .window(options.window)
        .epochs(options.epochs)
        .objective(match options.hierarchical {
            true => Objective::Hierarchical,
            false => Objective::Negative(options.negative),
        })
        .skip_gram(options.skip_gram)
        .min_count(options.min_count)
        .max_vocab(options.max_vocab.unwrap_or(usize::MAX))
        .sample(options.sample)
        .alpha(options.alpha)
        .seed(options.seed)
        .threads(args.threads.map_or(0, usize::from))
        .progress(reporter);
    if let Some(documents) = chosen(&corpus, &args.documents.chosen)? {
        query = query.documents(documents);
    }
    let mut training = query.prepare()?;
    phases.end("count");
    // A file that cannot be written is refused before hours of work.
    let mut output = VectorFile::open(args)?;
    let mut kept = 0;
    loop {
        let epoch = training.next_epoch().inspect_err(|_| {
            if kept > 0 {
                let path = args.output.output.display();
                reporter.notice(&format!("{path} has the vectors of epoch {kept}"));
            }
        })?;
        let Some(epoch) = epoch else { break };
        if output.write(&training, &epoch)? {
            kept = epoch.number;
        }
        report(&training, &epoch, reporter);
    }
    phases.end("train");
    let words = training.vocabulary().len() as u64;
    reporter.conclude(&format!(
        "{}: vectors of {} for {}",
        args.output.output.display(),
        human::counted(options.size as u64, "number"),
        human::counted(words, "word"),
    ));
    if args.output.stats {
        phases.print();
    }
    Ok(())
}

fn report(training: &Training<'_>, epoch: &Epoch, reporter: &Reporter) {
    reporter.clear_for(|| {
        reporter.add_to_summary(&format!(
            "epoch {} of {}: loss {:.4}, {} words/s",
            epoch.number,
            training.epochs(),
            epoch.loss(),
            human::count(epoch.speed() as u64),
        ));
    });
}

/// The file of vectors: replaced as a whole after each epoch. What cannot be replaced, such as a pipe,
/// gets the vectors of the last epoch only.
struct VectorFile<'a> {
    args: &'a Word2VecArgs,
    open: Option<OutputFile>,
}

impl<'a> VectorFile<'a> {
    fn open(args: &'a Word2VecArgs) -> anyhow::Result<Self> {
        let open = OutputFile::open(Some(&args.output.output), args.output.force, "vectors.bin")?;
        Ok(Self { args, open: Some(open) })
    }

    /// Returns whether the vectors were written.
    fn write(&mut self, training: &Training<'_>, epoch: &Epoch) -> anyhow::Result<bool> {
        let is_last = epoch.number == training.epochs();
        let path = &self.args.output.output;
        let mut file = match self.open.take() {
            Some(file) if !is_last && !file.can_be_replaced() => {
                self.open = Some(file);
                return Ok(false);
            }
            Some(file) => file,
            // What is there now is ours.
            None => OutputFile::open(Some(path), true, "vectors.bin")?,
        };
        self.write_to(&training.vectors(), &mut file)?;
        file.commit()?;
        Ok(true)
    }

    fn write_to(&self, vectors: &WordVectors, file: &mut OutputFile) -> anyhow::Result<()> {
        let output = &self.args.output;
        let is_text = output.output.extension().is_some_and(|extension| extension == "txt");
        let format = match output.format {
            Some(VectorFormatName::Text) => VectorFormat::Text,
            Some(VectorFormatName::Binary) => VectorFormat::Binary,
            None if is_text => VectorFormat::Text,
            None => VectorFormat::Binary,
        };
        Ok(vectors.write(format, BufWriter::with_capacity(1 << 16, file.writer()))?)
    }
}
