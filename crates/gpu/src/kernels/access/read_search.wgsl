// Finds where words occur in documents (random-access-gpu section IV-D, *search*). One thread per
// match. The number of a match within its unit determines which of the word's places it belongs to, and
// which occurrence: in a rule that occurs several times in the document it is the n-th one. The same
// question is then asked about the places of that rule, and so on up to the root. The offsets along the
// way add up.
//
//     root     … R … R …
//     rule R   a S b S
//     rule S   the WORD
//
// Match 3, counted from 0: the word has one place, in S, which occurs four times, so this is occurrence
// 3 of S. S has two places in R, which occurs twice, so this is the second place, in occurrence 1 of R.
// R has two places in the root, and this is the second.
//
// A match is four words: its offset, the rule reached plus one (0: not begun, DONE: finished), its
// number among the occurrences of the rule, and the place at which the search stopped. A thread stops
// when its steps are used up, but not before it has left the unit; the next dispatch continues from
// there.
//!use grid
//!use shape
//!use uses
//!use lower_place
//!use search(unit_of, unit_start)

struct Params {
    rules: u32, documents: u32, tokens: u32, units: u32, matches: u32, budget: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> units: array<u32>;
@group(0) @binding(2) var<storage, read> shape: array<u32>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read> owners: array<u32>;
@group(0) @binding(5) var<storage, read> tables: array<u32>;
@group(0) @binding(6) var<storage, read> sums: array<u32>;
// The number of matches before each unit, then the total.
@group(0) @binding(7) var<storage, read> unit_starts: array<u32>;
@group(0) @binding(8) var<storage, read_write> matches: array<u32>;

const DONE = 0xffffffffu;

var<private> steps_left: u32;

fn unit_start(unit: u32) -> u32 {
    return unit_starts[unit];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let found = thread_of(place, 64u);
    if found >= params.matches || found >= unit_starts[params.units]
        || matches[4u * found + 1u] == DONE {
        return;
    }
    steps_left = params.budget;
    let unit = unit_of(0u, params.units, found);
    let document = units[8u * unit];
    let first = document_start(document);
    let next = document_start(document + 1u);
    var offset = matches[4u * found];
    var rule = matches[4u * found + 1u];
    var number = matches[4u * found + 2u];
    var at = matches[4u * found + 3u];
    var end = units[8u * unit + 2u];
    var root = units[8u * unit + 3u];
    var root_after = units[8u * unit + 4u];
    // Whether the places in the root have not been searched yet.
    var is_new = false;
    if rule == 0u {
        number = found - unit_starts[unit];
        at = units[8u * unit + 1u];
        is_new = true;
    }
    loop {
        if !is_new && rule > 0u {
            let symbol = params.tokens + rule - 1u;
            end = place_start(symbol + 1u);
            root = place_start(symbol);
            root_after = root_end(symbol);
            is_new = at < root_after;
        }
        if is_new {
            let begin = lower_place(root, root_after, first);
            let count = lower_place(begin, root_after, next) - begin;
            steps_left -= min(steps_left, 64u);
            if number < count {
                offset += sums[places[begin + number]] - sums[first];
                rule = DONE;
                break;
            }
            number -= count;
            if rule > 0u {
                at = root_after;
            }
            is_new = false;
        }
        var is_up = false;
        while !is_up && at < end && (steps_left > 0u || rule == 0u) {
            steps_left -= min(steps_left, 1u);
            let owner = owners[at];
            let count = uses(owner, document);
            if number < count {
                offset += sums[places[at]] - sums[rule_start(owner)];
                rule = owner + 1u;
                at = place_start(params.tokens + owner);
                is_up = true;
            } else {
                number -= count;
                at += 1u;
            }
        }
        if !is_up && at >= end {
            // The places have fewer occurrences than were counted: tables and grammar do not agree.
            offset = DONE;
            rule = DONE;
        }
        if !is_up || steps_left == 0u {
            break;
        }
    }
    matches[4u * found] = offset;
    matches[4u * found + 1u] = rule;
    matches[4u * found + 2u] = number;
    matches[4u * found + 3u] = at;
}
