// Computes exclusive sums within tiles of 4,096 words, and the sum of each tile. A thread adds up 16
// words; the sums of threads are scanned in two steps of 16, with three barriers.
//!use grid

struct Params { words: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<u32>;
@group(0) @binding(2) var<storage, read_write> tile_sums: array<u32>;

const PER_THREAD = 16u;

var<workgroup> sums: array<u32, 256>;
var<workgroup> row_sums: array<u32, 16>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = workgroup_of(group);
    let first = (tile * 256u + lane) * PER_THREAD;
    let end = min(first + PER_THREAD, params.words);
    var sum = 0u;
    for (var at = first; at < end; at++) {
        sum += data[at];
    }
    sums[lane] = sum;
    workgroupBarrier();
    if lane < 16u {
        var row = 0u;
        for (var at = lane * 16u; at < lane * 16u + 16u; at++) {
            let value = sums[at];
            sums[at] = row;
            row += value;
        }
        row_sums[lane] = row;
    }
    workgroupBarrier();
    if lane == 0u {
        var all = 0u;
        for (var row = 0u; row < 16u; row++) {
            let value = row_sums[row];
            row_sums[row] = all;
            all += value;
        }
        if tile < arrayLength(&tile_sums) {
            tile_sums[tile] = all;
        }
    }
    workgroupBarrier();
    var before = sums[lane] + row_sums[lane / 16u];
    for (var at = first; at < end; at++) {
        let value = data[at];
        data[at] = before;
        before += value;
    }
}
