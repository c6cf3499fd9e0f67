"""Stands in for a checker of web addresses that Jupyter pulls in and that takes 2 s to import.

Without it jsonschema leaves one check of a format out, which nothing here needs.
"""

raise ImportError("left out of the tests: it takes seconds to start")
