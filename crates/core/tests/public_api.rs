//! The public API, written down: a change of it shows in `public-api.txt` and in review.
//!
//! The list is read from the source, which rustfmt keeps in one form: items of the root and of public
//! modules, with their public fields, variants and methods. Of `plumbing`, which is outside semantic
//! versioning, only names are listed.
//!
//! `UPDATE_PUBLIC_API=1 cargo test -p zgram --test public_api` writes the list anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The most items that the library may show outside `plumbing`. The applications on top of the six tasks
/// (matrices, weights, ranking, keyness, co-occurrence) have a third of them.
const MOST_ITEMS: usize = 130;

const KINDS: [&str; 6] = ["struct", "enum", "trait", "fn", "const", "type"];

#[test]
fn the_public_api_is_written_down() {
    let sources = sources();
    let items = items(&sources);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("public-api.txt");
    let listed: String = describe(&sources, &items).into_iter().map(|line| line + "\n").collect();
    if std::env::var_os("UPDATE_PUBLIC_API").is_some() {
        fs::write(&path, &listed).expect("it is written");
        return;
    }
    let known = fs::read_to_string(&path).expect("the list can be read");
    let (before, now): (BTreeSet<_>, BTreeSet<_>) =
        (known.lines().collect(), listed.lines().collect());
    assert!(
        known == listed,
        "the public API has changed:\n{}{}\nif that is meant, write it down with \
         UPDATE_PUBLIC_API=1 cargo test -p zgram --test public_api",
        before.difference(&now).map(|line| format!("- {line}\n")).collect::<String>(),
        now.difference(&before).map(|line| format!("+ {line}\n")).collect::<String>(),
    );
}

#[test]
fn the_public_api_is_small() {
    let items = items(&sources());
    let shown: Vec<&String> = items.keys().filter(|path| !path.starts_with("plumbing::")).collect();
    assert!(shown.len() <= MOST_ITEMS, "{} public items: {shown:#?}", shown.len());
    assert!(shown.len() > MOST_ITEMS / 2, "the list misses most of the API: {shown:#?}");
    let names: BTreeSet<&str> =
        items.keys().map(|path| path.rsplit("::").next().unwrap_or(path)).collect();
    assert_eq!(names.len(), items.len(), "an item is exported twice");
}

/// The source files of the library, by path below `src`, without tests and comments.
fn sources() -> BTreeMap<PathBuf, Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                let name = path.strip_prefix(&root).expect("below the root").to_owned();
                found.insert(name, lines.map(str::to_owned).collect());
            }
        }
    }
    found
}

/// Public items, by path, with the top-level module that defines each.
fn items(sources: &BTreeMap<PathBuf, Vec<String>>) -> BTreeMap<String, String> {
    let root = &sources[Path::new("lib.rs")];
    let mut items = BTreeMap::new();
    let mut add = |prefix: &str, path: &str| {
        let module = path.split("::").next().unwrap_or(path).to_owned();
        let name = path.rsplit("::").next().unwrap_or(path);
        items.insert(format!("{prefix}{name}"), module);
    };
    for path in uses(root) {
        add("", &path);
    }
    for module in root.iter().filter_map(|line| line.strip_prefix("pub mod ")) {
        let module = module.trim_end_matches(';');
        let file = [format!("{module}.rs"), format!("{module}/mod.rs")]
            .into_iter()
            .find_map(|name| sources.get(Path::new(&name)))
            .unwrap_or_else(|| panic!("no file for the module {module}"));
        let prefix = format!("{module}::");
        for path in uses(file) {
            let path = path.strip_prefix("crate::").map_or(prefix.clone() + &path, str::to_owned);
            add(&prefix, &path);
        }
        for (_, name) in file.iter().filter_map(|line| definition(line)) {
            add(&prefix, &format!("{module}::{name}"));
        }
    }
    items
}

/// The paths that a file re-exports to everybody.
fn uses(lines: &[String]) -> Vec<String> {
    let mut paths = Vec::new();
    let text = lines.join("\n");
    for (at, start) in text.match_indices("pub use ") {
        if at > 0 && text.as_bytes()[at - 1] != b'\n' {
            continue;
        }
        let tree = text[at + start.len()..].split(';').next().unwrap_or_default();
        match tree.split_once('{') {
            None => paths.push(tree.to_owned()),
            Some((prefix, names)) => {
                let names = names.trim_end_matches('}').split(',').map(str::trim);
                paths.extend(names.filter(|name| !name.is_empty()).map(|n| format!("{prefix}{n}")));
            }
        }
    }
    paths
}

/// Kind and name of the public item whose definition begins with this line.
fn definition(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("pub ")?;
    let (kind, rest) = rest.split_once(' ')?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    KINDS.contains(&kind).then_some((kind, &rest[..end]))
}

/// Everything that is listed, in order.
fn describe(
    sources: &BTreeMap<PathBuf, Vec<String>>,
    items: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for (path, module) in items {
        let name = path.rsplit("::").next().unwrap_or(path);
        let definition_in = |file: &'_ Vec<String>| {
            file.iter().position(|line| definition(line).is_some_and(|(_, found)| found == name))
        };
        let find = |of_module: bool| {
            let mut files = sources.iter().filter(|(file, _)| is_of(file, module) == of_module);
            files.find_map(|(_, file)| Some((file, definition_in(file)?)))
        };
        // A module may re-export what a module below it defines.
        let defined = find(true).or_else(|| find(false));
        let (file, at) = defined.unwrap_or_else(|| panic!("no definition of {path}"));
        let (kind, _) = definition(&file[at]).expect("a definition");
        if path.starts_with("plumbing::") {
            lines.insert(format!("{path}: {kind}"));
            continue;
        }
        lines.insert(match kind {
            "fn" | "const" | "type" => format!("{path}: {}", signature(&file[at..])),
            _ => format!("{path}: {kind}"),
        });
        let members = members(&file[at..], kind);
        lines.extend(members.into_iter().map(|member| format!("{path}: {kind}, {member}")));
        for file in sources.values() {
            lines.extend(methods(file, name).into_iter().map(|method| format!("{path}: {method}")));
        }
    }
    lines
}

/// Whether a file belongs to a top-level module.
fn is_of(file: &Path, module: &str) -> bool {
    file.starts_with(module) || file == Path::new(&format!("{module}.rs"))
}

/// Public fields of a struct, variants of an enum, functions and types of a trait.
fn members(lines: &[String], kind: &str) -> Vec<String> {
    let mut found = Vec::new();
    if lines[0].ends_with(';') || lines[0].ends_with('}') {
        return found;
    }
    for (at, line) in lines.iter().enumerate().skip(1).take_while(|(_, line)| *line != "}") {
        let Some(member) = line.strip_prefix("    ").filter(|line| !line.starts_with(' ')) else {
            continue;
        };
        let wanted = match kind {
            "struct" => member.starts_with("pub "),
            "enum" => member.starts_with(|c: char| c.is_uppercase()),
            "trait" => member.starts_with("fn ") || member.starts_with("type "),
            _ => false,
        };
        if wanted {
            found.push(match kind {
                "trait" => signature(&lines[at..]),
                _ => member.trim_end_matches([',', '{', ' ']).to_owned(),
            });
        }
    }
    found
}

/// The public functions and constants of a type's own `impl` blocks in a file.
fn methods(lines: &[String], name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_own = false;
    for (at, line) in lines.iter().enumerate() {
        if let Some(head) = line.strip_prefix("impl") {
            let head = head.split(" for ").next().filter(|_| !head.contains(" for "));
            let subject = head.map(|head| match head.strip_prefix('<') {
                Some(_) => head.split_once("> ").map_or("", |(_, subject)| subject),
                None => head.trim_start(),
            });
            let end =
                |s: &str| s.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(s.len());
            is_own = subject.is_some_and(|subject| &subject[..end(subject)] == name);
        } else if is_own && (line.starts_with("    pub fn ") || line.starts_with("    pub const "))
        {
            found.push(signature(&lines[at..]));
        }
    }
    found
}

/// A declaration in one line, up to its body or value.
fn signature(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let line = line.trim();
        if !text.is_empty() && !text.ends_with('(') && !line.starts_with(')') {
            text.push(' ');
        }
        text += line;
        if line.ends_with('{') || line.ends_with(';') || line.ends_with("{}") || line == "where" {
            break;
        }
    }
    let text = text.trim_end_matches([' ', '{', '}', ';']).trim_end_matches(" where");
    let is_value = text.starts_with("pub const") || text.starts_with("type ");
    let declared = text.split(" = ").next().filter(|_| is_value).unwrap_or(text);
    declared.replace(",)", ")")
}
