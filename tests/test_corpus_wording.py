"""How counts of a corpus are written: whole ones whole, others never as if they were."""

from fractions import Fraction

import pytest

from mlm_helpers.corpus import rounded_quotas
from mlm_helpers.corpus_wording import amount, quota_phrase, scatter, split_text
from test_wording import THIN

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(("number", "text"), [
    (0, "0"),
    (150, "150"),
    (Fraction(150), "150"),
    (300_000_000, f"300{THIN}000{THIN}000"),
    (10**13, f"10{THIN}000{THIN}000{THIN}000{THIN}000"),
    (Fraction(15, 100) * 1001, "150.2"),
    (Fraction(15015, 1000), "15.0"),
    (Fraction(10**14 - 1, 10), f"9{THIN}999{THIN}999{THIN}999{THIN}999.9"),
    (Fraction(1, 2000), "5.0·10⁻⁴"),
])
def test_a_number_that_is_not_whole_has_a_decimal(number, text):
    assert amount(number) == text


@pytest.mark.parametrize(("deviation", "text"), [
    (0, "± 0"), (0.0, "± 0"), (0.36, "± 0.4"), (4.899, "± 4.9"), (99.94, "± 99.9"),
    (100.4, "± 100"), (6928.2, f"± 6{THIN}928"), (1264911.06, f"± 1{THIN}264{THIN}911"),
    (0.03, "± 3.0·10⁻²")])
def test_a_standard_deviation_has_a_decimal_while_it_tells_something(deviation, text):
    assert scatter(deviation) == text


@pytest.mark.parametrize(("shares", "text"), [
    ((0.8, 0.1, 0.1), "80/10/10"), ((1, 0, 0), "100/0/0"), ((0.07, 0.29, 0.64), "7/29/64"),
    ((0.125, 0, 0.875), "12.5/0/87.5"),
    ((0.333333, 0.333333, 0.333334), "33.3333/33.3333/33.3334")])
def test_a_split_is_written_as_it_is_typed(shares, text):
    assert split_text(shares) == text


@pytest.mark.parametrize(("n_slots", "phrase"), [
    (15, "15 slots at 80/10/10: rounding each gives 12 + 2 + 2 = 16, "
         "cutting each off gives 12 + 1 + 1 = 14: a quota cannot hold, the draw can"),
    (19, "19 slots at 80/10/10: rounding each gives 15 + 2 + 2 = 19, "
         "cutting each off gives 15 + 1 + 1 = 17: a quota holds by luck, the draw always"),
    (20, "20 slots at 80/10/10: rounding each gives 16 + 2 + 2 = 20, "
         "cutting each off gives 16 + 2 + 2 = 20: here a quota holds, as the draw always does"),
    (1, "1 slot at 80/10/10: rounding each gives 1 + 0 + 0 = 1, "
        "cutting each off gives 0 + 0 + 0 = 0: a quota holds by luck, the draw always"),
])
def test_the_phrase_on_quotas_says_whether_they_add_up(n_slots, phrase):
    shares = (0.8, 0.1, 0.1)
    quotas = [rounded_quotas(n_slots, shares, rounding) for rounding in ("round", "int")]
    assert quota_phrase(n_slots, shares, *quotas) == phrase
