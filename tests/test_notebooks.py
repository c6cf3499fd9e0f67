"""Every notebook keeps every rule, and the README's links lead somewhere (no kernel is started)."""

from pathlib import Path

import pytest

from link_rules import images_have_alt_text, links_resolve
from notebook_rules import RULES

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def by_name(rule):
    return rule.__name__


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("rule", RULES, ids=by_name)
def test_notebook(path, rule):
    """The name of the failing case says which rule is broken where; its docstring says why."""
    complaints = rule(path)
    assert not complaints, "\n".join([path.name, *complaints])


@pytest.mark.parametrize("rule", [links_resolve, images_have_alt_text], ids=by_name)
def test_readme(rule):
    complaints = rule(ROOT / "README.md")
    assert not complaints, "\n".join(["README.md", *complaints])
