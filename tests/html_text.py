"""What HTML says, without its markup."""

import re


def text_of(html):
    """The text of a piece of HTML, with single spaces where there are tags, spaces or lines."""
    return " ".join(re.sub("<[^>]+>", " ", html).split())
