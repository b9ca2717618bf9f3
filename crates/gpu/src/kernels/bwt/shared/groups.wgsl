// The group of a row, for a kernel that has `heads`: a bit for each row that differs from the row
// before, and one after the last row.
const LARGEST_GROUP = 1024u;
// Words to search in each direction: enough for a group of LARGEST_GROUP rows.
const FAR = LARGEST_GROUP / 32u + 1u;

struct Group { head: u32, size: u32 }

// The head and the size of the group of a row; a size above LARGEST_GROUP means a large group.
fn group_of(row: u32) -> Group {
    var word = row / 32u;
    let least = word - min(word, FAR);
    var bits = heads[word] & (0xffffffffu >> (31u - row % 32u));
    while bits == 0u && word > least {
        word--;
        bits = heads[word];
    }
    let is_large = bits == 0u;
    let head = 32u * word + firstLeadingBit(bits);
    word = (row + 1u) / 32u;
    let most = min(word + FAR, arrayLength(&heads) - 1u);
    bits = heads[word] & (0xffffffffu << ((row + 1u) % 32u));
    while bits == 0u && word < most {
        word++;
        bits = heads[word];
    }
    let size = 32u * word + firstTrailingBit(bits) - head;
    return Group(head, select(size, LARGEST_GROUP + 1u, is_large || bits == 0u));
}
