"""The page of the Spark benchmark: answers are compared, and a line is fitted to the runs on some shards."""

import json
import os
import sys
from pathlib import Path

TASKS = ("word-count", "term-vector")
CONTESTANTS = ("text", "gzip", "zgram")
#: The run that the line is checked against.
HELD_BACK = "6"
#: Speedups of the paper's figure 14 over plain text, on ten nodes: averages over six tasks.
FIGURE_14 = {"A, 50 GB": 2.08, "B, 150 GB": 2.12, "C, 300 GB": 2.59}


def line(points):
    """The line through points with the least sum of squares: where it begins, and its slope."""
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return y - slope * x, slope


def megabytes(number):
    return f"{number / 1e6:.1f}" if number < 1e7 else f"{number / 1e6:.0f}"


def check(costs, corpora):
    """Answers to one question must be equal."""
    for corpus in corpora:
        for task in TASKS:
            answers = {who: costs[f"{corpus}|{who}|{task}"]["answer"] for who in CONTESTANTS}
            if len(set(map(tuple, answers.values()))) != 1:
                sys.exit(f"{corpus}, {task}: answers differ: {answers}")


def page(report):
    costs = {cost["name"]: cost for cost in report["results"]}
    check(costs, report["sizes"])
    lines = [
        "# Spark",
        "",
        f"Made by `benchmarks/python/spark_python.py`. {report['machine']}, Spark {report['spark']}, {report['build']}. "
        f"{report['load']:.1f} processes wanted a processor when it began.",
        "",
        "A standalone Master and two Workers with one core each, on one machine. CPU is that of all processes of the cluster and the",
        "driver, from asking to the answer; start-up, and a first run of each question on the sample books, come before. Memory is the",
        "most of all processes, what they share counted once. All answers were equal. Questions come in the order of the tables, so the",
        "first ones also pay for what the JVMs compile. How to read it: `benchmarks/README.md`.",
    ]
    for corpus, sizes in report["sizes"].items():
        lines += ["", f"## {corpus}, {megabytes(sizes['text'])} MB of text", ""]
        lines += ["| task | from | CPU s | × | wall s | memory MB | read MB | shuffle MB |", "|---|---|--:|--:|--:|--:|--:|--:|"]
        for task in TASKS:
            ours = costs[f"{corpus}|zgram|{task}"]["cpu"]
            for who in CONTESTANTS:
                cost = costs[f"{corpus}|{who}|{task}"]
                figures = [f"{cost['cpu']:.1f}", f"{cost['cpu'] / ours:.1f}", f"{cost['wall']:.1f}", megabytes(cost["peak"])]
                figures += [megabytes(sizes[who]), megabytes(cost.get("shuffle", 0))]
                lines.append(f"| {task} | {who} | {' | '.join(figures)} |")
        lines += ["", "× is CPU relative to zgram's. Read is the size of the files that were opened."]
    lines += ["", "## Figure 14 of the paper", "", "Time of TADOC on Spark relative to plain text, on ten nodes of two cores.", ""]
    lines += ["| data set | times faster |", "|---|--:|"]
    lines += [f"| {name} | {times:.2f} |" for name, times in FIGURE_14.items()]
    lines += ["| gzip'd text | 0.86 to 0.99 |", "", "## Shards", "", "The first shards of the first corpus.", ""]
    lines += ["| task | shards | MB of shards | CPU s | line | wall s | shuffle MB |", "|---|--:|--:|--:|--:|--:|--:|"]
    said = []
    for task in TASKS:
        start, slope, predicted, took = fitted(report, task)
        for shards in sorted(report["model"], key=int):
            size, cost = report["model"][shards][1], costs[f"model|{shards}|{task}"]
            mark = " (held back)" if shards == HELD_BACK else ""
            figures = [megabytes(size), f"{cost['cpu']:.1f}", f"{start + slope * size / 1e6:.1f}", f"{cost['wall']:.1f}"]
            lines.append(f"| {task} | {shards}{mark} | {' | '.join(figures)} | {megabytes(cost.get('shuffle', 0))} |")
        said.append(
            f"{task}: {start:.2f} s, and {slope:.3f} s per MB of shards. The run held back took {took:.1f} s, the line says "
            f"{predicted:.1f} s."
        )
    return "\n".join([*lines, "", *said]) + "\n"


def fitted(report, task):
    """Where the line begins, its slope per MB, what it says for the run held back, and what that took."""
    costs = {cost["name"]: cost["cpu"] for cost in report["results"]}
    points = {shards: (sizes[1] / 1e6, costs[f"model|{shards}|{task}"]) for shards, sizes in report["model"].items()}
    start, slope = line([point for shards, point in points.items() if shards != HELD_BACK])
    return start, slope, start + slope * points[HELD_BACK][0], points[HELD_BACK][1]


def machine():
    names = [row.split(":")[1].strip() for row in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in row]
    return f"{names[0] if names else 'unknown processor'}, {os.cpu_count()} cores"


def record(report, folder):
    (folder / "spark.json").write_text(json.dumps(report, indent=2) + "\n")
    (folder / "spark.md").write_text(page(report))
