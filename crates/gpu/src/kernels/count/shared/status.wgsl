// Failures, as bits of the first word of `status`. The next two words are a 64-bit sum.
const COUNT_TOO_LARGE = 1u;
const TABLE_TOO_SMALL = 2u;
