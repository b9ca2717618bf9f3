//! Progress bars, notices and timings, on standard error.

use crate::args::Display;
use crate::human;
use crate::interrupt;
use crate::text::visible;
use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use zgram::progress::{Progress, Stage};

/// A bar where the total is known, for wide terminals and narrow ones, and one where it is not. The
/// bar takes the columns that the rest leaves.
const WIDE: &str =
    "{prefix:>9} [{wide_bar}] {decimal_bytes:>9} of {decimal_total_bytes:>9}{speed}{left}";
const NARROW: &str = "{prefix:>9} [{wide_bar}] {percent:>3} %";
const WITHOUT_TOTAL: &str = "{prefix:>9} {spinner} {decimal_bytes:>9}{speed}";
/// The wide bar of a stage that counts words.
const WORDS: &str = "{prefix:>9} [{wide_bar}] {human_pos:>13} words{speed}{left}";
/// From here on a terminal is wide: the text of [`WIDE`] takes up to 64 columns.
const WIDE_COLUMNS: u16 = 76;
/// Speed and time left are guesses at first.
const SPEED_IS_KNOWN_AFTER: Duration = Duration::from_millis(500);

/// Shows the user what is going on. It draws only on a terminal.
pub(crate) struct Reporter {
    quiet: bool,
    verbose: bool,
    started: Instant,
    /// `None` where nothing is drawn.
    bars: Option<MultiProgress>,
    /// Whether drawing has been stopped, because the terminal is used for something else.
    is_hidden: AtomicBool,
    stages: Mutex<Vec<StageState>>,
}

/// A stage that has begun.
struct StageState {
    stage: Stage,
    bar: Option<ProgressBar>,
    done: u64,
    first: Instant,
    last: Instant,
}

impl Reporter {
    pub(crate) fn new(display: &Display) -> Self {
        let draws = !display.quiet && std::io::stderr().is_terminal();
        Self {
            quiet: display.quiet,
            verbose: display.verbose,
            started: Instant::now(),
            bars: draws.then(MultiProgress::new),
            is_hidden: AtomicBool::new(false),
            stages: Mutex::default(),
        }
    }

    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// The time since the program began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Prints how the work ended, and with `-v` how long each stage took; nothing with `-q`.
    pub(crate) fn conclude(&self, summary: &str) {
        self.clear();
        if self.quiet {
            return;
        }
        if self.verbose {
            for state in self.stages.lock().expect("no holder panics").iter() {
                let (from, to) = (state.first - self.started, state.last - self.started);
                let name = name(state.stage);
                let (done, from, to) =
                    (amount(state.stage, state.done), human::seconds(from), human::seconds(to));
                anstream::eprintln!("zgram: {name:<9} {done:>9}, from {from} to {to}");
            }
        }
        anstream::eprintln!("{}", visible(summary.as_bytes()));
    }

    /// Prints another line of the summary; nothing with `-q`.
    pub(crate) fn add_to_summary(&self, line: &str) {
        if !self.quiet {
            anstream::eprintln!("{}", visible(line.as_bytes()));
        }
    }

    /// Prints something the user should know, at once; nothing with `-q`.
    pub(crate) fn notice(&self, text: &str) {
        if !self.quiet {
            anstream::eprintln!("zgram: {}", visible(text.as_bytes()));
        }
    }

    /// Removes the bars and draws nothing from now on: rows of an answer go to the terminal.
    pub(crate) fn hide(&self) {
        self.is_hidden.store(true, Ordering::Relaxed);
        self.clear();
    }

    /// Prints a line between bars that go on.
    pub(crate) fn clear_for(&self, print: impl FnOnce()) {
        match &self.bars {
            Some(bars) => bars.suspend(print),
            None => print(),
        }
    }

    /// Removes the bars.
    pub(crate) fn clear(&self) {
        if let Some(bars) = &self.bars {
            for state in self.stages.lock().expect("no holder panics").iter() {
                state.bar.iter().for_each(ProgressBar::finish_and_clear);
            }
            // A terminal that is gone needs no cleaning.
            let _ = bars.clear();
        }
    }

    fn update(&self, stage: Stage, change: impl FnOnce(&mut StageState)) {
        let draws = self.bars.is_some() && !self.is_hidden.load(Ordering::Relaxed);
        if !draws && !self.verbose {
            return;
        }
        let mut stages = self.stages.lock().expect("no holder panics");
        let at = stages.iter().position(|state| state.stage == stage).unwrap_or_else(|| {
            let now = Instant::now();
            let bars = self.bars.as_ref().filter(|_| draws);
            let bar = bars.map(|bars| bars.add(new_bar(stage)));
            stages.push(StageState { stage, bar, done: 0, first: now, last: now });
            stages.len() - 1
        });
        change(&mut stages[at]);
    }
}

impl Progress for Reporter {
    fn advance(&self, stage: Stage, amount: u64) {
        self.update(stage, |state| {
            if state.done == 0 {
                state.first = Instant::now();
            }
            state.done += amount;
            state.last = Instant::now();
            state.bar.iter().for_each(|bar| bar.inc(amount));
        });
    }

    fn expect(&self, stage: Stage, total: u64) {
        self.update(stage, |state| {
            if let Some(bar) = &state.bar {
                bar.set_style(style(stage, with_total(stage)));
                bar.set_length(total);
            }
        });
    }

    fn notice(&self, message: &str) {
        if self.quiet {
            return;
        }
        let print = || anstream::eprintln!("zgram: notice: {}", visible(message.as_bytes()));
        self.clear_for(print);
    }

    fn is_cancelled(&self) -> bool {
        interrupt::is_asked_to_stop()
    }
}

fn new_bar(stage: Stage) -> ProgressBar {
    let bar = ProgressBar::no_length().with_prefix(name(stage));
    bar.with_style(style(stage, WITHOUT_TOTAL))
}

/// The bar that fits the terminal.
fn with_total(stage: Stage) -> &'static str {
    match terminal_size::terminal_size_of(std::io::stderr()) {
        Some((width, _)) if width.0 < WIDE_COLUMNS => NARROW,
        _ if stage == Stage::Training => WORDS,
        _ => WIDE,
    }
}

/// How much of a stage is done, in what it counts.
fn amount(stage: Stage, done: u64) -> String {
    match stage {
        Stage::Training => format!("{} words", human::count(done)),
        _ => human::bytes(done),
    }
}

fn style(stage: Stage, template: &str) -> ProgressStyle {
    let is_known =
        |state: &ProgressState| state.pos() > 0 && state.elapsed() >= SPEED_IS_KNOWN_AFTER;
    ProgressStyle::with_template(template)
        .expect("templates are constant")
        .progress_chars("=> ")
        .with_key("speed", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            if is_known(state) {
                let speed = amount(stage, state.per_sec() as u64);
                // A bar that cannot be drawn is not worth an error.
                let _ = write!(out, ", {speed}/s");
            }
        })
        .with_key("left", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            if is_known(state) {
                let _ = write!(out, ", {} left", HumanDuration(state.eta()));
            }
        })
}

fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Reading => "reading",
        Stage::Building => "building",
        Stage::Writing => "writing",
        Stage::Expanding => "expanding",
        Stage::Verifying => "verifying",
        Stage::Traversing => "counting",
        Stage::Training => "training",
        _ => "working",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_well_formed() {
        for template in [WIDE, NARROW, WITHOUT_TOTAL, WORDS] {
            style(Stage::Training, template);
        }
    }

    #[test]
    fn stages_add_up() {
        let display = Display { quiet: false, verbose: true, color: crate::args::Color::Never };
        let reporter = Reporter { bars: Some(MultiProgress::new()), ..Reporter::new(&display) };
        reporter.advance(Stage::Reading, 1);
        reporter.expect(Stage::Reading, 2);
        reporter.advance(Stage::Reading, 1);
        assert_eq!(reporter.stages.lock().unwrap()[0].done, 2);
        reporter.clear();
    }
}
