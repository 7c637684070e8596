"""The agreement command, as published: the four tasks of imported double annotations by the authors' formulas."""

from typing import TYPE_CHECKING

from alps_tui.commands.coefficients import cell
from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.render import count, number, out, out_json, out_prose, table
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.agreement.as_published import (
        EveryScript,
        PublishedMemories,
        PublishedQueries,
        PublishedReport,
        PublishedSelections,
        PublishedTask,
        Query,
    )
    from alps_tui.agreement.as_published_metrics import SessionMetric
    from alps_tui.items.final_lists import FinalQuery
    from store.database import Database

HEADERS = ["", "mean", "deviation", "95 % interval"]
IN_EVERY_SCRIPT = "in every script *"
TITLES = {
    "task1": "Task 1, memories extracted",
    "task2": "Task 2, memories updated",
    "task3": "Task 3, the memory selected for a query",
    "task4": "Task 4, queries and the memory that supports them",
}


def run(url: str, as_json: bool) -> None:
    """Print all four tasks, or those there are; exit code 3 if nobody annotated a session beside somebody else."""
    study = open_study(url, read_only=True)
    try:
        report = make_report(study)
    finally:
        study.close()
    if not report.tasks:
        raise Ending(
            f"{url} holds no session that two people annotated elsewhere. Import double annotations first: "
            f"alps import FOLDER --db {url}",
            NOTHING_TO_DO,
        )
    if as_json:
        out_json(report.to_json())
    else:
        print_report(report)


def make_report(study: "Database") -> "PublishedReport":
    """Every task of which some session has both annotators."""
    from alps_tui.agreement.as_published import (
        PublishedReport,
        SessionPair,
        as_published_memories,
        as_published_queries,
        as_published_selections,
    )
    from alps_tui.items.final_lists import published_pairs, published_queries, published_selections

    tasks: dict[str, PublishedTask] = {}
    one_sided = {}
    for task in ("task1", "task2"):
        lists = published_pairs(study, task)
        one_sided[task] = lists.one_sided
        if lists.pairs:
            tasks[task] = as_published_memories(
                [SessionPair(pair.session_id, pair.first, pair.second) for pair in lists.pairs]
            )
    selections = published_selections(study)
    one_sided["task3"] = selections.one_sided
    if selections.pairs:
        tasks["task3"] = as_published_selections(
            [SessionPair(p.session_id, _query(p.first), _query(p.second)) for p in selections.pairs]
        )
    queries = published_queries(study)
    one_sided["task4"] = queries.one_sided
    if queries.pairs:
        tasks["task4"] = as_published_queries(
            [
                SessionPair(p.session_id, [_query(q) for q in p.first], [_query(q) for q in p.second])
                for p in queries.pairs
            ]
        )
    return PublishedReport(tasks, one_sided)


def _query(query: "FinalQuery") -> "Query":
    from alps_tui.agreement.as_published import Query

    return Query(query.id, query.text, query.memory)


def print_report(report: "PublishedReport") -> None:
    """Each task there is, what beside its ROUGE-L must be known, then what is not there."""
    from alps_tui.agreement.as_published import PublishedMemories, PublishedSelections

    out("Imported double annotations, as the AlpsBench authors computed it")
    for name, task in report.tasks.items():
        out()
        if isinstance(task, PublishedMemories):
            _print_memories(TITLES[name], task)
        elif isinstance(task, PublishedSelections):
            _print_selections(TITLES[name], task)
        else:
            _print_queries(TITLES[name], task)
    out()
    out_prose("* the same ROUGE-L over words of any script; the authors' knows a to z and digits only.")
    if {"task1", "task2"} & report.tasks.keys():
        out_prose("F1 compares lists that began as one proposal: two people who change nothing reach 1.000.")
    out("Whether they took the same decision: alps agreement")
    for name in report.absent:
        out_prose(f"{TITLES[name]}: no session of this study has two annotators.")
    for name, sessions in report.one_sided.items():
        if sessions:
            out_prose(f"{TITLES[name]}: {count(len(sessions), 'session')} with one annotator only, left out.")


def _print_memories(title: str, task: "PublishedMemories") -> None:
    out(f"{title} · {count(task.n_sessions, 'session')}, {count(task.matched_pairs, 'matched pair')}")
    _print_metrics(
        ("memory set F1", task.memory_set_f1),
        ("ROUGE-L of matched memories", task.matched_memory_rouge_l),
        (IN_EVERY_SCRIPT, task.every_script.likeness),
        ("difference in number", task.memory_count_diff),
    )
    _print_identical(task.every_script)
    confidence = [task.pearson, task.spearman, task.kendall_tau, task.mean_absolute_error]
    names = ["Pearson", "Spearman", "Kendall tau", "mean absolute error"]
    out_prose(
        f"  confidence of {count(task.confidence_pairs, 'matched pair')}: "
        + ", ".join(f"{name} {cell(c)}" for name, c in zip(names, confidence, strict=True))
    )
    out("  kappa on matched pairs: " + ", ".join(f"{k} {cell(c)}" for k, c in task.attribute_kappa.items()))


def _print_selections(title: str, task: "PublishedSelections") -> None:
    out(f"{title} · {count(task.n_sessions, 'session')}")
    _print_metrics(
        ("same query and same memory", task.query_memory_pair_f1),
        ("same memory", task.selected_memory_agreement),
        ("ROUGE-L of the memories", task.selected_memory_rouge_l),
        (IN_EVERY_SCRIPT, task.every_script.likeness),
    )
    _print_identical(task.every_script)


def _print_queries(title: str, task: "PublishedQueries") -> None:
    sizes = f"{count(task.n_sessions, 'session')}, {count(task.matched_query_pairs, 'query', 'queries')}"
    out(f"{title} · {sizes}")
    _print_metrics(
        ("query F1", task.query_f1),
        ("ROUGE-L of the queries", task.query_rouge_l),
        (IN_EVERY_SCRIPT, task.every_script.likeness),
        ("same supporting memory", task.supporting_memory_f1),
    )
    _print_identical(task.every_script)


def _print_metrics(*rows: "tuple[str, SessionMetric]") -> None:
    cells = [[name, number(m.mean), number(m.std), _bounds(m)] for name, m in rows]
    out(table(HEADERS, cells))


def _bounds(metric: "SessionMetric") -> str:
    return "-" if metric.low is None else f"{number(metric.low)} to {number(metric.high)}"


def _print_identical(texts: "EveryScript") -> None:
    blind = f"{texts.n_scored_0:,}" if texts.n_scored_0 else "none"
    out_prose(
        f"  {texts.n_identical:,} of {count(texts.n_pairs, 'pair')} are the same text; "
        f"the authors' ROUGE-L scores {blind} of these 0."
    )
