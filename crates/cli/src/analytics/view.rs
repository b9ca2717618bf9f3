//! Turns flags into a view of the words.

use crate::args::tasks::ViewArgs;
use crate::complaint::Refusal;
use anyhow::Context;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use zgram::analytics::{Case, Digits, Language, Pattern, View};

pub(crate) fn view(args: &ViewArgs) -> anyhow::Result<View> {
    let mut stop_words = HashSet::new();
    for list in &args.stop {
        stop_words.extend(stop_list(list)?);
    }
    Ok(View {
        pattern: if args.sklearn { Pattern::Sklearn } else { Pattern::Words },
        normalize: args.normalize.map(Into::into),
        case: match (args.lower, args.fold) {
            (true, _) => Case::Lower,
            (_, true) => Case::Fold,
            _ => Case::Keep,
        },
        min_len: args.min_len,
        digits: match (args.no_digits, args.only_digits) {
            (true, _) => Digits::Drop,
            (_, true) => Digits::Only,
            _ => Digits::Keep,
        },
        matching: args.matching.clone(),
        not_matching: args.no_match.clone(),
        stop_words: Arc::new(stop_words),
        stop_language: None,
        stem: args.stem,
    })
}

/// The stop words of a language, or of a file.
fn stop_list(name: &str) -> anyhow::Result<HashSet<String>> {
    if let Ok(language) = name.parse::<Language>() {
        return language.stop_words().map_err(|error| {
            Refusal::error(error.to_string(), "name a file with one word per line instead").into()
        });
    }
    if !Path::new(name).exists() {
        let languages: Vec<&str> = Language::all().map(Language::name).collect();
        let hint = format!("languages are {}", languages.join(", "));
        let message = format!("{name} is neither a language with stop words nor a file");
        return Err(Refusal::error(message, hint).into());
    }
    let text = std::fs::read_to_string(name).with_context(|| format!("cannot read {name}"))?;
    Ok(text.lines().map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect())
}
