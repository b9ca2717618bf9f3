//! Modules point one way: the graph of each crate's top-level modules, read from its source.
//!
//! An edge is a path from one top-level module to another: `crate::other::…`, `super::other::…` from
//! the right depth, or a name that the root re-exports. Tests and comments do not count. No crate may
//! have a cycle; core must keep to `LAYERS`; and ARCHITECTURE.md shows what is drawn here.
//!
//! `UPDATE_MODULE_GRAPH=1 cargo test -p zgram --test module_graph` writes the drawing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Top-level modules, and those that each uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// A module of core uses only modules of the layers before its own.
const LAYERS: [&[&str]; 9] = [
    &[
        "beside",
        "byte_counts",
        "durable",
        "features",
        "lazy",
        "progress",
        "storage",
        "threads",
        "token",
    ],
    &["grammar", "input"],
    &["expand", "format"],
    &["phrases"],
    &["error"],
    &["corpus", "names"],
    &["access", "analytics", "compress", "decompress"],
    &["reshard", "store"],
    &["plumbing"],
];

/// Crates without cycles.
const CRATES: [&str; 7] = ["core", "bwt", "bench", "cli", "gpu", "models", "testkit"];

const BEGIN: &str = "<!-- module-graph -->\n";
const END: &str = "<!-- /module-graph -->\n";

#[test]
fn no_crate_has_a_cycle_of_modules() {
    for name in CRATES {
        if let Some(cycle) = cycle(&graph(name)) {
            panic!("modules of crates/{name} depend on each other: {}", cycle.join(" -> "));
        }
    }
}

/// Numbers, codes and codings of the format have their own folders; these point one way, too.
#[test]
fn no_folder_of_the_format_has_a_cycle_of_modules() {
    for folder in [
        "format",
        "format/adaptive",
        "format/segment",
        "format/segment/codec",
        "format/segment/coding",
        "format/segment/numbering",
    ] {
        let graph = folder_graph(folder);
        assert!(graph.len() > 1, "no modules in {folder}");
        if let Some(cycle) = cycle(&graph) {
            panic!("modules of {folder} depend on each other: {}", cycle.join(" -> "));
        }
    }
    let segment = folder_graph("format/segment");
    assert!(segment["coding"].contains("codec") && !segment["codec"].contains("coding"));
}

#[test]
fn modules_of_core_keep_to_their_layers() {
    let graph = graph("core");
    let layer_of = |module: &str| {
        let layer = LAYERS.iter().position(|layer| layer.contains(&module));
        layer.unwrap_or_else(|| panic!("no layer for the module {module}: add it to LAYERS"))
    };
    for (module, uses) in &graph {
        for used in uses {
            assert!(
                layer_of(used) < layer_of(module),
                "{module} uses {used}, which is not in a lower layer"
            );
        }
    }
    let listed = LAYERS.concat();
    let unknown: Vec<_> = listed.iter().filter(|&&module| !graph.contains_key(module)).collect();
    assert!(unknown.is_empty(), "no such modules: {unknown:?}");
}

#[test]
fn architecture_shows_the_graph() {
    let path = workspace().join("ARCHITECTURE.md");
    let page = fs::read_to_string(&path).expect("ARCHITECTURE.md can be read");
    let begin =
        page.find(BEGIN).expect("ARCHITECTURE.md has the graph's first marker") + BEGIN.len();
    let end = begin + page[begin..].find(END).expect("ARCHITECTURE.md has the graph's last marker");
    let drawn = draw(&graph("core"));
    println!("{drawn}");
    if std::env::var_os("UPDATE_MODULE_GRAPH").is_some() {
        fs::write(&path, format!("{}{drawn}{}", &page[..begin], &page[end..]))
            .expect("it is written");
    } else {
        assert_eq!(page[begin..end], drawn, "write it with UPDATE_MODULE_GRAPH=1");
    }
}

/// The reader sees edges that must not be missed, and none that are not there.
#[test]
fn edges_are_read_from_source() {
    let root = Root::parse(
        "pub use error::{Error, Other as Alias};\nmod error;\nmod a;\nmod b;\nmod c;\n",
    );
    let read = |depth, source: &str| {
        let uses = uses(&without_tests(source).0, depth, "crate::", &root);
        uses.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(read(1, "use crate::a::X;\nlet y = crate::b::f();\n"), "a b");
    assert_eq!(read(1, "use crate::{a::X, Error, b::{Y, Z}};\n"), "a b error");
    assert_eq!(read(1, "fn f() -> crate::Alias { super::c::g() }\n"), "c error");
    assert_eq!(read(2, "use super::a::X;\nuse super::super::b::Y;\n"), "b");
    assert_eq!(read(1, "/// [`X`](crate::a::X)\n// crate::b\n"), "");
    assert_eq!(read(1, "#[cfg(test)]\nmod tests {\n    use crate::a;\n}\nuse crate::b;\n"), "b");
    let (_, tests) = without_tests("#[cfg(test)]\nmod sample;\nmod real;\n");
    assert_eq!(tests, ["sample"]);
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry((*to).into()).or_default();
            graph.entry((*from).into()).or_default().insert((*to).into());
        }
        graph
    };
    assert_eq!(cycle(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    let found = cycle(&graph(&[("a", "b"), ("b", "c"), ("c", "b")])).unwrap();
    assert_eq!(found, ["b", "c", "b"]);
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The graph of a crate's top-level modules.
fn graph(name: &str) -> Graph {
    let source = workspace().join("crates").join(name).join("src");
    let library = source.join("lib.rs");
    let main = if library.exists() { library } else { source.join("main.rs") };
    graph_of(&source, &main, "crate::")
}

/// The graph of the modules in the folder of one module of core.
fn folder_graph(folder: &str) -> Graph {
    let source = workspace().join("crates/core/src").join(folder);
    let prefix = format!("crate::{}::", folder.replace('/', "::"));
    graph_of(&source, &source.join("mod.rs"), &prefix)
}

/// The graph of the modules that `main` declares. `prefix` is the path of their parent.
fn graph_of(source: &Path, main: &Path, prefix: &str) -> Graph {
    let read = |path: &Path| fs::read_to_string(path).expect("source can be read");
    let root = Root::parse(&read(main));
    let (mut files, mut tests) = (Vec::new(), BTreeSet::new());
    list(source, &mut files);
    let mut sources = Vec::new();
    for path in files {
        let (text, test_modules) = without_tests(&read(&path));
        let folder = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("mod" | "lib" | "main") => path.parent().expect("it has one").to_owned(),
            _ => path.with_extension(""),
        };
        for module in test_modules {
            tests.insert(folder.join(format!("{module}.rs")));
            tests.insert(folder.join(module).join("mod.rs"));
        }
        sources.push((path, folder, text));
    }
    let mut graph = Graph::new();
    for (path, folder, text) in sources {
        let module: Vec<_> = folder.strip_prefix(source).expect("it is inside").iter().collect();
        let is_test =
            tests.iter().any(|test| path == *test || path.starts_with(test.with_extension("")));
        let Some(top) = module.first().and_then(|top| top.to_str()).filter(|_| !is_test) else {
            continue;
        };
        if !root.modules.contains(top) {
            continue;
        }
        let uses = uses(&text, module.len(), prefix, &root);
        let edges = graph.entry(top.to_owned()).or_default();
        edges.extend(uses.into_iter().filter(|used| used != top));
    }
    graph
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// What the root of a crate declares: its modules, and the names that it re-exports from them.
struct Root {
    modules: BTreeSet<String>,
    names: BTreeMap<String, String>,
}

impl Root {
    fn parse(source: &str) -> Self {
        let (text, _) = without_tests(source);
        let mut modules = BTreeSet::new();
        let mut names = BTreeMap::new();
        for statement in text.split_inclusive(';') {
            let statement = statement.trim_end_matches(';');
            let words: Vec<&str> = statement.split_whitespace().collect();
            if let [.., "mod", module] = words[..] {
                modules.insert(module.to_owned());
            }
            if let Some(at) = statement.find("pub use ") {
                let path: String =
                    statement[at + 8..].split_whitespace().collect::<Vec<_>>().join(" ");
                let Some((module, rest)) = path.split_once("::") else { continue };
                for name in rest.trim_matches(['{', '}']).split(',') {
                    let name = name.rsplit([' ', ':']).find(|name| !name.is_empty());
                    names.insert(name.unwrap_or_default().to_owned(), module.to_owned());
                }
            }
        }
        Self { modules, names }
    }

    /// The top-level module that a name at the root belongs to.
    fn module_of(&self, name: &str) -> Option<&str> {
        self.modules.get(name).or_else(|| self.names.get(name)).map(String::as_str)
    }
}

/// Source without comments and without items for tests only, and the modules in other files that
/// are for tests only. Relies on the indentation that rustfmt gives.
fn without_tests(source: &str) -> (String, Vec<String>) {
    let (mut text, mut modules) = (String::new(), Vec::new());
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            text.push_str(line.split("//").next().unwrap_or_default());
            text.push('\n');
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        for line in lines.by_ref() {
            let item = line.trim();
            if let Some(module) = item.strip_suffix(';').and_then(|item| item.split_once("mod ")) {
                modules.push(module.1.to_owned());
            }
            let is_end = line.starts_with(&format!("{indent}}}"))
                || item.ends_with(';')
                || item.ends_with('}');
            if is_end && line.starts_with(indent) && !line[indent.len()..].starts_with(' ') {
                break;
            }
        }
    }
    (text, modules)
}

/// The modules of `root` named in a file whose module is `depth` levels below it. `prefix` is the
/// path of `root`.
fn uses(text: &str, depth: usize, prefix: &str, root: &Root) -> BTreeSet<String> {
    let to_root = "super::".repeat(depth);
    let mut found = BTreeSet::new();
    for prefix in [prefix, &to_root] {
        for (at, _) in text.match_indices(prefix) {
            let is_whole = !text[..at]
                .ends_with(|before: char| before.is_alphanumeric() || "_:$".contains(before));
            if is_whole {
                let names = names(&text[at + prefix.len()..]);
                found.extend(
                    names.into_iter().filter_map(|name| root.module_of(name)).map(str::to_owned),
                );
            }
        }
    }
    found
}

/// The first names of a path: one, or those of a group in braces.
fn names(path: &str) -> Vec<&str> {
    let name =
        |path: &'_ str| path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    let Some(group) = path.strip_prefix('{') else { return vec![&path[..name(path)]] };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                let path = group[start..at].trim();
                names.push(&path[..name(path)]);
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

/// A cycle, with its first module at both ends.
fn cycle(graph: &Graph) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    graph.keys().find_map(|module| visit(graph, module, &mut Vec::new(), &mut done))
}

fn visit(
    graph: &Graph,
    module: &str,
    path: &mut Vec<String>,
    done: &mut BTreeSet<String>,
) -> Option<Vec<String>> {
    if let Some(start) = path.iter().position(|on_path| on_path == module) {
        return Some(path[start..].iter().cloned().chain([module.to_owned()]).collect());
    }
    if done.contains(module) {
        return None;
    }
    path.push(module.to_owned());
    let mut uses = graph.get(module).into_iter().flatten();
    let found = uses.find_map(|used| visit(graph, used, path, done));
    path.pop();
    done.insert(module.to_owned());
    found
}

/// The layers of core, lowest first; each module with those that it uses.
fn draw(graph: &Graph) -> String {
    let mut drawn = String::from("```text\n");
    for (layer, number) in LAYERS.iter().zip(1..) {
        for (module, place) in layer.iter().zip(0..) {
            let number = if place == 0 { number.to_string() } else { String::new() };
            let uses: Vec<&str> =
                LAYERS.concat().into_iter().filter(|&used| graph[*module].contains(used)).collect();
            let arrow = if uses.is_empty() { "" } else { "→ " };
            let line = format!("{number:<3}{module:<12}{arrow}{}", uses.join(" "));
            drawn.push_str(line.trim_end());
            drawn.push('\n');
        }
    }
    drawn + "```\n"
}
