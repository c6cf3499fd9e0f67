"""The package has one direction: a module imports only what stands above it in the table.

Arithmetic stays where a test reaches it without a figure, and drawing where it needs no widget. A
new import is a decision about the design: it is taken by changing a line of the table.
"""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "mlm_helpers"
README = PACKAGE.with_name("README.md")

# Leaf first. The standard library is open to all.
MAY_IMPORT = {
    "wording": "",
    "policy_wording": "wording",
    "corpus_wording": "wording",
    "texts": "",
    "sample_texts": "",
    "tables": "",
    "checks": "",
    "losses": "numpy checks",
    "published": "",
    "slot_counts": "numpy checks",
    "masking": "numpy checks slot_counts",
    "splits": "checks masking wording",
    "corpus": "checks masking slot_counts splits",
    "reductions": "checks losses",
    "pretraining": "numpy checks losses reductions",
    "slot_sets": "checks losses reductions",
    "fonts": "matplotlib",
    "colours": "PIL",
    "slots": "numpy losses masking",
    "examples": "slots slot_sets",
    "masked_text": "numpy masking",
    "sentences": "corpus_wording policy_wording wording",
    "ribbons": "masking wording tables",
    "steps": "",
    "derivations": "losses slots steps examples wording tables",
    "case_derivations": "checks losses pretraining slot_counts steps wording",
    "documents": "",
    "typeset": "latex2mathml mistune",
    "quick_text": "matplotlib numpy",
    "figures": "matplotlib fonts quick_text wording",
    "plots": "matplotlib numpy colours figures fonts wording",
    "mask_plots": "matplotlib colours figures fonts wording",
    "slot_count_plots": "colours figures policy_wording",
    "corpus_plots": "matplotlib colours figures mask_plots",
    "limit_plots": "numpy colours figures wording",
    "slot_plots": "matplotlib colours figures wording",
    "guess_plots": "colours figures wording",
    "live": "matplotlib ipywidgets PIL numpy colours fonts",
    "controls": "ipywidgets traitlets wording",
    "split_controls": "ipywidgets traitlets controls corpus_wording masking splits",
    "uploads": "ipywidgets traitlets texts",
}
LOSS_EXERCISES = "exercises.exercise exercises.loss_mistakes losses tables wording"
MAY_IMPORT |= {
    "exercises.arithmetic": "",
    "exercises.answers": "exercises.arithmetic wording",
    "exercises.mistakes": "",
    "exercises.exercise": "tables wording",
    "exercises.diagnosis": "exercises.answers exercises.exercise exercises.mistakes wording",
    "exercises.loss_mistakes": "exercises.exercise wording",
    "exercises.slot_exercises": f"{LOSS_EXERCISES} derivations slots",
    "exercises.slot_count_exercises": "exercises.exercise checks slot_counts steps tables wording",
    "exercises.limit_exercises": f"{LOSS_EXERCISES} steps",
    "exercises.several_slots_exercises": f"{LOSS_EXERCISES} case_derivations reductions slot_sets "
                                         "steps",
    "exercises.corpus_exercises": "exercises.exercise checks corpus masking steps tables wording",
    "exercises.total_exercises": f"{LOSS_EXERCISES} case_derivations checks examples pretraining "
                                 "slot_sets steps exercises.several_slots_exercises",
    "exercises.draw": "checks exercises.exercise exercises.slot_exercises "
                      "exercises.slot_count_exercises exercises.limit_exercises "
                      "exercises.several_slots_exercises exercises.corpus_exercises "
                      "exercises.total_exercises",
    "exercises": "exercises.diagnosis exercises.draw exercises.slot_exercises",
}
QUESTIONS = "exams.graded exams.texts exercises.diagnosis"
MAY_IMPORT |= {
    "exams.progress": "",
    "exams.texts": "typeset",
    "exams.graded": "",
    "exams.papers": "checks exercises.draw",
    "exams.pages": "documents exams.papers exams.texts wording",
    "exams.key": "documents exams.papers exams.texts exercises.mistakes wording",
    "exams.answers_csv": "exams.papers",
    "exams.moodle": f"{QUESTIONS} exams.papers",
    "exams.canvas": f"{QUESTIONS} text2qti",
    "exams.files": "exams.answers_csv exams.canvas exams.key exams.moodle exams.pages "
                   "exams.papers exams.progress",
    "exams": "exams.files",
    "exam": "exams.canvas exams.files exercises.draw",
}
ALL_ABOVE = " ".join([*MAY_IMPORT, "ipywidgets numpy"])
SEVERAL = "explorers.base explorers.slot_controls explorers.slots_picture"
MAY_IMPORT |= {
    "explorers.base": ALL_ABOVE,
    "explorers.slot_picture": ALL_ABOVE,
    "explorers.softmax": f"{ALL_ABOVE} explorers.base explorers.slot_picture",
    "explorers.masking": f"{ALL_ABOVE} explorers.base",
    "explorers.empty_mask": f"{ALL_ABOVE} explorers.base",
    "explorers.corpus": f"{ALL_ABOVE} explorers.base",
    "explorers.surprisal": f"{ALL_ABOVE} explorers.base",
    "explorers.limits": f"{ALL_ABOVE} explorers.base",
    "explorers.slot_controls": f"{ALL_ABOVE} traitlets",
    "explorers.slots_picture": ALL_ABOVE,
    "explorers.slots": f"{ALL_ABOVE} {SEVERAL}",
    "explorers.total": f"{ALL_ABOVE} {SEVERAL}",
    "explorers": "explorers.corpus explorers.empty_mask explorers.limits explorers.masking "
                 "explorers.slots explorers.softmax explorers.surprisal explorers.total",
    "mlm_helpers": "",  # the package itself: importing it must cost nothing
}
MAY_IMPORT |= {
    "classroom.page": "ipywidgets",
    "classroom.recall": "examples losses published wording",
    "classroom.forecasts": "examples wording",
    "classroom.cards": "ipywidgets checks controls typeset wording classroom.page classroom.recall",
    "classroom.guesses": "ipywidgets controls exercises.answers wording",
    "classroom.forecast": "ipywidgets checks controls figures guess_plots live tables wording "
                          "classroom.forecasts classroom.guesses classroom.page",
    "classroom.practice": "ipywidgets checks controls exercises exercises.draw typeset wording "
                          "classroom.page",
    "classroom.expected": "checks exercises exercises.draw exercises.mistakes",
    "classroom.lesson": "ipywidgets derivations examples exercises explorers slots typeset "
                        "classroom.page classroom.practice",
    "classroom": "classroom.cards classroom.expected classroom.forecast classroom.lesson "
                 "classroom.practice",
    "handouts.browser": "",
    "handouts.sheets": "checks classroom.forecasts classroom.recall documents exercises typeset",
    "handouts": "",
    "handout": "nbformat handouts.browser handouts.sheets",
}
MAY_IMPORT |= {
    "real_text.vocabulary": "numpy checks masking",
    "real_text.corpus": "numpy checks texts real_text.vocabulary",
    "real_text.adam": "numpy",
    "real_text.model": "numpy checks",
    "real_text.windows": "numpy checks masking real_text.vocabulary",
    "real_text.masked_batches": "numpy checks masking real_text.vocabulary real_text.windows",
    "real_text.settings": "checks real_text.windows",
    "real_text.one_thread": "threadpoolctl",
    "real_text.training": "numpy checks losses masking real_text.adam real_text.masked_batches "
                          "real_text.model real_text.one_thread real_text.settings",
    "real_text.evaluation": "numpy checks losses masking real_text.masked_batches "
                            "real_text.training real_text.windows",
    "real_text.measured": "real_text.evaluation",
    "real_text.comparisons": "numpy real_text.evaluation real_text.masked_batches "
                             "real_text.training real_text.windows",
    "real_text.sentence_pairs": "numpy pretraining",
    "real_text.next_sentence": "numpy losses pretraining real_text.adam real_text.model "
                               "real_text.sentence_pairs real_text.training",
    "real_text.own_slots": "numpy checks examples masking slots texts real_text.vocabulary "
                           "real_text.windows",
    "real_text.training_wording": "wording",
    "real_text.training_plots": "numpy colours figures wording",
    "real_text.background": "",
    "real_text.text_source": "ipywidgets traitlets controls uploads wording real_text.corpus",
    "real_text.live_training": "ipywidgets controls explorers.base figures live losses "
                                "split_controls real_text.background real_text.settings "
                                "real_text.text_source real_text.training "
                                "real_text.training_plots real_text.training_wording "
                                "real_text.vocabulary real_text.windows",
    "real_text.bert_reader": "examples masking torch transformers real_text.own_slots",
    "real_text.word_plots": "numpy colours figures fonts wording",
    "real_text.own_sentence": "ipywidgets controls explorers.base explorers.softmax figures live "
                                "masking ribbons sentences wording real_text.own_slots "
                                "real_text.word_plots",
    "real_text": "real_text.bert_reader real_text.comparisons real_text.corpus "
                 "real_text.evaluation real_text.measured "
                 "real_text.masked_batches real_text.next_sentence real_text.own_slots "
                 "real_text.own_sentence real_text.settings real_text.training "
                 "real_text.live_training real_text.training_wording real_text.windows",
}
NUMPY_RANDOM = re.compile(r"(?:np|numpy)\.random\.(\w+)")
OWN_RANDOM_STATE = {"default_rng", "Generator", "BitGenerator", "SeedSequence"}


def name_of(path):
    """The name a module has in the table: its path below the package, with dots."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__") or PACKAGE.name


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@pytest.fixture(params=MODULES.values(), ids=MODULES.keys())
def module(request):
    """One module of the package, as a path."""
    return request.param


@cache
def all_nodes(path):
    return [*ast.walk(ast.parse(path.read_text("utf-8")))]


def nodes(path, *kinds):
    """The parts of a module's code that are of these kinds."""
    return [node for node in all_nodes(path) if isinstance(node, kinds)]


def imported(path):
    """Everything a module imports, by its full dotted name, relative imports resolved."""
    for node in nodes(path, ast.Import):
        yield from (alias.name for alias in node.names)
    for node in nodes(path, ast.ImportFrom):
        source = absolute(node, path)
        yield from (f"{source}.{alias.name}" for alias in node.names)


def absolute(node, path):
    """Where `from ... import` takes its names from, counting the leading dots upwards."""
    if not node.level:
        return node.module
    package = path.relative_to(PACKAGE.parent).parent.parts
    return ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])


def in_the_table(full_name):
    """What the table calls it: the innermost module of the package, or else the outside package."""
    first, *rest = full_name.split(".")
    if first != PACKAGE.name:
        return first
    inner = (".".join(rest[:end]) for end in range(len(rest), 0, -1))
    return next((name for name in inner if name in MODULES), PACKAGE.name)


def top_name(name):
    return name.partition(".")[0]


def test_module_imports_only_what_it_may(module):
    name = name_of(module)
    assert name in MAY_IMPORT, f"add a line to the table above: what may {name} import?"
    found = {in_the_table(full_name) for full_name in imported(module)}
    extra = found - set(MAY_IMPORT[name].split()) - sys.stdlib_module_names - {name}
    assert not extra, f"{name} may import {MAY_IMPORT[name]!r}, not {sorted(extra)}"


def test_table_points_upwards():
    """Without this a line of the table could allow a circle."""
    order = list(MAY_IMPORT)
    for name, allowed in MAY_IMPORT.items():
        below = set(allowed.split()) & set(order[order.index(name) :])
        assert not below, f"{name} may import what stands below it: {sorted(below)}"


def test_readme_lists_every_module_below_what_it_imports():
    rows = [re.findall("`(\\w+)`", row) for row in
            re.findall(r"^\| (`[^|]*) \|", README.read_text("utf-8"), flags=re.MULTILINE)]
    place = {name: number for number, names in enumerate(rows) for name in names}
    assert place.keys() == set(map(top_name, MODULES)) - {PACKAGE.name}
    below = [(name, found) for name, path in MODULES.items()
             for found in map(top_name, map(in_the_table, imported(path)))
             if place.get(found, 0) > place.get(top_name(name), len(rows))]
    assert not below


def test_no_star_import(module):
    assert not [full_name for full_name in imported(module) if full_name.endswith(".*")]


def test_no_pyplot(module):
    """pyplot keeps every figure alive and shows it a second time in a notebook."""
    assert not [name for name in imported(module) if {"pyplot", "pylab"} & set(name.split("."))]


def test_no_global_random_state(module):
    """Whoever needs chance is handed a generator, so that a call gives the same result again."""
    names = [*imported(module), *map(ast.unparse, nodes(module, ast.Attribute))]
    used = {match[1] for each in names if (match := NUMPY_RANDOM.match(each))}
    assert used <= OWN_RANDOM_STATE


def test_importing_changes_nothing_outside():
    """In a fresh Python: no pyplot, matplotlib's settings and numpy's random state untouched."""
    code = f"""
import importlib, sys
import matplotlib, numpy
def state():  # read as a plain dict: asking matplotlib itself for its backend imports pyplot
    return dict(dict.items(matplotlib.rcParams)), repr(numpy.random.get_state())
settings, random_state = state()
for name in {[name for name in MODULES if name != PACKAGE.name]}:
    importlib.import_module("{PACKAGE.name}." + name)
assert "matplotlib.pyplot" not in sys.modules, "pyplot was imported"
assert state()[0] == settings, "matplotlib's rcParams were changed"
assert state()[1] == random_state, "numpy's random state was changed"
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
