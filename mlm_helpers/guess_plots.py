"""A room's guesses beside the truth, drawn on axes that are given."""

from mlm_helpers.colours import LABEL_BLUE, OTHER_GREY
from mlm_helpers.figures import FONT_SIZE, LINE_WIDTH, prepare
from mlm_helpers.wording import count

_ROOM = 0.15  # of the range, left free on either side


def plot_guesses(ax, title, guesses, truth, truth_text):
    """Draw each guess as a numbered dot on one line, and the truth as a dashed line across it.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    title : str
        What was asked, with the unit.
    guesses : sequence of float
        At least one.
    truth : float
        What comes out.
    truth_text : str
        The truth as a reader sees it.

    Returns
    -------
    list of Artist
        The dots and the line.
    """
    prepare(ax, title)
    numbers = range(1, len(guesses) + 1)
    dots = ax.scatter(guesses, numbers, s=110, color=LABEL_BLUE, edgecolor="black", zorder=3)
    line = ax.axvline(truth, color="black", linestyle="--", linewidth=LINE_WIDTH)
    least, most = min(*guesses, truth), max(*guesses, truth)
    room = _ROOM * (most - least) or max(abs(truth) * _ROOM, 0.1)
    ax.set_xlim(least - room, most + room)
    ax.set_ylim(len(guesses) + 0.7, 0.3)
    ax.set_yticks(numbers, [f"guess {number}" for number in numbers])
    ax.ticklabel_format(axis="x", style="plain", useOffset=False)
    ax.set_xlabel(f"dashed: {truth_text}", fontsize=FONT_SIZE, parse_math=False)
    return [dots, line]


def plot_hands(ax, title, choices, hands, right):
    """Draw the show of hands as bars; the right choice is blue and marked in words.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    title : str
        What was asked.
    choices : sequence of str
        What there was to choose from.
    hands : sequence of int
        How many chose each.
    right : str
        The right choice.

    Returns
    -------
    BarContainer
    """
    prepare(ax, title)
    places = range(len(choices))
    colours = [LABEL_BLUE if choice == right else OTHER_GREY for choice in choices]
    bars = ax.barh(places, hands, color=colours, edgecolor="black", height=0.6)
    ax.bar_label(bars, [count(number, "hand") for number in hands], fontsize=FONT_SIZE, padding=4)
    names = [f"{choice} (right)" if choice == right else choice for choice in choices]
    ax.set_yticks(places, names)
    ax.set_ylim(len(choices) - 0.4, -0.6)
    ax.set_xlim(0, 1.3 * max(1, *hands))
    ax.set_xticks([])
    return bars
