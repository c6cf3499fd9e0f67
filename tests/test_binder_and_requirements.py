"""What a reader installs is what we tested: every package pinned, from the default index only."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FOR_READERS, FOR_TESTS = ROOT / "requirements.txt", ROOT / "tests" / "requirements.txt"
FOR_BINDER = ROOT / "binder" / "requirements.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TOP_LEVEL = {
    "README.md",
    "requirements.txt",
    "pyproject.toml",
    "notebooks",
    "mlm_helpers",
    "tests",
    "binder",
}


def lines(path):
    """The lines of a requirements file that are not comments."""
    stripped = (re.sub(r"(^|\s)#.*", "", line).strip() for line in path.open(encoding="utf-8"))
    return [line for line in stripped if line]


def packages(path):
    """The packages a requirements file names, without its options (`-e .`, `-r other`)."""
    return [Requirement(line) for line in lines(path) if not line.startswith("-")]


def pins(name, *paths):
    """Every version a package is pinned to: more than one only where markers divide them."""
    found = [package for path in paths for package in packages(path)]
    return {
        specifier.version
        for package in found
        if canonicalize_name(package.name) == canonicalize_name(name)
        for specifier in package.specifier
    }


@pytest.mark.parametrize("path", [FOR_READERS, FOR_TESTS], ids=["readers", "tests"])
def test_every_package_is_pinned(path):
    """To one exact version: `==` and no wildcard."""
    loose = [
        str(each) for each in packages(path) if not re.fullmatch("==[^*]+", str(each.specifier))
    ]
    assert packages(path) and not loose


def test_options_are_the_expected_ones():
    """The readers' file ends with this package itself; the tests' file adds to it."""
    assert [line for line in lines(FOR_READERS) if line.startswith("-")] == ["-e ."]
    assert lines(FOR_READERS)[-1] == "-e ."
    assert [line for line in lines(FOR_TESTS) if line.startswith("-")] == ["-r ../requirements.txt"]


@pytest.mark.parametrize(
    "path", [FOR_READERS, FOR_TESTS, FOR_BINDER], ids=["readers", "tests", "binder"]
)
def test_no_address_of_an_index(path):
    """Not even in a comment: packages come from wherever the reader's pip is set to look."""
    assert not re.findall(
        r"\S*(?:://|index-url|find-links|trusted-host)\S*|\s@\s", path.read_text("utf-8")
    )


def test_binder_installs_the_same():
    assert FOR_BINDER.read_text("utf-8") == "-r ../requirements.txt\n"
    assert (ROOT / "binder" / "runtime.txt").read_text("utf-8") == "python-3.11\n"


DIRECT = [
    *((text, [FOR_READERS]) for text in PROJECT["dependencies"]),
    *((text, [FOR_READERS, FOR_TESTS]) for text in PROJECT["optional-dependencies"]["test"]),
]


@pytest.mark.parametrize(("declared", "files"), DIRECT, ids=[text for text, _ in DIRECT])
def test_direct_dependency_is_pinned_within_its_range(declared, files):
    dependency = Requirement(declared)
    versions = pins(dependency.name, *files)
    assert versions, f"{dependency.name} is not pinned"
    assert set(dependency.specifier.filter(versions)) == versions, f"{declared}: {versions}"


def test_top_level_holds_nothing_else():
    """Of what is under version control; a reader's own files are the reader's."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    run = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0:
        pytest.skip(f"not a git checkout: {run.stderr}")
    found = {line.split("/")[0] for line in run.stdout.splitlines()}
    assert {name for name in found if not name.startswith(".")} <= TOP_LEVEL
