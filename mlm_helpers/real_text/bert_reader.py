"""The logits of a real BERT, where ``transformers`` and a stored checkpoint are at hand.

Neither is needed for anything else, and nothing is ever downloaded.
"""

import importlib.util
from pathlib import Path

from mlm_helpers.examples import WorkedExample
from mlm_helpers.masking import MASK
from mlm_helpers.real_text.own_slots import listed_slot


class BertReader:
    """What a BERT of Hugging Face's ``transformers`` reads in a sentence.

    Parameters
    ----------
    model : transformers model for masked words
        Such as ``BertForMaskedLM``, in evaluation mode.
    tokenizer : transformers tokenizer
        Its own.
    """

    def __init__(self, model, tokenizer):
        self._model, self._tokenizer = model, tokenizer
        self._words = tokenizer.convert_ids_to_tokens(list(range(model.config.vocab_size)))

    def tokens(self, text):
        """The word pieces of a sentence, without ``[CLS]`` and ``[SEP]``.

        Raises
        ------
        ValueError
            When there is none.
        """
        tokens = self._tokenizer.tokenize(text)
        if not tokens:
            raise ValueError(f"the sentence {text!r} has no word: type one")
        return tokens

    def knows(self, token):
        """Whether it is a word piece of the vocabulary."""
        return token != self._tokenizer.unk_token

    def example(self, text, position, shown=MASK, n_listed=10):
        """A word piece as a worked example; see ``own_slots.own_example``."""
        import torch

        tokenizer, tokens = self._tokenizer, self.tokens(text)
        label, *_ = tokenizer.convert_tokens_to_ids([tokens[position]])
        shown_id = (tokenizer.mask_token_id if shown == MASK else
                    tokenizer.convert_tokens_to_ids([shown])[0])
        ids = tokenizer.convert_tokens_to_ids(tokens)
        ids[position] = shown_id
        input_ids = torch.tensor([[tokenizer.cls_token_id, *ids, tokenizer.sep_token_id]])
        with torch.no_grad():
            logits = self._model(input_ids=input_ids).logits[0, position + 1].double().numpy()
        slot = listed_slot(logits, self._words, label, None if shown == MASK else shown_id,
                           n_listed)
        return WorkedExample(slot, tuple(tokens), position)


def read_bert(folder):
    """Load a checkpoint that is stored in a folder; the network is not asked.

    Parameters
    ----------
    folder : str or Path
        Holds ``config.json``, the weights, and the tokenizer's files.

    Returns
    -------
    BertReader

    Raises
    ------
    ValueError
        When ``transformers`` or PyTorch is not installed, or the folder holds no checkpoint; the
        message says what is missing. Nothing else in this room needs it.

    Examples
    --------
    >>> read_bert("no/such/folder")
    Traceback (most recent call last):
    ValueError: the folder no/such/folder holds no config.json: give the folder of a stored BERT
    """
    folder = Path(folder).expanduser()
    if not (folder / "config.json").is_file():
        raise ValueError(f"the folder {folder} holds no config.json: give the folder of a stored "
                         "BERT")
    for package in ("transformers", "torch"):
        if importlib.util.find_spec(package) is None:
            raise ValueError(f"{package} is not installed, so no BERT can be read here: "
                             "install it, or go on with the model trained above")
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    model = AutoModelForMaskedLM.from_pretrained(folder, local_files_only=True).eval()
    return BertReader(model, AutoTokenizer.from_pretrained(folder, local_files_only=True))
