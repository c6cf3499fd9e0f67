"""What every refusal has to say, asked in one way by the tests of each module."""

import pytest


def assert_refused(call, *parts):
    """The call is refused, and the message holds each part: the value, the remedy."""
    with pytest.raises(ValueError) as refusal:
        call()
    assert [part for part in parts if part not in str(refusal.value)] == []
