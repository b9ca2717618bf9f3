// Counts how often words occur in documents (random-access-gpu section IV-D, *count*): the word's
// places in the document's part of the root, plus, for each of its places in rules, how often the rule
// occurs in the document. One thread per unit; a word with many places has several units.
//
// A unit is eight words: the document, first and end of places in rules, first and end of places in the
// root (only one unit of a word has these), and three words for `read_search` and
// `read_search_offsets`.
//!use grid
//!use shape
//!use uses
//!use lower_place

struct Params { rules: u32, documents: u32, tokens: u32, units: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> units: array<u32>;
@group(0) @binding(2) var<storage, read> shape: array<u32>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read> owners: array<u32>;
@group(0) @binding(5) var<storage, read> tables: array<u32>;
@group(0) @binding(6) var<storage, read_write> counts: array<u32>;

var<private> steps_left: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let unit = thread_of(place, 64u);
    if unit >= params.units {
        return;
    }
    let document = units[8u * unit];
    let begin = units[8u * unit + 3u];
    let end = units[8u * unit + 4u];
    var count = lower_place(begin, end, document_start(document + 1u))
        - lower_place(begin, end, document_start(document));
    for (var at = units[8u * unit + 1u]; at < units[8u * unit + 2u]; at++) {
        count += uses(owners[at], document);
    }
    counts[unit] = count;
}
