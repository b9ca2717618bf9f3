// The parts of `shape`, one after the other. `params` has the numbers of rules, documents and tokens.
fn rule_start(rule: u32) -> u32 {
    return shape[rule];
}

fn document_start(document: u32) -> u32 {
    return shape[params.rules + 1u + document];
}

fn rule_length(rule: u32) -> u32 {
    return shape[params.rules + params.documents + 2u + rule];
}

fn token_start(token: u32) -> u32 {
    return shape[2u * params.rules + params.documents + 2u + token];
}

fn place_start(symbol: u32) -> u32 {
    return shape[2u * params.rules + params.documents + params.tokens + 3u + symbol];
}

// The end of a symbol's places in the root, where its places in rules begin.
fn root_end(symbol: u32) -> u32 {
    return shape[3u * params.rules + params.documents + 2u * params.tokens + 4u + symbol];
}

fn table_start(rule: u32) -> u32 {
    return shape[4u * params.rules + params.documents + 3u * params.tokens + 5u + rule];
}
