// What is kept of a row's words: for a kernel that has `params` with `rows` and `n`, and
// `edge_starts`.
struct Edge {
    start: u32,
    // Words at the start: all, if the row is short.
    head: u32,
    // How far after the first words the last ones start: 0 if the row is short.
    tail: u32,
    is_long: bool,
}

fn edge_of(row: u32) -> Edge {
    if row >= params.rows {
        return Edge(0u, 0u, 0u, false);
    }
    let start = edge_starts[row];
    let size = edge_starts[row + 1u] - start;
    let span = params.n - 1u;
    if size > 2u * span {
        return Edge(start, span, span, true);
    }
    return Edge(start, size, 0u, false);
}
