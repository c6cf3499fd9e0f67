"""Reading a stored BERT: a tiny one with random weights, made here; no network is asked."""

import numpy as np
import pytest

from mlm_helpers.losses import softmax
from mlm_helpers.real_text.bert_reader import read_bert
from mlm_helpers.real_text.own_sentence import sentence_panel
from refusals import assert_refused
from test_explorers import notice

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat", "on", "mat", "##s", "."]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The folder of a BERT of two layers, and the model itself."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    folder = tmp_path_factory.mktemp("bert")
    (folder / "vocab.txt").write_text("\n".join(WORDS), "utf-8")
    torch.manual_seed(0)
    model = transformers.BertForMaskedLM(transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, initializer_range=0.5)).eval()
    model.save_pretrained(folder)
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder, model, torch


@pytest.mark.parametrize(("shown", "shown_id"), [("[MASK]", 4), ("cat", 6), ("mat", 9)])
def test_its_softmax_is_the_models(stored, shown, shown_id):
    folder, model, torch = stored
    reader = read_bert(folder)
    assert reader.tokens("The cats sat.") == ["the", "cat", "##s", "sat", "."]
    slot = reader.example("The cats sat.", 1, shown, n_listed=3).slot
    with torch.no_grad():
        logits = model(torch.tensor([[2, 5, shown_id, 10, 7, 11, 3]])).logits[0, 2].numpy()
    listed = [WORDS.index(token) for token in slot.tokens]
    np.testing.assert_allclose(slot.probabilities[:-1], softmax(logits)[listed], rtol=1e-5)
    assert slot.label_token == "cat" and slot.shown_token == shown
    assert set(np.argsort(-logits)[:3]) <= set(listed) and slot.vocab_size == len(WORDS)


def test_the_sentence_panel_reads_it(stored):
    panel = sentence_panel(read_bert(stored[0]), "the cat sat on the mat .")
    panel.position.value = 5
    assert panel.sentence.startswith("P(mat) = ") and notice(panel) == ""
    panel.text.value = "the zebra"
    assert panel.position.options[1] == ("[UNK] (unknown)", 1) and notice(panel) == ""
    panel.text.value = " "
    assert "no word" in notice(panel)


def test_without_a_checkpoint_it_says_so(tmp_path):
    assert_refused(lambda: read_bert(tmp_path), str(tmp_path), "config.json")


def test_without_transformers_it_says_so(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert_refused(lambda: read_bert(tmp_path), "transformers is not installed", "go on")
