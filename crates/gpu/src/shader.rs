//! Puts shared snippets into kernels: a line `//!use NAME` stands for the file `shared/NAME.wgsl`.

/// Snippets by name. A snippet may use others; each goes in once.
const SHARED: &[(&str, &str)] = &[
    ("bytes", include_str!("shared/bytes.wgsl")),
    ("coded", include_str!("shared/coded.wgsl")),
    ("codes", include_str!("shared/codes.wgsl")),
    ("digits", include_str!("shared/digits.wgsl")),
    ("gap", include_str!("access/shared/gap.wgsl")),
    ("grid", include_str!("shared/grid.wgsl")),
    ("heads", include_str!("shared/heads.wgsl")),
    ("items", include_str!("shared/items.wgsl")),
    ("lists", include_str!("shared/lists.wgsl")),
    ("long", include_str!("shared/long.wgsl")),
    ("lower", include_str!("access/shared/lower.wgsl")),
    ("mix", include_str!("shared/mix.wgsl")),
    ("packed", include_str!("shared/packed.wgsl")),
    ("records", include_str!("access/shared/records.wgsl")),
    ("row_bits", include_str!("shared/row_bits.wgsl")),
    ("rows", include_str!("shared/rows.wgsl")),
    ("shape", include_str!("access/shared/shape.wgsl")),
    ("slots", include_str!("shared/slots.wgsl")),
    ("status", include_str!("shared/status.wgsl")),
    ("substrings", include_str!("shared/substrings.wgsl")),
    ("symbols", include_str!("shared/symbols.wgsl")),
    ("table", include_str!("shared/table.wgsl")),
    ("uses", include_str!("access/shared/uses.wgsl")),
    ("walks", include_str!("shared/walks.wgsl")),
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
            Some(name) if used.iter().any(|own| own == name) => {}
            Some(name) => {
                used.push(name.to_owned());
                let snippet = SHARED.iter().find(|(own, _)| *own == name);
                let (_, snippet) = snippet.unwrap_or_else(|| panic!("no snippet {name:?}"));
                put(snippet, text, used);
            }
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
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
}
