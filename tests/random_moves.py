"""Random moves through an explorer, sent as a browser sends them, and what they leave behind.

Run by hand, this does what ``test_stress`` does but with more moves, and prints what it measured:
``python tests/random_moves.py`` goes through all explorers with 2 000 moves each,
``python tests/random_moves.py slots 500`` through one. Every explorer has a process of its own, so
that no other's memory is counted.
"""

import functools
import gc
import json
import random
import subprocess
import sys
import time

import comm
import ipywidgets as widgets
import psutil
from matplotlib.figure import Figure

from mlm_helpers.controls import NumberSlider
from mlm_helpers.examples import KEEP_UNCHANGED, RANDOM_SWAP, STANDARD_MASK
from mlm_helpers.explorers import (
    explore_corpus,
    explore_empty_mask,
    explore_limits,
    explore_masking,
    explore_slots,
    explore_softmax,
    explore_surprisal,
    explore_total,
)
from mlm_helpers.explorers.slot_controls import SlotControls
from mlm_helpers.split_controls import SplitSliders
from mlm_helpers.uploads import TextUpload
from test_corpus_explorer import check as check_corpus
from test_empty_mask_explorer import check as check_empty_mask
from test_explorers import check_masking, check_softmax, check_surprisal, notice, within
from test_limits_explorer import check as check_limits
from test_slots_explorer import check as check_slots
from test_total_explorer import check as check_total
from test_uploads import announce, send
from test_wording import HOSTILE

EXPLORERS = {  # how each is made, and what holds all that it shows against numbers worked out there
    "surprisal": (explore_surprisal, check_surprisal),
    "masking": (explore_masking, check_masking),
    "softmax A": (lambda: explore_softmax(STANDARD_MASK), check_softmax),
    "softmax B": (lambda: explore_softmax(RANDOM_SWAP), check_softmax),
    "softmax C": (lambda: explore_softmax(KEEP_UNCHANGED), check_softmax),
    "empty mask": (explore_empty_mask, check_empty_mask),
    "limits": (explore_limits, check_limits),
    "slots": (explore_slots, check_slots),
    "corpus": (explore_corpus, check_corpus),
    "total": (explore_total, check_total),
}
WARM_UP = 200  # moves, after which nothing may grow any more
WHOLE = (SlotControls, SplitSliders, NumberSlider, widgets.Dropdown, widgets.Textarea,
         widgets.BoundedIntText)
WORDS = ["the", "cat", "sat", "on", "mat", *(word for word in HOSTILE if word.strip())]
SPLITS = {"80/10/10": None, "0/100/0": None, "60 20 20": None, "80/20/20": "adds up to 120",
          "a/b/c": "The split stands", "": "The split stands"}
FILES = {b"a cat sat": None, "Gr\u00fc\u00dfe".encode("latin-1"): "is not UTF-8", b"": "is empty"}
TOO_LARGE = b"x" * 1_000_001, "big.txt"
MOVED, UNCLEAR = None, ""  # what a move may be refused with: nothing; what was said before


# One move


def moves(explorer):
    """Each part that a reader has in hand, as a function that moves it at random.

    A move returns what the notice has to say then: a part of the refusal's words, None where
    nothing is to be refused, or "" where the notice stands as it was.
    """
    for slider in within(explorer, NumberSlider):
        yield functools.partial(_drag, slider)
        yield functools.partial(_press, slider)
        yield functools.partial(_type, slider)
    for kind, move in ((widgets.Dropdown, _choose), (widgets.Button, _click),
                       (widgets.Textarea, _write), (widgets.BoundedIntText, _turn),
                       (SplitSliders, _type_split), (TextUpload, _upload)):
        yield from (functools.partial(move, part) for part in within(explorer, kind)
                    if not isinstance(part, widgets.FileUpload))


def _drag(slider, rng):
    slider.slider.set_state({"value": rng.randint(0, slider.slider.max)})


def _press(slider, rng):
    tick = slider.slider.value + rng.choice((-1, 1))
    slider.slider.set_state({"value": min(slider.slider.max, max(0, tick))})


def _type(slider, rng):
    within_range = rng.random() < 0.8
    number = (rng.uniform(slider.minimum, slider.maximum) if within_range
              else rng.choice((-1e9, -11, 1e15)))
    slider.box.set_state({"value": round(number) if slider.whole else number})
    return MOVED if within_range else f"is not possible for “{slider.name}”"


def _choose(dropdown, rng):
    dropdown.set_state({"index": rng.randrange(len(dropdown.options))})


def _click(button, rng):
    button.click()


def _write(area, rng):
    area.set_state({"value": " ".join(rng.choices(WORDS, k=rng.choice((0, 1, 20, 300))))})


def _turn(page, rng):
    page.set_state({"value": rng.randint(page.min, page.max)})
    return UNCLEAR


def _type_split(split, rng):
    text = rng.choice([*SPLITS])
    unchanged = text == split.text.value
    split.text.set_state({"value": text})
    return UNCLEAR if unchanged else SPLITS[text]


def _upload(upload, rng):
    if rng.random() < 0.3:
        announce(upload, *TOO_LARGE)
        return "big.txt has 1,000,001 bytes"
    content = rng.choice([*FILES])
    send(upload, content)
    return FILES[content]


# Many moves


def settings(explorer):
    """The controls that hold its whole state, those made of several sliders as one."""
    found = []

    def collect(widget):
        if isinstance(widget, WHOLE):
            found.append(widget)
        else:
            for child in getattr(widget, "children", ()):
                collect(child)

    collect(explorer)
    return found


def values(explorer):
    return [getattr(control, "index", control.value) for control in settings(explorer)]


class Walk:
    """An explorer, and the random moves made with it; the seed gives them again.

    Its upload button is a second one from the start: the one before lives on beside each.
    """

    def __init__(self, make, seed):
        self.make, self.explorer = make, make()
        self._rng = random.Random(seed)
        for upload in within(self.explorer, TextUpload):
            announce(upload, *TOO_LARGE)
            self.explorer.refresh()

    def go(self, n_moves):
        for _ in range(n_moves):
            self.step()

    def step(self):
        """Move something, and look whether the notice says what it has to say of that."""
        explorer = self.explorer
        before = values(explorer), notice(explorer), explorer.figure.widget.value
        move = self._rng.choice([*moves(explorer)])
        refusal = move(self._rng)
        told, moved = notice(explorer), values(explorer) != before[0]
        if misfit := misfit_refusal(explorer):
            refusal = refusal or misfit
        elif refusal is None and not moved:
            refusal = UNCLEAR
        fits = {UNCLEAR: told in ("", before[1]), MOVED: told == ""}.get(refusal)
        if not (refusal in told if fits is None else fits):
            raise AssertionError(f"after {move} the notice says {told!r}, expected {refusal!r}")
        if told and explorer.figure.widget.value != before[2]:
            raise AssertionError(f"{told!r}, and yet the picture has changed")

    def go_on_to_a_picture(self):
        """Make moves until one is not refused."""
        self.step()
        while notice(self.explorer):
            self.step()

    def drag_each(self):
        """Put every slider on a tick, which is where the explorers' own checks expect it."""
        told = True
        while told:
            for slider in within(self.explorer, NumberSlider):
                _drag(slider, self._rng)
            told = notice(self.explorer)


def misfit_refusal(explorer):
    """What D's explorer says as long as more special tokens are set than there is room for."""
    special, length = (getattr(explorer, name, None) for name in ("n_special", "n_tokens"))
    return special and special.value > length.value and "special tokens do not fit"


def fresh_copy(walk):
    """A new explorer, set to the same values."""
    copy = walk.make()
    for control, present in zip(settings(copy), settings(walk.explorer), strict=True):
        name = "index" if hasattr(control, "index") else "value"
        setattr(control, name, getattr(present, name))
    return copy


def shown(explorer):
    """All that a reader sees: sentence, tables, boxes, the picture's pixels."""
    boxes = [(slider.name, slider.box.value, slider.box.disabled)
             for slider in within(explorer, NumberSlider)]
    parts = [part.value for part in within(explorer, widgets.HTML)]
    return explorer.sentence, values(explorer), boxes, parts, explorer.figure.pixels().tobytes()


def misplaced_handles(explorer):
    """Sliders whose handle stands at another number than the box shows."""
    return [slider.name for slider in within(explorer, NumberSlider)
            if slider.slider.value != slider.scale.tick(slider.value)
            and slider._check(_Proposal(slider.scale.number(slider.slider.value))) != slider.value]


class _Proposal:
    def __init__(self, value):
        self.value = value


# What is left behind


def n_figures():
    gc.collect()
    return sum(isinstance(thing, Figure) for thing in gc.get_objects())


def left_behind(n_others):
    """How many figures besides others, widgets and lines to the browser there are; memory in MB."""
    return {"figures": n_figures() - n_others,
            "widgets": len(widgets.widget._instances),
            "comms": len(comm.get_comm_manager().comms),
            "MB": psutil.Process().memory_info().rss / 2**20}


def measure(make, check, n_moves, warm_up=WARM_UP):
    """What is there after the warm-up and after all moves, and whether the last state is right."""
    n_others = n_figures()
    walk, began = Walk(make, seed=0), time.process_time()
    walk.go(warm_up)
    before = left_behind(n_others)
    walk.go(n_moves - warm_up)
    after = left_behind(n_others)
    seconds = time.process_time() - began
    walk.go_on_to_a_picture()
    found = {"seconds": seconds, "before": before, "after": after,
             "last state right": shown(walk.explorer) == shown(fresh_copy(walk)),
             "misplaced handles": misplaced_handles(walk.explorer)}
    walk.drag_each()
    check(walk.explorer)
    return found


def measured_here(name, n_moves, warm_up=WARM_UP):
    """The same for the explorer of this name."""
    return measure(*EXPLORERS[name], n_moves, warm_up)


def measured_apart(name, n_moves, warm_up=WARM_UP):
    """And that in a process of its own."""
    command = [sys.executable, "-W", "error", __file__, name, str(n_moves), str(warm_up)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if run.returncode:
        raise AssertionError(f"{name}: {run.stderr}")
    return json.loads(run.stdout)


def main(name="all", n_moves=2000, warm_up=None):
    if warm_up:
        print(json.dumps(measured_here(name, int(n_moves), int(warm_up))))
        return
    print(f"{'':<12}{'moves':>7}{'seconds':>9}{'MB at 200':>11}{'MB at end':>11}"
          f"{'figures':>9}{'widgets':>9}{'comms':>7}  last state")
    for each in EXPLORERS if name == "all" else [name]:
        found = measured_apart(each, n_moves)
        before, after = found["before"], found["after"]
        counts = [f"{before[kind]}→{after[kind]}" for kind in ("figures", "widgets", "comms")]
        print(f"{each:<12}{n_moves:>7}{found['seconds']:9.1f}{before['MB']:11.1f}"
              f"{after['MB']:11.1f}{counts[0]:>9}{counts[1]:>9}{counts[2]:>9}  "
              f"{'right' if found['last state right'] else 'WRONG'}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
