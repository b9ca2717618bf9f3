// Extracts bytes of documents as they are after some insertions (random-access-gpu section IV-D,
// *extract*). One thread per unit of up to 64 bytes: it finds where a byte comes from, descends the
// grammar by binary searches in the sums, copies a token, and continues. The work of a unit depends on
// the depth of the grammar and on logarithms, not on the size of the corpus.
//
// A unit is five words: document, offset, bytes, first insertion, end of insertions. Its output is
// twenty words: sixteen of text, then the bytes done, the rule and the offset in it where the descent
// stopped, and the steps. A thread stops when its steps are used up; the next dispatch continues from
// there.
//!use grid
//!use shape
//!use records

struct Params {
    rules: u32, documents: u32, tokens: u32, units: u32, insertions: u32, slots: u32, budget: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> units: array<u32>;
@group(0) @binding(2) var<storage, read> shape: array<u32>;
@group(0) @binding(3) var<storage, read> symbols: array<u32>;
@group(0) @binding(4) var<storage, read> sums: array<u32>;
@group(0) @binding(5) var<storage, read> letters: array<u32>;
@group(0) @binding(6) var<storage, read> records: array<u32>;
@group(0) @binding(7) var<storage, read> inserted: array<u32>;
@group(0) @binding(8) var<storage, read_write> out: array<u32>;

const STRIDE = 20u;

var<private> steps_left: u32;

fn put(unit: u32, done: u32, byte: u32) {
    out[STRIDE * unit + done / 4u] |= byte << (8u * (done % 4u));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let unit = thread_of(place, 64u);
    if unit >= params.units {
        return;
    }
    let document = units[5u * unit];
    let offset = units[5u * unit + 1u];
    let bytes = min(units[5u * unit + 2u], 64u);
    let state = STRIDE * unit + 16u;
    var done = out[state];
    steps_left = params.budget;
    while done < bytes && steps_left > 0u {
        steps_left -= 1u;
        let origin =
            origin_of(units[5u * unit + 3u], units[5u * unit + 4u], offset + done, bytes - done);
        if origin.insertion != NONE {
            let begin = text_start(origin.insertion) + origin.offset;
            for (var at = begin; at < begin + origin.run; at++) {
                put(unit, done, (inserted[at / 4u] >> (8u * (at % 4u))) & 255u);
                done += 1u;
            }
            steps_left -= min(steps_left, origin.run);
            continue;
        }
        var rule = out[state + 1u];
        var within = origin.offset;
        var low = document_start(document);
        var high = document_start(document + 1u);
        if rule > 0u {
            within = out[state + 2u];
        }
        var is_down = false;
        while !is_down && steps_left > 0u {
            if rule > 0u {
                low = rule_start(rule);
                high = rule_start(rule + 1u);
            }
            // The last symbol that begins at or before the byte. Not `search`: this one counts its steps.
            let base = sums[low];
            while high - low > 1u {
                steps_left -= min(steps_left, 1u);
                let middle = low + (high - low) / 2u;
                if sums[middle] - base <= within {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            steps_left -= min(steps_left, 1u);
            within -= sums[low] - base;
            let symbol = symbols[low];
            let is_token = symbol < params.tokens;
            var length = 0u;
            if is_token {
                length = token_start(symbol + 1u) - token_start(symbol);
            } else {
                length = rule_length(symbol - params.tokens);
            }
            if within >= length {
                // The implied space after a word.
                put(unit, done, 32u);
                done += 1u;
                is_down = true;
            } else if is_token {
                let begin = token_start(symbol) + within;
                let run = min(origin.run, length - within);
                for (var at = begin; at < begin + run; at++) {
                    put(unit, done, (letters[at / 4u] >> (8u * (at % 4u))) & 255u);
                    done += 1u;
                }
                steps_left -= min(steps_left, run);
                is_down = true;
            } else {
                rule = symbol - params.tokens;
            }
        }
        out[state + 1u] = select(rule, 0u, is_down);
        out[state + 2u] = within;
    }
    out[state] = done;
    out[state + 3u] += params.budget - steps_left;
}
