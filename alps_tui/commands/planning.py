"""What a study needs before it begins: dialogues and raters for a half-width of alpha."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import CHECK_FAILED, Ending
from alps_tui.commands.render import number, out, out_json, out_prose, table

if TYPE_CHECKING:
    from alps_tui.agreement.planning import Choice, Plan, Studies
    from alps_tui.commands.panel_fields import FieldPanel


@dataclass(frozen=True, slots=True)
class Wish:
    """What `alps plan` was asked; `pilot` is a field of the study, of `form` where several
    ask it, whose own answers give the model."""

    half_width: float
    raters: str
    level: str
    alpha: float
    shares: str
    per_dialogue: int
    icc: float
    pilot: str | None
    form: str | None
    seed: int


def run(url: str, purpose: str, wish: Wish, as_json: bool) -> int:
    """Print the plan; exit code 1 if no number of raters reaches the half-width."""
    from alps_tui.agreement.planning import plan_for_alpha, studies_from

    if purpose != "alpha":
        raise Ending(f"There is no plan for {purpose}. Say: --for alpha")
    try:
        raters = tuple(dict.fromkeys(int(part) for part in wish.raters.split(",")))
    except ValueError:
        raise Ending(f"--raters takes numbers with commas between (2,3,5), not {wish.raters}.") from None
    if max(raters) > 100:
        raise Ending("--raters: more than 100 raters on every unit is no plan.")
    try:
        studies = _stated(wish)
        said: tuple[str, ...] = ()
        if wish.pilot is not None:
            pilot = _pilot(url, wish.pilot, wish.form)
            studies, said = studies_from(pilot.people, seed=wish.seed)
        plan = plan_for_alpha(studies, wish.half_width, raters, said=said, seed=wish.seed)
    except ValueError as problem:
        raise Ending(str(problem)) from problem
    if as_json:
        out_json(plan.to_json())
    else:
        _print(plan)
    return 0 if plan.cheapest is not None else CHECK_FAILED


def _pilot(url: str, field: str, form: str | None) -> "FieldPanel":
    """The one field that is meant.

    raises   Ending if several forms ask it, or all of its answers were prefilled
    """
    from alps_tui.commands.panel_fields import OfFile, fields_of

    found = list(fields_of(url, field, OfFile(form=form)))
    if len(found) > 1:
        forms = ", ".join(one.form for one in found)
        raise Ending(f"Several forms ask {field} ({forms}). Say which: --protocol {found[0].form}")
    (pilot,) = found
    if not pilot.people.units:
        raise Ending(
            f"{pilot.title}: all its answers are prefilled, and nobody is known to have looked: no plan stands on them."
        )
    return pilot


def _stated(wish: Wish) -> "Studies":
    from alps_tui.agreement.planning import Studies
    from store.kinds import Level

    if wish.level not in set(Level):
        raise Ending(f"There is no level {wish.level}. Say one of: {', '.join(Level)}.")
    try:
        parts = [float(part) for part in wish.shares.split(",")]
    except ValueError:
        raise Ending(
            f"--shares takes numbers with commas between (20,20,20,20,20), not {wish.shares}."
        ) from None
    whole = sum(parts)
    if not whole > 0:
        raise Ending("--shares: together they are more than 0.")
    scores = tuple(float(place) for place in range(1, len(parts) + 1))
    shares = tuple(part / whole for part in parts)
    return Studies(Level(wish.level), shares, scores, wish.alpha, wish.per_dialogue, wish.icc)


def _print(plan: "Plan") -> None:
    out(f"For alpha within {number(plan.target)} on each side (95 %)")
    rows = [
        [str(one.raters), *(["out of reach", "-", "-", "-"] if one.dialogues is None else _cells(one))]
        for one in plan.choices
    ]
    out(table(["raters", "dialogues", "units", "ratings", "half-width"], rows))
    cheapest = plan.cheapest
    if cheapest is not None and cheapest.dialogues is not None:
        out_prose(
            f"  Fewest ratings: {cheapest.raters} raters on {cheapest.units:,} units of "
            f"{cheapest.dialogues:,} dialogues."
        )
    else:
        out_prose(
            "  Out of reach of 20,000 dialogues: ask for a wider interval, or a clearer guideline first."
        )
    for said in plan.assumes:
        out_prose(f"  assumes: {said}")
    out_prose(
        f"  from {plan.simulated:,} simulated studies of each size, seed {plan.seed}; a half-width found so is right to "
        f"about {100 / (2 * plan.simulated) ** 0.5:.0f} %"
    )


def _cells(one: "Choice") -> list[str]:
    return [f"{one.dialogues:,}", f"{one.units:,}", f"{one.ratings:,}", number(one.half_width)]
