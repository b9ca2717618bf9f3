//! Inserts shared snippets into kernels: a line `//!use NAME` becomes the text of `shared/NAME.wgsl`.
//!
//! WGSL has no generic functions. The one snippet that needs them, `search`, has parameters: the line
//! `//!use search(node_of, node_start)` inserts a function `node_of` that calls `node_start`.

/// Parameters of the snippet `search`.
const SEARCH: [&str; 2] = ["SEARCH", "START_OF"];

/// Snippets by name. A snippet may use others; each is inserted once.
const SHARED: &[(&str, &str)] = &[
    ("bytes", include_str!("kernels/bwt/shared/bytes.wgsl")),
    ("coded", include_str!("kernels/bwt/shared/coded.wgsl")),
    ("codes", include_str!("kernels/bwt/shared/codes.wgsl")),
    ("digits", include_str!("kernels/shared/digits.wgsl")),
    ("gap", include_str!("kernels/access/shared/gap.wgsl")),
    ("grid", include_str!("kernels/shared/grid.wgsl")),
    ("groups", include_str!("kernels/bwt/shared/groups.wgsl")),
    ("halves", include_str!("kernels/shared/halves.wgsl")),
    ("items", include_str!("kernels/count/shared/items.wgsl")),
    ("lists", include_str!("kernels/bwt/shared/lists.wgsl")),
    ("long", include_str!("kernels/shared/long.wgsl")),
    ("lower_place", include_str!("kernels/access/shared/lower_place.wgsl")),
    ("mix", include_str!("kernels/shared/mix.wgsl")),
    ("nodes", include_str!("kernels/shared/nodes.wgsl")),
    ("packed_symbols", include_str!("kernels/shared/packed_symbols.wgsl")),
    ("records", include_str!("kernels/access/shared/records.wgsl")),
    ("row_bits", include_str!("kernels/bwt/shared/row_bits.wgsl")),
    ("search", include_str!("kernels/shared/search.wgsl")),
    ("shape", include_str!("kernels/access/shared/shape.wgsl")),
    ("slots", include_str!("kernels/count/shared/slots.wgsl")),
    ("status", include_str!("kernels/count/shared/status.wgsl")),
    ("substrings", include_str!("kernels/bwt/shared/substrings.wgsl")),
    ("table", include_str!("kernels/count/shared/table.wgsl")),
    ("uses", include_str!("kernels/access/shared/uses.wgsl")),
    ("walks", include_str!("kernels/bwt/shared/walks.wgsl")),
];

const USE: &str = "//!use ";

/// The text of a kernel with its snippets.
pub(crate) fn resolve(source: &str) -> String {
    let mut text = String::new();
    let mut used = Vec::new();
    put(source, &mut text, &mut used);
    text
}

fn put(source: &str, text: &mut String, used: &mut Vec<String>) {
    for line in source.lines() {
        match line.strip_prefix(USE).map(str::trim) {
            Some(import) if used.iter().any(|own| own == import) => {}
            Some(import) => {
                used.push(import.to_owned());
                put(&snippet(import), text, used);
            }
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
}

/// The text of an imported snippet, with its arguments.
fn snippet(import: &str) -> String {
    let (name, arguments) = match import.strip_suffix(')').and_then(|import| import.split_once('('))
    {
        Some((name, arguments)) => (name, arguments.split(", ").collect()),
        None => (import, Vec::new()),
    };
    let found = SHARED.iter().find(|(own, _)| *own == name);
    let (_, source) = found.unwrap_or_else(|| panic!("no snippet {name:?}"));
    let parameters: &[&str] = if name == "search" { &SEARCH } else { &[] };
    assert_eq!(parameters.len(), arguments.len(), "arguments of {import:?}");
    let replace =
        |text: String, (parameter, argument): (&&str, &str)| text.replace(*parameter, argument);
    parameters.iter().zip(arguments).fold((*source).to_owned(), replace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_goes_in_once() {
        let text = resolve("//!use grid\n//!use grid\nfn own() {}");
        assert_eq!(text.matches("fn thread_of(").count(), 1);
        assert!(text.ends_with("fn own() {}\n"));
    }

    #[test]
    fn a_search_goes_in_once_for_each_name() {
        let text = resolve("//!use search(row_of, row_start)\n//!use search(unit_of, unit_start)");
        assert!(text.contains("fn row_of(") && text.contains("if row_start(middle) <= position"));
        assert!(text.contains("fn unit_of(") && text.contains("if unit_start(middle) <= position"));
    }
}
