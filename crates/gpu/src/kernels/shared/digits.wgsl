// How many lanes of a workgroup of 256 have the same digit before a lane: each digit has a mask of 256
// bits in which its lanes set theirs. `next` is where each digit's next key goes; the lane of a
// digit's number moves it on.
var<workgroup> lanes: array<atomic<u32>, 2048>;
var<workgroup> next: array<u32, 256>;

fn forget_lanes(lane: u32) {
    for (var word = 0u; word < 8u; word++) {
        atomicStore(&lanes[lane * 8u + word], 0u);
    }
}

fn set_lane(digit: u32, lane: u32) {
    atomicOr(&lanes[digit * 8u + lane / 32u], 1u << (lane % 32u));
}

// Where the key of a lane goes.
fn place_of(digit: u32, lane: u32) -> u32 {
    let own = lane / 32u;
    let earlier = (1u << (lane % 32u)) - 1u;
    var rank = countOneBits(atomicLoad(&lanes[digit * 8u + own]) & earlier);
    for (var word = 0u; word < own; word++) {
        rank += countOneBits(atomicLoad(&lanes[digit * 8u + word]));
    }
    return next[digit] + rank;
}

fn move_on(digit: u32) {
    var taken = 0u;
    for (var word = 0u; word < 8u; word++) {
        taken += countOneBits(atomicLoad(&lanes[digit * 8u + word]));
    }
    next[digit] += taken;
}
