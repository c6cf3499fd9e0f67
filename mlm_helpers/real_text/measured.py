"""Figures of one finished run, so that a page that was never run can show them.

CPython 3.11's language reference, 2 000 words, ``Settings()`` with seed 0: 1 200 steps. The corpus
differs a little from one Python to the next, and the last digits from one processor to the next.
"""

from mlm_helpers.real_text.evaluation import Estimate

N_TOKENS = 73_522

STEPS = tuple(range(0, 1201, 50))
HELD_OUT = (7.6009, 5.5344, 5.1905, 4.9917, 4.6897, 4.4667, 4.3512, 4.2085, 4.1935, 4.1016, 4.0428,
            3.9231, 3.9057, 3.8708, 3.8193, 3.7925, 3.7777, 3.7439, 3.7667, 3.7437, 3.7239, 3.6872,
            3.6748, 3.6773, 3.6542)
"""Mean loss in nats of the held-out slots after so many ``STEPS``."""

AS_DRAWN = {"mask": Estimate(3.9234, 0.0734, 5861), "swap": Estimate(4.1040, 0.1919, 778),
            "keep": Estimate(2.1823, 0.2027, 713)}
SAME_SLOTS = {"mask": Estimate(3.9220, 0.0655, 7352), "swap": Estimate(4.1056, 0.0631, 7352),
              "keep": Estimate(2.2426, 0.0652, 7352), "swap − mask": Estimate(0.1836, 0.0165, 7352),
              "keep − mask": Estimate(-1.6794, 0.0315, 7352)}
"""Every held-out token once as a slot: in the branch it was drawn for, and shown in all three."""

ABOVE_UNIFORM = Estimate(0.1198, 0.0074, 7352)
"""Share of these slots that cost more than ln V."""

CALIBRATION = ((0.072, 0.0761, 1143), (0.146, 0.1338, 1936), (0.246, 0.2226, 1186),
               (0.347, 0.3250, 757), (0.447, 0.3909, 550), (0.547, 0.5457, 394),
               (0.648, 0.6509, 318), (0.752, 0.7194, 310), (0.850, 0.8581, 289),
               (0.955, 0.9510, 469))
"""In ten classes: the probability that the first choice has, how often it is right, slots."""

TRAINED_BY = {"15 %, 80/10/10": (3.8857, 4.0536, 2.1723, 2.1282),
              "40 %, 80/10/10": (3.9678, 4.1352, 2.4597, 2.3806),
              "80 %, 80/10/10": (5.3207, 5.8067, 5.7055, 6.3451),
              "15 %, 100/0/0": (3.8351, 5.3983, 5.3859, 4.8815)}
"""By masking in training: loss of 2 048 masked, swapped, kept slots, and of untouched text."""

VOCABULARIES = {250: (5.5215, 2.6778, 0.2265), 500: (6.2146, 3.1876, 0.1428),
                1000: (6.9078, 3.6302, 0.0755), 2000: (7.6009, 3.8857, 0.0283)}
"""By size: ln V, loss at masked slots, share of the corpus that is ``[UNK]``."""

NEXT_SENTENCE = {"at the start": (7.6009, 0.6931), "at the end": (3.6559, 0.6614)}
"""Held-out loss of the masked words and of the next sentence, trained together."""
