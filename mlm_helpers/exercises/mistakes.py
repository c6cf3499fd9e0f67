"""The mistakes that people make with this loss, each with its remedy."""

from typing import NamedTuple


class Mistake(NamedTuple):
    """What was done, in words that follow "It looks as if", and what to do instead."""

    what: str
    remedy: str


MISTAKES = {
    "log_base": Mistake(
        "you took the logarithm to base 2 or 10",
        "The loss in nats takes the natural logarithm, the key ln."),
    "sign": Mistake(
        "you forgot the minus before the logarithm",
        "The logarithm of a probability is at most 0; the loss is −ln p, at least 0."),
    "probability": Mistake(
        "you gave the probability and not the loss",
        "One step is missing: take −ln of it."),
    "not_exponentiated": Mistake(
        "you divided the logits themselves",
        "Logits can be negative or 0 and are no shares: take e to the power of each first."),
    "argmax": Mistake(
        "you scored the most probable word and not the label",
        "The loss asks what the true word was given, whichever word the model prefers."),
    "rounded": Mistake(
        "you rounded on the way",
        "Carry all digits your calculator has, and round once, at the end."),
}
