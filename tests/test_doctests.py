"""Every docstring example of every module of the package shows what really comes out."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import mlm_helpers

pytestmark = pytest.mark.filterwarnings("error")

MODULES = [module.name for module in pkgutil.walk_packages(mlm_helpers.__path__, "mlm_helpers.")]


@pytest.mark.parametrize("name", ["mlm_helpers", *MODULES])
def test_docstring_examples(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert not result.failed
    assert bool(result.attempted) == (">>>" in inspect.getsource(module))
