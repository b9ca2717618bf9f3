#!/usr/bin/env python3
"""The six tasks in SQL, with DuckDB."""

import duckdb

from corpus import files, run

WORDS = r"regexp_extract_all(content, '[\p{L}\p{N}\p{M}]+')"
THREE = "list_transform(generate_series(1, len(words) - 2), lambda i: words[i] || ' ' || words[i+1] || ' ' || words[i+2])"

TASKS = {
    "word-count": "SELECT term, count(*) AS n FROM terms GROUP BY term ORDER BY n DESC, term",
    "sort": "SELECT term, count(*) AS n FROM terms GROUP BY term ORDER BY term",
    "inverted-index": "SELECT term, count(*) AS n, document FROM terms GROUP BY ALL ORDER BY term",
    "term-vector": "SELECT term, count(*) AS n, document FROM terms GROUP BY ALL ORDER BY document, n DESC",
    "sequence-count": "SELECT term, count(*) AS n, document FROM terms GROUP BY ALL ORDER BY document, n DESC",
    "ranked-inverted-index": "SELECT term, count(*) AS n, document FROM terms GROUP BY ALL ORDER BY term, n DESC",
}


def answer(task, folder, output, threads):
    connection = duckdb.connect(config={"threads": threads})
    connection.execute("SET preserve_insertion_order = false")
    paths = [path for _, path in files(folder)]
    terms = THREE if "sequence" in task or "ranked" in task else "words"
    connection.execute(
        f"""COPY (
            WITH documents AS (SELECT filename AS document, {WORDS} AS words FROM read_text($paths)),
                 terms AS (SELECT document, unnest({terms}) AS term FROM documents)
            {TASKS[task]}
        ) TO '{output}' (FORMAT csv, DELIMITER '\t', HEADER false, QUOTE '')""",
        {"paths": paths},
    )


run(duckdb.__version__, answer)
