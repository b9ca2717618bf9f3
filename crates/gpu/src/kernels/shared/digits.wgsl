// Ranks the lanes of a 256-lane workgroup among the lanes that have the same digit. Each digit has a
// 256-bit mask, in which its lanes set their bits. `next` is the place of each digit's next key; the
// lane with the number of the digit advances it.
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

// The place of a lane's key.
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
