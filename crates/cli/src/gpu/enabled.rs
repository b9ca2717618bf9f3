//! GPUs through `zgram-gpu`.

use super::cost;
use crate::args::GpuArgs;
use crate::args::gpu::{AdapterArgs, EngineArgs, EngineName};
use crate::complaint::Refusal;
use crate::human;
use crate::printer::{Cell, Table};
use crate::reporter::Reporter;
use std::sync::Arc;
use zgram::Corpus;
use zgram::analytics::{Choice, Decision, Question};
use zgram::plumbing::Accelerator;
use zgram::plumbing::TransactionReader;
use zgram_bwt::bzip2::Accelerator as BlockAccelerator;
use zgram_gpu::access::GpuReader;
use zgram_gpu::bwt::Stages;
use zgram_gpu::{
    Adapter, Backend, Device, DeviceOptions, Engine, GpuError, SelfTest, Wish, adapters,
    may_have_hardware, self_test,
};

/// An open GPU.
pub(crate) struct Gpu {
    engine: Engine<Device>,
    falls_back: bool,
}

impl Gpu {
    pub(crate) fn accelerator(&self) -> &dyn Accelerator {
        &self.engine
    }

    /// Whether the CPU takes over if the GPU fails.
    pub(crate) fn falls_back(&self) -> bool {
        self.falls_back
    }

    /// `--stats`: the work of the GPU.
    pub(crate) fn print_stats(&self) {
        let stats = self.engine.stats();
        let device = self.engine.backend();
        print_device(device);
        line("initialisation", human::seconds(stats.initialisation));
        line("traversal", human::seconds(stats.traversal));
        line("to count", human::count(stats.traversals));
        print_traffic(device);
        line("sent ahead", human::count(stats.ahead));
        line("parts", human::count(stats.jobs + stats.splits));
        line("larger tables", human::count(stats.reruns));
    }
}

fn line(name: &str, value: String) {
    anstream::eprintln!("{name:>16}  {value}");
}

fn print_device(device: &Device) {
    line("GPU", device.adapter().name.clone());
    line("transfer", human::seconds(device.counters().transfer));
}

fn print_traffic(device: &Device) {
    let counters = device.counters();
    line("submissions", human::count(counters.submissions));
    line("dispatches", human::count(counters.dispatches));
    line("downloads", human::count(counters.downloads));
    line("bytes up", human::bytes(counters.bytes_up));
    line("bytes down", human::bytes(counters.bytes_down));
    line("bytes shared", human::bytes(counters.bytes_shared));
    line("GPU memory", human::bytes(counters.peak_bytes));
}

/// A GPU that answers the reads of a batch.
pub(crate) struct Reader(GpuReader<Device>);

impl Reader {
    pub(crate) fn batch_reader(&self) -> &dyn TransactionReader {
        &self.0
    }

    /// Why the CPU did the GPU's work.
    pub(crate) fn failures(&self) -> Vec<String> {
        self.0.report().failures
    }

    /// `--stats`: the work of the GPU.
    pub(crate) fn print_stats(&self) {
        let report = self.0.report();
        print_device(self.0.backend());
        line("reads by the GPU", human::count(report.answered));
        line("by the CPU", human::count(report.left));
        line("to answer", human::count(report.access.submissions));
        print_traffic(self.0.backend());
        line("larger tables", human::count(report.access.reruns));
    }
}

fn wish(args: &AdapterArgs) -> Wish {
    match args.adapter.as_deref().unwrap_or("").parse() {
        Ok(wish) => wish,
        Err(never) => match never {},
    }
}

fn options(args: &AdapterArgs) -> DeviceOptions {
    DeviceOptions { memory: args.gpu_memory, ..DeviceOptions::default() }
}

/// The GPU to count on, if any.
pub(crate) fn choose(
    args: &EngineArgs,
    corpus: &Corpus,
    question: &Question,
    (decision, choice): (&Decision, Choice),
    reporter: &Reporter,
) -> anyhow::Result<Option<Gpu>> {
    let pays = |threads, gpu_symbol| {
        decision.stored.is_none() && cost::pays(corpus, question, threads, gpu_symbol)
    };
    let device = device(args, pays, reporter)?;
    Ok(device.map(|device| Gpu {
        // The traversal that suits the CPU may not suit a GPU.
        engine: match choice {
            Choice::Auto => Engine::new(device),
            _ => Engine::new(device).with_traversal(decision.traversal),
        },
        falls_back: args.engine == EngineName::Auto,
    }))
}

/// The GPU to answer a batch's reads, if any.
pub(crate) fn choose_reader(
    args: &EngineArgs,
    reads: usize,
    reporter: &Reporter,
) -> anyhow::Result<Option<Reader>> {
    let device = device(args, |threads, _| cost::pays_for_reads(reads, threads), reporter)?;
    Ok(device.map(|device| Reader(GpuReader::new(device, args.engine == EngineName::Auto))))
}

/// The GPU to use, if any. If the user has not named one, it must be worthwhile by the first estimate,
/// pass its self-test, and be worthwhile by the time of that test.
fn device(
    args: &EngineArgs,
    pays: impl Fn(usize, f64) -> bool,
    reporter: &Reporter,
) -> anyhow::Result<Option<Device>> {
    let is_named = args.adapter.adapter.is_some();
    match args.engine {
        EngineName::Cpu => Ok(None),
        EngineName::Gpu => Ok(Some(open(&args.adapter).map_err(not_opened)?)),
        EngineName::Auto => {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            if !may_load_drivers(is_named, || pays(threads, 0.0), may_have_hardware) {
                return Ok(None);
            }
            let tested = |device: Device| match is_named {
                true => Ok(Some(device)),
                false => {
                    let test = self_test(&device)?;
                    if !test.is_right {
                        reporter.notice("using the CPU: the GPU fails its self-test");
                    }
                    let pays = test.is_right && pays(threads, nanoseconds_a_symbol(&test));
                    Ok(pays.then_some(device))
                }
            };
            match open(&args.adapter).and_then(tested) {
                Ok(device) => Ok(device),
                // A machine without a GPU is not worth a notice, unless the user has named one.
                Err(GpuError::NoAdapter { .. }) if !is_named => Ok(None),
                Err(error) => {
                    reporter.notice(&format!("using the CPU: {error}"));
                    Ok(None)
                }
            }
        }
    }
}

/// Whether `auto` may load graphics drivers. They take tens of milliseconds to load, and some print to the
/// terminal. So unless the user names an adapter, `auto` loads none for work that the CPU does quickly, and
/// none on a machine that has no hardware GPU.
fn may_load_drivers(
    is_named: bool,
    pays: impl FnOnce() -> bool,
    may_have_hardware: impl FnOnce() -> bool,
) -> bool {
    is_named || (pays() && may_have_hardware())
}

fn nanoseconds_a_symbol(test: &SelfTest) -> f64 {
    test.time.as_secs_f64() * 1e9 / test.symbols.max(1) as f64
}

fn open(args: &AdapterArgs) -> Result<Device, GpuError> {
    Device::new(zgram_gpu::choose(&wish(args))?, options(args))
}

fn not_opened(error: GpuError) -> Refusal {
    Refusal::error(error.to_string(), "`zgram gpu` lists the available adapters")
}

/// The GPU to sort blocks.
pub(crate) fn block_sorter(args: &AdapterArgs) -> Result<Arc<dyn BlockAccelerator>, Refusal> {
    Ok(Arc::new(Stages::new(open(args).map_err(not_opened)?)))
}

/// `zgram gpu`.
pub(crate) fn list(args: &GpuArgs, _: &Reporter) -> anyhow::Result<()> {
    let wanted = match wish(&args.adapter) {
        Wish::Best => adapters(),
        wish => zgram_gpu::choose(&wish).into_iter().collect(),
    };
    if wanted.is_empty() {
        let hint = "install a driver for Vulkan, Metal or DirectX 12; see docs/gpu.md".to_owned();
        return Err(Refusal::nothing_found("no GPU was found", Some(hint)).into());
    }
    let options = options(&args.adapter);
    let rows = wanted.into_iter().map(|adapter| row(adapter, options, !args.no_test)).collect();
    let columns = vec![
        "name",
        "kind",
        "backend",
        "driver",
        "most_buffer",
        "most_binding",
        "memory",
        "test",
        "symbols_a_second",
    ];
    Table { key: "adapters", columns, rows }.print(args.format)
}

fn row(adapter: Adapter, options: DeviceOptions, is_tested: bool) -> Vec<Cell<'static>> {
    let memory = if adapter.shares_memory() { "shared" } else { "own" };
    let mut row = vec![
        Cell::Text(adapter.name.clone()),
        Cell::Text(adapter.kind.to_string()),
        Cell::Text(adapter.backend.clone()),
        Cell::Text(adapter.driver.clone()),
        Cell::Bytes(adapter.most_buffer_bytes()),
        Cell::Bytes(adapter.most_binding_bytes()),
        Cell::Text(memory.to_owned()),
    ];
    let result =
        is_tested.then(|| Device::new(adapter, options).and_then(|device| self_test(&device)));
    row.extend(match result {
        None => [Cell::Text("none".to_owned()), Cell::Count(0)],
        Some(Err(error)) => [Cell::Text(error.to_string()), Cell::Count(0)],
        Some(Ok(test)) => {
            let verdict = if test.is_right { "passed" } else { "wrong counts" };
            let speed = (1e9 / nanoseconds_a_symbol(&test).max(1e-9)) as u64;
            [Cell::Text(verdict.to_owned()), Cell::Count(speed)]
        }
    });
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_loads_drivers_only_for_much_work_on_a_machine_with_hardware() {
        assert!(may_load_drivers(false, || true, || true));
        assert!(!may_load_drivers(false, || true, || false));
        // Not even the system is asked about hardware for little work.
        assert!(!may_load_drivers(false, || false, || unreachable!("little work")));
        assert!(may_load_drivers(true, || unreachable!("named"), || unreachable!("named")));
    }
}
