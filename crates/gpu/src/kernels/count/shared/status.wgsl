// What went wrong, in the first word of `status`; the next two are a sum of 64 bits.
const COUNT_TOO_LARGE = 1u;
const TABLE_TOO_SMALL = 2u;
