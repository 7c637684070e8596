"""Panels of raters for tests: from published labels, or planted with known competences."""

import json
from typing import Any

import numpy as np
from paths import STATISTICS

from alps_tui.agreement.panel import Panel
from store.kinds import Level


def panel(codes: Any, labels: tuple[str, ...], level: Level = Level.NOMINAL, scores: Any = None) -> Panel:
    """A panel whose units are dialogues of their own."""
    cells = np.array(codes, dtype=np.intp)
    return Panel(
        "field",
        level,
        cells,
        tuple(f"u{i:05}" for i in range(len(cells))),
        np.arange(len(cells)),
        tuple(f"h{r}" for r in range(cells.shape[1])),
        labels,
        tuple(map(float, scores if scores is not None else range(len(labels)))),
    )


def cebab(level: Level = Level.ORDINAL) -> Panel:
    """The stars of ten people on 711 items; one of them answers at random."""
    published = json.loads((STATISTICS / "data" / "alttest_labels.json").read_text())
    human = published["cebab_stars"]["human"]
    items = sorted({item for said in human.values() for item in said})
    codes = np.full((len(items), len(human)), -1)
    for rater, name in enumerate(sorted(human)):
        for item, stars in human[name].items():
            codes[items.index(item), rater] = stars - 1
    return panel(codes, tuple("12345"), level, range(1, 6))


def planted(
    accuracy: tuple[float, ...], n: int, shares: tuple[float, ...] = (0.5, 0.5), seed: int = 1
) -> tuple[Panel, np.ndarray]:
    """Raters right with these probabilities, else evenly wrong; with the truth (n,)."""
    generator = np.random.default_rng(seed)
    k = len(shares)
    truth = generator.choice(k, size=n, p=shares)
    columns = []
    for share in accuracy:
        wrong = (truth + generator.integers(1, k, size=n)) % k
        columns.append(np.where(generator.random(n) < share, truth, wrong))
    return panel(np.stack(columns, axis=1), tuple("abcdefg"[:k])), truth
