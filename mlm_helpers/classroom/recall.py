"""What the recall cards ask and answer: at least four for each scenario."""

from typing import NamedTuple

from mlm_helpers.examples import LIMITING_VALUES, SEVERAL_SLOTS
from mlm_helpers.losses import nats_to_bits, surprisal, uniform_loss
from mlm_helpers.published import FRESH_BERT_LOSSES, VOCABULARIES
from mlm_helpers.wording import decimal, integer

_F, _BERT = SEVERAL_SLOTS.answers, VOCABULARIES["BERT"]
_AT_THE_START = (uniform_loss(_BERT), surprisal(0.5))


class Card(NamedTuple):
    """A question in plain text, and its answer in Markdown."""

    question: str
    answer: str


CARDS = {
    "start": (
        Card("Why −ln p, and not 1 − p?",
             "1 − p is 0 for a certain word and grows as p falls, so it grants the first two "
             "wishes. It fails the third: for two independent words with p = 1/2 each it "
             "charges 1/2 + 1/2 = 1 for the pair taken one by one, but 1 − 1/4 = 3/4 for the "
             "pair taken at once. −ln p charges the same both ways."),
        Card("A model of V words has learnt nothing. What does a slot cost?",
             "ln V: every word gets p = 1/V. For V = 4 that is twice ln 2, two halvings. Fresh "
             "models start near it, often a little above, because random logits are not "
             "exactly equal."),
        Card("Which positions count in the loss?",
             "The chosen ones, all of them: masked, swapped and kept alike. `[MASK]` in the "
             "input is not the mark of a slot; a label other than −100 is."),
        Card("Must the loss at a swapped or a kept slot be computed in another way?",
             "No. The formula takes logits and label, and never looks at what the input shows. "
             "A swapped slot (scenario B) tends to cost more and a kept one "
             "(scenario C) less because the model's logits follow its input."),
        Card("A sequence has no slot at all. What is its loss?",
             "0 as a sum, 0 divided by 0 as a mean. PyTorch reports the second as nan; BERT's "
             "own code avoids it by a small number in the divisor. Scenario D says more."),
        Card("Is ln V the largest loss there is?",
             "No, it is what blind guessing pays. A model that is sure of a wrong word pays "
             "more, without limit. Scenario E says more."),
        Card(f"Two slots cost {_F['sum']} nats together. Is that good beside ln V?",
             "The question compares two kinds. A sum over two slots belongs beside twice ln V, "
             "a mean beside ln V. Scenario F says more."),
        Card("15 % are chosen, and 80 % of them masked. Of 100 tokens, how many show [MASK]?",
             "12 on average: 80 % of 15. Drawn, the number scatters about that. Scenario G says "
             "more."),
        Card("What is BERT's whole loss?",
             "The masked words' mean loss plus the next sentence's, without weights. At the "
             "start the second is ln 2, later it is a small part, which says little of its "
             "use. Scenario H says more."),
    ),
    "A": (
        Card("Add 5 to all four logits. What happens to the loss?",
             "Nothing. Each weight is multiplied by e⁵, so is their sum, and the quotient "
             "stays. Only differences of logits matter; the code uses this and subtracts the "
             "largest logit first, so that e to a power never overflows."),
        Card("Why e to the power of a logit, and not its square?",
             "A square is positive too, but it forgets the sign: logits of −2 and 2 would get "
             "the same weight. e to a power keeps the order, and it turns *adding* to a logit "
             "into *multiplying* a weight."),
        Card("The loss is below ln 4. Does that make the model good?",
             "It makes it better than blind guessing among these four words, no more. And one "
             "slot says little: a model is judged by its mean over many."),
        Card("Training moves the logits by the gradient. Which words does it push, and which way?",
             "The true word up, by 1 − p; every other down, by its own p. The pushes add up to 0, "
             "and the better the model already is, the gentler they are."),
    ),
    "B": (
        Card("Why does this slot cost more than the one in A?",
             "Because the input misleads. In A the model sees a gap and spreads its guess; "
             "here it sees *mat*, leans towards it, and less probability is left for *cat*. "
             "The loss formula is the same."),
        Card("What share of all tokens is swapped?",
             "10 % of the 15 % that are chosen: 1.5 %. So a model meets a wrong word about "
             "once in 67 tokens, rare enough that most of what it reads is true, and often "
             "enough that it cannot rely on it."),
        Card("The input shows owl instead of mat. Does the loss change?",
             "The formula takes only logits and label, so with these logits it does not. But "
             "the logits are the model's answer to the input; another word there means other "
             "logits, and through them another loss."),
        Card("A program scores the swapped slot against the word shown. What does the model learn?",
             "To copy its input. The loss looks fine and falls, because the shown word is easy to "
             "find, but nothing is learnt about what belongs there."),
    ),
    "C": (
        Card("The word is in plain sight. Why is the loss not 0?",
             "Of the chosen slots that show a word and not `[MASK]`, half were kept and half "
             "swapped in: 10 % and 10 %. The model is not told which, so a share of the "
             "probability has to stay with other words. And a softmax of finite logits never "
             "gives one word everything."),
        Card("Why keep a word at all, if it is so easy?",
             "After training the model reads texts without any `[MASK]`. If only masked and "
             "swapped positions were scored, it would learn that a visible word at a scored "
             "position is always wrong. The kept slots teach it that a word it sees may well "
             "be right."),
        Card("How can code tell a kept slot from an ordinary token?",
             "By the label alone: the word's id against −100. The inputs are identical."),
        Card("Training with masks alone, 100/0/0: what changes for a word that is in plain sight?",
             "It is never scored, so what the model says there is free to be anything. The 10 % "
             "that are kept are what makes the output at a visible word worth reading."),
    ),
    "D": (
        Card("A sequence has no slot. Is its loss 0?",
             "As a sum, yes: the sum over nothing is 0. As a mean it is 0 divided by 0, which "
             "PyTorch reports as nan. Google's code adds a small number to the divisor and "
             "reports 0."),
        Card("How long must a sequence be for Hugging Face's collator to be sure of a slot?",
             "No length is enough. The chance of none falls by a factor of 0.85 per ordinary "
             "token and never reaches 0. At 128 tokens it is about one in a thousand million, "
             "which is sure enough for most."),
        Card("Your training log shows a masked loss of exactly 0. What do you look at first?",
             "The number of slots. 0.0000 over many slots would be a model that is certain and "
             "always right; over no slot it means that every label is −100, for example "
             "because the text was too short or the labels were built wrongly."),
        Card("One row of a batch has no slot. Why average over slots and not over rows?",
             "Because the mean of that row is 0 divided by 0, and one undefined row makes the mean "
             "over the rows undefined. Over all slots of the batch the row simply adds none."),
    ),
    "E": (
        Card("What is the largest loss one slot can have?",
             "There is none. As p falls towards 0, −ln p grows without end. ln V is what a "
             "uniform guess pays, and any model that gives the true word less than 1/V pays "
             "more."),
        Card(f"Your mean loss stays at 10.5 for BERT's vocabulary of {integer(_BERT)} words. "
             "Is that a bug?",
             f"At the first step it is not: fresh models start at {min(FRESH_BERT_LOSSES)} to "
             f"{max(FRESH_BERT_LOSSES)}, a little above ln V = "
             f"{decimal(uniform_loss(_BERT), 2)}. If it *stays* there, the model learns nothing; "
             "look for labels that do not belong to the logits, a learning rate of 0, or a mean "
             "over the wrong positions."),
        Card("Model X has a loss of 1.4, model Y one of 2.0. Which is better?",
             "That cannot be said from the two numbers. They may be nats and bits (2.0 bits "
             f"are {decimal(2 / nats_to_bits(1), 2)} nats), and with other tokenizers, masking "
             "rates or texts the task itself is another. Compare only what was measured on the "
             "same slots."),
        Card("What does a perplexity of 4 mean?",
             "exp of the mean loss is 4: on average the model is as unsure as if it guessed among "
             "four words alike. A perplexity of V is blind guessing."),
    ),
    "F": (
        Card("Why does a product inside the logarithm become a sum outside?",
             "Because ln(a · b) = ln a + ln b. It is the third wish of the start page: "
             "independent words are revealed one after the other, and the payments add up."),
        Card("Answer X fills two slots with 0.40 and 0.20, answer Y one slot with 0.10. Which "
             "does the model prefer?",
             "By the sum Y, by the mean X: *Watch out* prints all four numbers. A sum punishes "
             "an answer for having more slots. So say which one decides, or compare only "
             "answers of the same length."),
        Card(f"The loss is {_F['sum']} and ln V is {LIMITING_VALUES.answers['uniform']:.4f}. Is "
             "this model four times better than guessing?",
             f"No. {_F['sum']} is a sum over two slots, and guessing would cost twice ln V, "
             f"{_F['uniform_sum']}. Compare like with like: {_F['mean']} against "
             f"{LIMITING_VALUES.answers['uniform']:.4f}, or {_F['sum']} against "
             f"{_F['uniform_sum']}."),
        Card("A slot is added to which the model gave probability 1. What do sum and mean do?",
             "The sum stays, since that slot pays 0. The mean falls, because it is shared among "
             "more slots: with a mean, easy slots make a model look better."),
    ),
    "G": (
        Card("Of all tokens, what share does the model see changed?",
             "12 % show `[MASK]` and nearly 1.5 % another word, so 13.5 %, less the rare swaps "
             "that draw the original. The 1.5 % kept ones are slots too, but look untouched."),
        Card("Sequences of 128 tokens have 19 slots under BERT's rule. Why not 19.2?",
             "Because a sequence cannot have a fifth of a slot. Each one loses 0.2 by "
             "rounding, and over the whole corpus these add up to more than three million "
             "slots."),
        Card("Two people mask the same corpus with different seeds. Do they get the same counts?",
             "The number of slots is the same if the policy fixes it, as BERT's does, and "
             "another one if each token has its own coin. The branches differ in any case, by "
             "about a standard deviation: the square root of n · s · (1 − s) for a share s of "
             "n slots."),
        Card("What share of the slots shows [MASK], and what share of all tokens?",
             "80 % of the slots, but 0.15 · 0.80 = 12 % of all tokens. Always say of what a share "
             "is a share."),
    ),
    "H": (
        Card("The next sentence makes 4 % of the total. Can it be left out?",
             "Its size does not say. A small loss can come from a task that is learnt well and "
             "still shapes the model, or from one that is trivial. Only an experiment that "
             "leaves it out tells, and the two published ones differ."),
        Card("At the very start, what is the total for BERT's vocabulary?",
             f"ln V for the average slot and ln 2 for the pair: "
             f"{' + '.join(map(decimal, _AT_THE_START))} = {decimal(sum(_AT_THE_START))} nats "
             "with the mean. With a sum over k slots the first part would be k times as large."),
        Card("A pair's label is 0 and the loss is far above ln 2. Two likely causes?",
             "Either the model is sure and wrong, or the label is read the other way round: 0 "
             "means *is next*. Look at one pair by hand before you change the model."),
        Card("A pair of sentences has no slot. What does its total consist of?",
             "Of the next sentence's loss alone: the masked part is a sum of nothing, 0. Where a "
             "mean over no slots is taken, 0 divided by 0 would spoil the total."),
    ),
    "real text": (
        Card("Why does every training on this page start at exactly ln V?",
             "The last layer starts at zero, so all logits are 0 and every word has p = 1/V. BERT "
             "starts with small random weights and therefore a little above."),
        Card("A hundred swapped slots cost less than eight hundred masked ones. Is the page wrong?",
             "That cannot be said from so few, and they are not the same words. Show the same "
             "slots in both ways and take the difference slot by slot, with its interval."),
        Card("Why must repeated paragraphs be taken out before the text is parted?",
             "A held-out paragraph that also stands in the training part has been seen. The model "
             "recites it, and the held-out loss flatters it."),
        Card("A model trained with masks alone reads a text without masks. What goes wrong?",
             "It was never scored on a word that it can see, so its output there was free to be "
             "anything. Words in plain sight cost it more than masked ones."),
    ),
}
