// One bit for each of the 256 rows of a workgroup, as eight words.
var<workgroup> row_bits: array<atomic<u32>, 8>;

fn set_row_bit(lane: u32, is_set: bool) {
    if lane < 8u {
        atomicStore(&row_bits[lane], 0u);
    }
    workgroupBarrier();
    if is_set {
        atomicOr(&row_bits[lane / 32u], 1u << (lane % 32u));
    }
    workgroupBarrier();
}
