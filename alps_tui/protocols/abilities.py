"""The abilities that AlpsBench's questions test, by name and in a sentence each. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ability:
    """What an ability is called, and what an answer that shows it does."""

    name: str
    means: str


ABILITIES: dict[str, Ability] = {
    "ability1": Ability(
        "persona grounding",
        "A good answer fits who this person is: it builds on their work, people, past or situation, and invents none.",
    ),
    "ability2": Ability(
        "preference following",
        "A good answer does what this person likes and leaves out what they do not, though the question does not say it.",
    ),
    "ability3": Ability(
        "virtual-reality awareness",
        "A good answer tells play from life: it stays in the agreed role or world, and takes nothing of it for a fact.",
    ),
    "ability4": Ability(
        "constraint following",
        "A good answer keeps a line this person has drawn, and still helps, even where the question pulls across it.",
    ),
    "ability5": Ability(
        "emotional intelligence",
        "A good answer hears how this person feels, ties it to what is known of them, and answers so that it helps.",
    ),
    "ability6": Ability(
        "restraint with memory",
        "A good answer leaves a memory unused where using it would be wrong, intrusive or beside the point.",
    ),
}
"""Ability as the data names it → its name and meaning, in our words."""


def ability_named(ability: str) -> Ability:
    """What is known of an ability; of one that a study names itself, its name alone."""
    return ABILITIES.get(ability, Ability(ability, ""))
