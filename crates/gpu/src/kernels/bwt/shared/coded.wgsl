// Coded symbols: bits, the first in the highest bit of a word, with a zero word at the end; and tables
// as `kernels/bwt/coded.rs` lays them out: for each length the limit, the first code and the number of
// shorter codes, then the symbols.
const LONGEST = 20u;

struct Found { symbol: u32, length: u32 }

// The next LONGEST bits.
fn bits_ahead(at: u32) -> u32 {
    let word = at / 32u;
    let shift = at % 32u;
    var high = coded[word] << shift;
    if shift > 0u {
        high |= coded[word + 1u] >> (32u - shift);
    }
    return high >> (32u - LONGEST);
}

// The symbol whose code begins at a bit, and the length of the code; 0 if there is none.
fn find_code(table: u32, at: u32) -> Found {
    let ahead = bits_ahead(at);
    let start = table * params.table_words;
    for (var length = 1u; length <= LONGEST; length++) {
        let row = start + 3u * (length - 1u);
        if ahead < tables[row] {
            let code = ahead >> (LONGEST - length);
            if code < tables[row + 1u] {
                return Found(0u, 0u);
            }
            let rank = code - tables[row + 1u] + tables[row + 2u];
            if rank >= tables[start + 60u] {
                return Found(0u, 0u);
            }
            return Found(tables[start + 61u + rank], length);
        }
    }
    return Found(0u, 0u);
}
