"""The losses of several slots, one by one and stacked to one number, drawn on given axes."""

from matplotlib.transforms import offset_copy

from mlm_helpers.colours import GREEN, LABEL_BLUE
from mlm_helpers.figures import FONT_SIZE, LINE_WIDTH, moving_text, prepare
from mlm_helpers.wording import decimal

MOST_SLOTS = 12
NEXT_SENTENCE = "NSP"
_PAIRED_INKS = (LABEL_BLUE, "white")  # neighbours differ in colour and in hatch
_PAIRED_HATCHES = ("", "//")
_FEWEST_PLACES = 4  # so that one or two bars are no walls
_LEAST = 0.1  # nats: the shortest axis has room for this
_MOST_PRECISE = 7  # bars, above which there is no room for four decimals
_NUMBER_HEIGHT, _NUMBER_WIDTH = 24, 100  # pixels that a number and its distance take
_CEILINGS = (0.2, 0.5, 1, 2, 3, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60, 80,
             100, 120, 150, 180)


def _ceiling(highest):
    return next((ceiling for ceiling in _CEILINGS if ceiling >= highest), highest)


def _beside(value, uniform, room):
    """Where a number that takes so much room starts: at its value, or behind the dashed line."""
    return uniform if value < uniform < value + room else value


def _one_decimal(loss):
    """A loss where there is little room: only a true zero is 0.0."""
    return "<0.1" if 0 < loss < 0.05 else decimal(loss, 1)


def _paint(rectangle, index, is_next_sentence):
    rectangle.set_facecolor(GREEN if is_next_sentence else _PAIRED_INKS[index % 2])
    rectangle.set_hatch(".." if is_next_sentence else _PAIRED_HATCHES[index % 2])


class LossBars:
    """A bar per slot, in nats, and one for the next sentence if there is one."""

    def __init__(self, ax):
        self.ax = ax
        n_bars = MOST_SLOTS + 1
        self.rectangles = list(ax.bar(range(n_bars), [0] * n_bars, width=0.7, edgecolor="black",
                                      linewidth=1))
        above = offset_copy(ax.transData, ax.figure, y=3, units="points")
        self.numbers = [moving_text(ax, i, 0, transform=above, ha="center", va="bottom")
                        for i in range(n_bars)]
        (self.uniform,) = ax.plot([-1, n_bars], [0, 0], color="black", linestyle="--",
                                  linewidth=LINE_WIDTH)
        self.title = moving_text(ax, 0, 1.06, transform=ax.transAxes, va="bottom")
        self._names = None

    @property
    def artists(self):
        """All that changes when a loss does."""
        return [*self.rectangles, *self.numbers, self.uniform, self.title]

    def fit(self, names, losses):
        """Name the bars and choose the height of the axis; say whether that changed them."""
        highest = _ceiling(1.25 * max([*losses, _LEAST]))
        if (0, highest) == self.ax.get_ylim() and names == self._names:
            return False
        self._names = names
        self.ax.set_ylim(0, highest)
        self.ax.set_xlim(-0.6, max(len(names), _FEWEST_PLACES) - 0.4)
        self.ax.set_xticks(range(len(names)), names)
        return True

    def move(self, losses, uniform):
        """Set the bars, those of the slots first, and the uniform line of one slot."""
        written = decimal if len(losses) <= _MOST_PRECISE else _one_decimal
        room = _NUMBER_HEIGHT * self.ax.get_ylim()[1] / self.ax.bbox.height
        for index, (bar, number) in enumerate(zip(self.rectangles, self.numbers, strict=True)):
            visible = index < len(losses)
            bar.set_visible(visible)
            number.set_visible(visible)
            if visible:
                bar.set_height(losses[index])
                number.set_text(written(losses[index]))
                number.set_y(_beside(losses[index], uniform, room))
                _paint(bar, index, self._names[index] == NEXT_SENTENCE)
        self.uniform.set_ydata([uniform, uniform])
        where = "" if uniform <= self.ax.get_ylim()[1] else ", above this picture"
        self.title.set_text(f"loss of each slot; dashed: ln V = {decimal(uniform)}{where}")


def plot_loss_bars(ax):
    """Draw the axes of one bar per slot.

    Returns
    -------
    LossBars
        Call ``fit`` first, then ``move``.
    """
    prepare(ax, "")
    ax.set_ylabel("nats", fontsize=FONT_SIZE)
    return LossBars(ax)


class LossStack:
    """The same losses as parts of one bar, whose length is the reduced loss."""

    def __init__(self, ax):
        self.ax = ax
        n_parts = MOST_SLOTS + 1
        self.rectangles = list(ax.barh([0] * n_parts, [0] * n_parts, height=0.8, edgecolor="black",
                                       linewidth=1))
        (self.uniform,) = ax.plot([0, 0], [-0.5, 0.5], color="black", linestyle="--",
                                  linewidth=LINE_WIDTH)
        beside = offset_copy(ax.transData, ax.figure, x=6, units="points")
        self.total = moving_text(ax, 0, 0, transform=beside, va="center")
        self.title = moving_text(ax, 0, 1.14, transform=ax.transAxes, va="bottom")

    @property
    def artists(self):
        """All that changes when a loss does."""
        return [*self.rectangles, self.uniform, self.total, self.title]

    def fit(self, total):
        """Choose the length of the axis; say whether it changed."""
        longest = _ceiling(1.2 * max(total, _LEAST))
        if (0, longest) == self.ax.get_xlim():
            return False
        self.ax.set_xlim(0, longest)
        return True

    def move(self, parts, n_slots, uniform, title):
        """Set the parts, those of the slots first, the uniform line, and the title."""
        start = 0.0
        for index, bar in enumerate(self.rectangles):
            bar.set_visible(index < len(parts))
            if index < len(parts):
                bar.set_x(start)
                bar.set_width(parts[index])
                _paint(bar, index, index >= n_slots)
                start += parts[index]
        self.uniform.set_xdata([uniform, uniform])
        room = _NUMBER_WIDTH * self.ax.get_xlim()[1] / self.ax.bbox.width
        self.total.set_x(_beside(start, uniform, room))
        self.total.set_text(decimal(start))
        where = "" if uniform <= self.ax.get_xlim()[1] else ", right of this picture"
        self.title.set_text(f"{title}; dashed: uniform {decimal(uniform)}{where}")


def plot_loss_stack(ax):
    """Draw the axes of one stacked bar.

    Returns
    -------
    LossStack
        Call ``fit`` first, then ``move``.
    """
    prepare(ax, "")
    ax.set_ylim(-0.5, 0.5)
    ax.set_yticks([])
    ax.set_xlabel("nats", fontsize=FONT_SIZE)
    return LossStack(ax)
