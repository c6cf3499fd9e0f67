"""The mistakes that people make with this loss, each with its remedy."""

from typing import NamedTuple


class Mistake(NamedTuple):
    """What was done, in words that follow "It looks as if", and what to do instead."""

    what: str
    remedy: str


_OF_A_LOGARITHM = {
    "log_base": Mistake(
        "you took the logarithm to another base",
        "Nats take the natural logarithm, the key ln. Bits take log₂, which is ln divided by "
        "ln 2."),
    "bits_for_nats": Mistake(
        "you gave bits, but nats are asked for",
        "Nats take ln, bits take log₂. A bit is ln 2 = 0.6931 nats."),
    "nats_for_bits": Mistake(
        "you gave nats, but bits are asked for",
        "Divide nats by ln 2 = 0.6931 to have bits."),
    "sign": Mistake(
        "you forgot the minus before the logarithm",
        "The logarithm of a probability is at most 0; the loss is −ln p, at least 0."),
    "probability": Mistake(
        "you gave the probability and not the loss",
        "One step is missing: take −ln of it."),
    "perplexity": Mistake(
        "you gave the perplexity and not the loss",
        "The perplexity is e to the loss, so the loss is ln of the perplexity."),
    "uniform_ceiling": Mistake(
        "you took ln V for the largest loss that there can be",
        "A uniform guess pays ln V. Who gives the true word less than 1/V pays more: a loss has no "
        "ceiling."),
    "rounded": Mistake(
        "you rounded on the way",
        "Carry all digits your calculator has, and round once, at the end."),
}

_OF_A_SLOT = {
    "not_exponentiated": Mistake(
        "you divided the logits themselves",
        "Logits can be negative or 0 and are no shares: take e to the power of each first."),
    "argmax": Mistake(
        "you scored the most probable word and not the label",
        "The loss asks what the true word was given, whichever word the model prefers."),
    "shown_word": Mistake(
        "you scored the word that the input shows and not the label",
        "The label is the word that stood there before the swap. The input is not what is asked "
        "for."),
    "unchanged_zero": Mistake(
        "you took the loss for 0 because the word is unchanged",
        "The slot was chosen, so it counts, and the model does not know that the word was kept: "
        "it pays −ln of what it gives that word."),
}

_OF_SEVERAL_SLOTS = {
    "mean_for_sum": Mistake(
        "you divided by the number of slots, but the sum is asked for",
        "A sum over the slots is not divided by anything."),
    "sum_for_mean": Mistake(
        "you gave the sum over the slots, but their mean is asked for",
        "Divide the sum of the slots' losses by the number of slots."),
    "token_mean": Mistake(
        "you averaged over all tokens",
        "Tokens that are no slots have no loss and do not count: a mean divides by the number of "
        "slots, a sum by nothing."),
    "product_of_losses": Mistake(
        "you multiplied the losses",
        "Probabilities multiply, their logarithms add up: add the losses."),
    "log_of_sum": Mistake(
        "you put the probabilities together first and then took the logarithm",
        "Take −ln of each slot's probability on its own, then add the losses."),
    "nsp_forgotten": Mistake(
        "you left out the next sentence",
        "BERT's loss has two parts: add the next sentence's to that of the masked words."),
    "nsp_other_label": Mistake(
        "you scored the next sentence against the other label",
        "Ask first whether B does follow A. The loss is −ln of what that label was given."),
    "nsp_averaged": Mistake(
        "you counted the next sentence as one more slot of the mean",
        "Only the slots are averaged. The next sentence's loss is added whole, afterwards."),
}

_OF_A_COUNT = {
    "floor_for_round": Mistake(
        "you cut off where the rule rounds",
        "The nearest whole number is asked for, so a rest above one half goes up."),
    "round_for_floor": Mistake(
        "you rounded where the rule cuts off",
        "Rounding down drops the rest, however large it is."),
    "half_up": Mistake(
        "you rounded one half up",
        "From halfway this rule goes to the even neighbour: 2.5 becomes 2, and 3.5 becomes 4."),
    "at_least_one": Mistake(
        "you mixed up which rule takes at least one slot",
        "BERT's rule never goes below 1. Rounding down alone can end at 0."),
    "cap": Mistake(
        "you left out the upper limit",
        "BERT's rule ends with it: never more slots than the limit, however long the sequence."),
    "special_forgotten": Mistake(
        "you left [CLS] and [SEP] out of the length",
        "BERT's rule takes its share of all tokens. The special ones are never chosen, but they "
        "are counted."),
    "share_not_applied": Mistake(
        "you left out the share of the slots that the question is about",
        "Two shares follow each other: first that of the slots in the tokens, then that of the "
        "branch in the slots."),
    "share_of_all_tokens": Mistake(
        "you applied the branch's share to all tokens",
        "It is a share of the slots alone: the tokens come down to the slots first."),
    "only_masked": Mistake(
        "you counted only the slots that show [MASK]",
        "Every chosen token is a slot, whatever the input shows there."),
    "other_branch": Mistake(
        "you took another branch's share",
        "The three shares belong, in this order, to [MASK], to a drawn word, to the word itself."),
    "reversed": Mistake(
        "you answered the question the other way round",
        "The [MASK] symbols are given and all tokens are asked for: divide by the shares."),
    "rounding_forgotten": Mistake(
        "you took the share of the whole corpus at once",
        "Each sequence rounds its own number of slots. Round for one, then multiply."),
}

MISTAKES = _OF_A_LOGARITHM | _OF_A_SLOT | _OF_SEVERAL_SLOTS | _OF_A_COUNT
"""Each by the key that a ``WrongAnswer`` names."""
