"""The wrong answers that a lecturer should expect, and what each one reveals."""

from mlm_helpers.checks import check_choice
from mlm_helpers.exercises import draw_exercise
from mlm_helpers.exercises.draw import GENERATORS
from mlm_helpers.exercises.mistakes import MISTAKES

_LOOKED_THROUGH = 20  # variants: all kinds of question and nearly all mistakes are among them


class ExpectedMistakes:
    """See ``expected_mistakes``: a table that shows itself in a notebook."""

    def __init__(self, found):
        self.found = found

    def __repr__(self):
        rows = [f"| {what[0].upper()}{what[1:]} | {wrong.how} | {remedy} |"
                for wrong in self.found for what, remedy in [MISTAKES[wrong.mistake]]]
        return "\n".join(["| It looks as if | for example | Say |", "|:--|:--|:--|", *rows])

    _repr_markdown_ = __repr__


def expected_mistakes(scenario, seed=0):
    """Each usual mistake of a scenario once, with an example of it and what to say.

    Parameters
    ----------
    scenario : {"A", ..., "H"}
        Whose exercises are looked through.
    seed : int
        Which ones.

    Returns
    -------
    ExpectedMistakes

    Raises
    ------
    ValueError
        When there is no such scenario.

    Examples
    --------
    >>> [wrong.mistake for wrong in expected_mistakes("C").found][:4]
    ['log_base', 'sign', 'probability', 'not_exponentiated']
    """
    check_choice("scenario", scenario, tuple(GENERATORS))
    found = {}
    for variant in range(_LOOKED_THROUGH):
        for wrong in draw_exercise(scenario, seed, variant).wrong_answers:
            found.setdefault(wrong.mistake, wrong)
    return ExpectedMistakes(list(found.values()))
