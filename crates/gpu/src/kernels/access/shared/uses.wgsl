// How often a rule occurs in a document: a lookup in the rule's table of documents, which
// `top_down_tables` has filled.
//!use mix
const MOST_PROBES = 256u;

fn uses(rule: u32, document: u32) -> u32 {
    let first = table_start(rule);
    let size = table_start(rule + 1u) - first;
    if size == 0u {
        return 0u;
    }
    var at = select(mix(document), document, size == params.documents) % size;
    for (var probe = 0u; probe < MOST_PROBES; probe++) {
        let key = tables[3u * (first + at)];
        if key == 0u || key == document + 1u {
            return select(0u, tables[3u * (first + at) + 1u], key > 0u);
        }
        steps_left -= min(steps_left, 1u);
        at = select(at + 1u, 0u, at + 1u == size);
    }
    return 0u;
}
