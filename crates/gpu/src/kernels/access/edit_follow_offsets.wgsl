// Computes the offsets of bytes after later insertions. One thread per question: the number of
// insertions for which the offset is known, the number for which it is asked, and the offset.
//!use grid
//!use records

struct Params { insertions: u32, slots: u32, questions: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> questions: array<u32>;
@group(0) @binding(2) var<storage, read> records: array<u32>;
@group(0) @binding(3) var<storage, read_write> offsets: array<u32>;

var<private> steps_left: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let question = thread_of(place, 64u);
    if question >= params.questions {
        return;
    }
    let known = questions[3u * question];
    let asked = questions[3u * question + 1u];
    offsets[question] = moved_to(known, asked, questions[3u * question + 2u]);
}
