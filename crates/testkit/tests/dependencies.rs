//! Checks the licence and the source of every dependency against `deny.toml`.
//!
//! `cargo deny` checks the same file and more, but compiling it takes longer than all other tests
//! together. This test covers the two checks that need no network, on every run of `./test`.

use serde::Deserialize;
use std::path::Path;
use std::process::Command;

#[derive(Deserialize)]
struct Policy {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    metadata.packages
}

fn allowed_licenses() -> Vec<String> {
    let text = std::fs::read_to_string(workspace().join("deny.toml")).expect("deny.toml exists");
    let policy: Policy = toml::from_str(&text).expect("deny.toml is TOML");
    policy.licenses.allow
}

/// Whether an SPDX expression can be satisfied with `allowed` licences. The old form `MIT/Apache-2.0`
/// means "or".
fn is_satisfied(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace().peekable();
    let satisfied = alternatives(&mut tokens, allowed);
    assert!(tokens.next().is_none(), "cannot read the licence expression {expression:?}");
    satisfied
}

type Tokens<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn alternatives(tokens: &mut Tokens<'_>, allowed: &[String]) -> bool {
    let mut satisfied = conjunction(tokens, allowed);
    while tokens.next_if_eq(&"OR").is_some() {
        satisfied |= conjunction(tokens, allowed);
    }
    satisfied
}

fn conjunction(tokens: &mut Tokens<'_>, allowed: &[String]) -> bool {
    let mut satisfied = license(tokens, allowed);
    while tokens.next_if_eq(&"AND").is_some() {
        satisfied &= license(tokens, allowed);
    }
    satisfied
}

fn license(tokens: &mut Tokens<'_>, allowed: &[String]) -> bool {
    match tokens.next() {
        Some("(") => {
            let satisfied = alternatives(tokens, allowed);
            assert_eq!(tokens.next(), Some(")"), "unbalanced parentheses");
            satisfied
        }
        Some(name) => {
            // An exception only adds permissions, so the licence alone decides.
            if tokens.next_if_eq(&"WITH").is_some() {
                tokens.next().expect("an exception follows WITH");
            }
            allowed.iter().any(|allowed| allowed == name)
        }
        None => false,
    }
}

#[test]
fn every_license_is_allowed() {
    let allowed = allowed_licenses();
    let refused: Vec<String> = packages()
        .iter()
        .filter(|package| {
            !package.license.as_ref().is_some_and(|text| is_satisfied(text, &allowed))
        })
        .map(|package| format!("{} {}: {:?}", package.name, package.version, package.license))
        .collect();
    assert!(refused.is_empty(), "licences that deny.toml does not allow: {refused:#?}");
}

#[test]
fn every_package_is_ours_or_from_the_registry() {
    let strangers: Vec<String> = packages()
        .iter()
        .filter(|package| {
            !package.source.as_ref().is_none_or(|source| source.starts_with("registry+"))
        })
        .map(|package| format!("{} {}: {:?}", package.name, package.version, package.source))
        .collect();
    assert!(strangers.is_empty(), "packages from other sources: {strangers:#?}");
}

#[test]
fn license_expressions_are_read_as_spdx_defines_them() {
    let allowed = ["MIT".to_owned(), "Zlib".to_owned(), "Apache-2.0".to_owned()];
    for good in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(GPL-3.0 OR MIT) AND Zlib",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(is_satisfied(good, &allowed), "{good}");
    }
    for bad in
        ["GPL-3.0", "MIT AND GPL-3.0", "GPL-3.0 OR MIT AND LGPL-2.1", "(MIT OR Zlib) AND GPL-3.0"]
    {
        assert!(!is_satisfied(bad, &allowed), "{bad}");
    }
}
