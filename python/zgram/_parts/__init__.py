"""Questions about corpora in shards, answered part by part: what Spark and Dask share.

| file | what it does |
|---|---|
| `asked` | options, named as in the program `zgram`, become a question |
| `plan` | the shards of a path, and the parts that can be answered by themselves |
| `answers` | the rows of a part, as Arrow record batches |
| `sums` | adds up rows of parts, in Arrow |
"""
