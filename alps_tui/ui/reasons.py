"""The reasons a rater can give for not answering: short lists, the same for every form."""

from alps_tui.ui.screens.pick import Pickable

OTHER = "other"
"""The reason that is asked for in words: what is kept is "other: …"."""

SKIP = (
    Pickable("wrong language", "wrong language", "I do not read this language well enough."),
    Pickable("text broken", "text broken", "Turns are missing, garbled or cut off."),
    Pickable("distressing", "distressing", "I would rather not read this."),
    Pickable("know the person", "know the person", "I recognise who this is."),
    Pickable("no time", "no time now", "Long or hard; I will come back, or somebody else should."),
    Pickable(OTHER, "other", "Say it in your own words."),
)

CANNOT = (
    Pickable("language", "language", "I do not read this part well enough."),
    Pickable("unclear", "unclear", "What it says cannot be made out."),
    Pickable("context missing", "context missing", "What would decide it is not in the dialogue."),
    Pickable("expertise", "expertise", "One has to know the subject."),
    Pickable("question does not fit", "question does not fit", "The question cannot be asked of this."),
    Pickable(OTHER, "other", "Say it in your own words."),
)

FLAG = (
    Pickable("guideline unclear", "guideline unclear", "The guideline does not settle this case."),
    Pickable("private data", "private data", "Somebody can be identified."),
    Pickable(
        "data error", "data error", "The item itself is wrong: wrong dialogue, wrong memory, broken text."
    ),
    Pickable("look at this", "look at this", "Worth discussing."),
    Pickable(OTHER, "other", "Say it in your own words."),
)
