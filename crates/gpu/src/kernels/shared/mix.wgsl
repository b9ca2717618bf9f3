// Spreads the bits of a key over the whole word.
fn mix(key: u32) -> u32 {
    var h = key;
    h = (h ^ (h >> 16u)) * 0x7feb352du;
    h = (h ^ (h >> 15u)) * 0x846ca68bu;
    return h ^ (h >> 16u);
}
