"""The panels as a reader uses them: clicks, a running event loop, and a real kernel."""

import asyncio
import math
import threading
import time

import ipywidgets as widgets
import numpy as np
import pytest
from jupyter_client.manager import start_new_kernel

from explorer_promises import check_bundle, check_each_step_is_a_full_redraw, drawings
from mlm_helpers.losses import softmax
from mlm_helpers.real_text import live_training as panel_module
from mlm_helpers.real_text.background import SlicedWork
from mlm_helpers.real_text.live_training import training_panel
from mlm_helpers.real_text.own_sentence import sentence_panel
from mlm_helpers.real_text.own_slots import own_logits
from mlm_helpers.real_text.settings import Settings
from mlm_helpers.real_text.training import Training
from mlm_helpers.real_text.training_plots import smoothed
from mlm_helpers.real_text.training_wording import verdict
from test_explorers import click, notice, state
from test_real_text_training import CORPUS, SMALL, story
from test_uploads import deliver, send

pytestmark = pytest.mark.filterwarnings("error")

TEXT = story(300)


@pytest.fixture(autouse=True)
def widgets_closed():
    yield
    widgets.Widget.close_all()


@pytest.fixture
def panel(monkeypatch):
    """A panel whose models are small."""
    small = {"embedding_size": 16, "hidden_size": 32, "batch_size": 64, "evaluate_every": 10}
    monkeypatch.setattr(panel_module, "Settings", lambda **wanted: Settings(**small, **wanted))
    made = training_panel(TEXT)
    made.choose(n_steps=200)
    return made


def enabled(panel):
    return {name for name, button in panel.buttons.items() if not button.disabled}


async def until(condition, seconds=20):
    end = time.perf_counter() + seconds
    while not condition():
        assert time.perf_counter() < end, "it takes too long"
        await asyncio.sleep(0.005)


# Work in slices


def test_work_leaves_room_between_its_slices():
    """Whatever else the loop has to do gets its turn within a few slices' time."""
    async def main():
        turns = []
        work = SlicedWork(lambda: time.sleep(0.001) is None, lambda: None, pytest.fail)
        work.start()
        for _ in range(5):
            begin = time.perf_counter()
            await asyncio.sleep(0)
            turns.append(time.perf_counter() - begin)
        work.pause()
        await asyncio.sleep(0.01)
        return turns

    assert max(asyncio.run(main())) < 0.25


def test_an_error_in_the_work_or_in_the_showing_is_told_and_ends_it():
    async def main(work, show):
        told = []
        sliced = SlicedWork(work, show, told.append)
        sliced.start()
        await until(lambda: not sliced.running)
        await asyncio.sleep(0.01)
        return told

    for work, show in ((lambda: 1 / 0, lambda: None), (lambda: False, lambda: 1 / 0)):
        (error,) = asyncio.run(main(work, show))
        assert isinstance(error, ZeroDivisionError)
        told = []
        SlicedWork(work, show, told.append).start()  # without a loop
        assert isinstance(told[0], ZeroDivisionError)


def test_paused_and_gone_on_with_at_once_it_runs_once():
    async def main():
        done = []
        work = SlicedWork(lambda: done.append(1) or len(done) < 50, lambda: None, pytest.fail)
        for _ in range(3):
            work.start()
            work.start()
            work.pause()
        work.start()
        await until(lambda: not work.running)
        return len(done)

    assert asyncio.run(main()) == 50


# The panel, without an event loop


def test_a_pause_from_another_thread_in_the_middle_of_the_work_holds():
    """JupyterLab may handle a click in another thread of the kernel than the one that works."""
    done = []

    def part():
        done.append(1)
        pausing = threading.Thread(target=work.pause)
        pausing.start()
        pausing.join()
        return True

    async def begin():
        work.start()
        await asyncio.sleep(0.2)

    work = SlicedWork(part, lambda: None, pytest.fail)
    asyncio.run(begin())
    assert (len(done), work.running) == (1, False)


def test_before_training_it_says_what_holds_everywhere(panel):
    n_words = len(CORPUS.vocabulary(2000))
    assert panel.sentence == (f"not yet trained: each of {n_words} words has p = 1/{n_words}, so "
                              f"every slot costs uniform ln {n_words} = "
                              f"{math.log(n_words):.4f} nats")
    assert panel.verdict == panel.sentence and enabled(panel) == {"start", "reset"}
    check_bundle(panel)


def test_the_default_text_gives_the_same_start_on_every_python():
    assert training_panel().sentence.endswith("uniform ln 2 000 = 7.6009 nats".replace(
        "2 000", "2\N{NARROW NO-BREAK SPACE}000"))


def test_start_trains_to_the_end_and_says_so(panel):
    panel.start()
    assert panel.training.finished and not panel.running and notice(panel) == ""
    history, best = panel.training.history, panel.training.best_step
    place = history.steps.index(best)
    held_out, mask = history.held_out[place], history.branches["mask"][place]
    assert panel.sentence.startswith(f"finished, best of {panel.training.n_done} steps is {best}: "
                                     f"held-out loss {held_out:.4f} nats (mask {mask:.2f}, ")
    assert "steps per second" in panel.pace.value
    assert panel.progress.value == panel.training.n_done and panel.progress.max == 200
    assert enabled(panel) == {"start", "reset"}
    check_bundle(panel)
    check_each_step_is_a_full_redraw([panel.figure])


def test_the_curves_are_the_history(panel):
    panel.start()
    history, lines = panel.training.history, panel.curves.lines
    for name, losses in {"held out": history.held_out, **history.branches}.items():
        steps, heights = lines[name].get_data()
        assert (list(steps), list(heights)) == (history.steps, losses)
        assert panel.curves.readouts[name].get_text() == f"{losses[-1]:.2f}"
    steps, heights = lines["training"].get_data()
    np.testing.assert_allclose(heights[-1], np.mean(history.training[-20:]))
    assert steps[-1] == panel.training.n_done
    assert list(panel.curves.best.get_xdata()) == [panel.training.best_step] * 2


def test_smoothing_is_a_running_mean():
    losses = np.random.default_rng(0).random(3000).tolist()
    steps, means = smoothed(losses)
    assert len(steps) == 400 and (steps[0], steps[-1]) == (1, 3000)
    for step, mean in zip(steps[::37], means[::37], strict=True):
        assert mean == pytest.approx(np.mean(losses[max(0, step - 20):step]))
    assert len(smoothed([])[0]) == 0


def test_other_settings_drop_the_training_and_the_same_ones_do_not(panel):
    panel.start()
    trained = panel.training
    panel.refresh()
    assert panel.training is trained
    panel.seed.value = 5
    assert panel.training is None and panel.sentence.startswith("not yet trained")
    assert panel.progress.value == 0 and panel.pace.value == ""


def test_reset_restores_everything(monkeypatch):
    panel = training_panel(TEXT)
    start = state(panel)
    panel.choose(vocab_size=100, mlm_probability=1.0, shares=(0.5, 0.5, 0), n_steps=10, seed=3)
    panel.text.pasted.value = TEXT[:2000]
    panel.text.use_pasted()
    panel.start()
    assert panel.training.finished and state(panel) != start
    click(panel, "Reset")
    assert state(panel) == start and panel.training is None


def test_sliders_reach_the_training(panel):
    panel.choose(vocab_size=100, mlm_probability=0.4, shares=(0.5, 0.3, 0.2), n_steps=20, seed=7)
    panel.start()
    settings = panel.training.settings
    assert (settings.vocab_size, settings.n_steps, settings.seed) == (100, 20, 7)
    assert settings.rule.mlm_probability == 0.4
    assert (settings.rule.mask_share, settings.rule.swap_share) == (0.5, 0.3)


def test_presets_draw_once_each(panel, monkeypatch):
    drawn = drawings(monkeypatch)
    for caption in panel_module.PRESETS:
        drawn.clear()
        click(panel, caption)
        assert len(drawn) == 1, caption


def test_an_error_in_training_is_told_and_start_clears_it(panel, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Training, "step", lambda self: 1 / 0)
        panel.start()
    assert notice(panel) == "ZeroDivisionError: division by zero" and not panel.running
    panel.start()
    assert notice(panel) == "" and panel.training.finished


def test_verdict_tells_the_truth(panel):
    panel.start()
    n_words = len(panel.training.vocabulary)
    assert panel.verdict.startswith(f"training started at uniform ln {n_words} = ")
    training = panel.training
    place = training.history.steps.index(training.best_step)
    keep, mask = (training.history.branches[name] for name in ("keep", "mask"))
    keep[place], mask[place] = 1.0, 2.0
    assert verdict(training).endswith("ended below it; kept slots cost less than masked ones")
    keep[place] = 2.0
    assert verdict(training).endswith("kept slots cost no less than masked ones")
    keep[place] = math.nan
    assert verdict(training).endswith("not both kept and masked slots to compare")
    training.history.held_out[0] += 0.02
    assert "started not at" in verdict(training)


# Texts


def test_texts_are_taken_or_refused(panel, tmp_path):
    source = panel.text
    first = source.value
    source.pasted.value = "too short"
    click(panel, "Use this text")
    assert "9 bytes" in notice(panel) and "stands as it was" in notice(panel)
    assert source.value is first
    source.pasted.value = TEXT[:3000]
    click(panel, "Use this text")
    assert source.value is not first and notice(panel) == ""
    path = tmp_path / "tale.txt"
    path.write_text(TEXT * 2, "utf-8")
    source.path.value = str(path)
    click(panel, "Read this path")
    assert source.value.n_tokens == 2 * first.n_tokens and "tale.txt" in source.name
    source.path.value = str(tmp_path / "none.txt")
    click(panel, "Read this path")
    assert "no file" in notice(panel) and source.value.n_tokens == 2 * first.n_tokens
    send(source.upload, TEXT[:1500].encode())
    assert source.value.n_tokens < first.n_tokens and notice(panel) == ""
    deliver(source.upload.button, b"\xff" * 2000)
    assert "UTF-8" in notice(panel)
    click(panel, "Language reference")
    assert source.value is first


# The panel in an event loop


def test_it_can_be_paused_and_gone_on_with_and_comes_to_the_same(panel):
    async def main():
        click(panel, "Start")
        assert panel.running and enabled(panel) == {"pause", "reset"}
        assert panel.vocab_size.box.disabled and panel.text.pasted.disabled
        for _ in range(3):
            n_done = panel.training.n_done
            await until(lambda n_done=n_done: panel.training.n_done > n_done + 1)
            click(panel, "Pause")
            n_done = panel.training.n_done
            there = f"{n_done:,} of 3,000".replace(",", "\u202f")
            assert not panel.running and panel.sentence.startswith(f"paused, step {there}")
            assert enabled(panel) == {"start", "go_on", "reset"}
            assert not panel.vocab_size.box.disabled
            await asyncio.sleep(0.1)
            assert panel.training.n_done == n_done
            click(panel, "Continue")
        await until(lambda: not panel.running)
        await asyncio.sleep(0.02)

    panel.n_steps.value = 400
    panel.n_steps.value = 3000
    asyncio.run(main())
    assert panel.sentence.startswith("finished") and notice(panel) == ""
    history = panel.training.history
    panel.start()
    assert panel.training.history == history


def test_reset_and_close_end_a_running_training(panel):
    async def main():
        for end in (panel.reset, panel.close):
            panel.choose(n_steps=5000)
            panel.start()
            await asyncio.sleep(0.05)
            training = panel.training
            end()
            await asyncio.sleep(0.1)
            n_done = training.n_done
            await asyncio.sleep(0.05)
            assert not panel.running and training.n_done == n_done < 5000

    asyncio.run(main())


@pytest.fixture(scope="module")
def kernel():
    manager, client = start_new_kernel(kernel_name="python3")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_pause_works_within_three_tenths_of_a_second_in_a_kernel(kernel):
    """A click as the browser sends it, while the model of the usual size trains."""
    def run(code):
        printed = []
        reply = kernel.execute_interactive(
            code, timeout=60, allow_stdin=False,
            output_hook=lambda message: printed.append(message["content"].get("text", "")))
        assert reply["content"]["status"] == "ok", reply["content"]
        return "".join(printed).strip()

    def idle_after(widget_id):
        message = kernel.session.msg("comm_msg", {
            "comm_id": widget_id, "data": {"method": "custom", "content": {"event": "click"}}})
        begin = time.perf_counter()
        kernel.shell_channel.send(message)
        while True:
            answer = kernel.get_iopub_msg(timeout=20)
            if (answer["parent_header"].get("msg_id") == message["header"]["msg_id"]
                    and answer["content"].get("execution_state") == "idle"):
                return time.perf_counter() - begin

    run("from mlm_helpers.real_text.live_training import training_panel\n"
        "panel = training_panel()\npanel.n_steps.value = 5000")
    ids = run("print(*(button.model_id for button in panel.buttons.values()))").split()
    start, pause, go_on, _ = ids
    idle_after(start)
    delays = []
    for _ in range(5):
        time.sleep(0.2)
        delays.append(idle_after(pause))
        assert run("print(panel.running, panel.sentence[:6])") == "False paused"
        idle_after(go_on)
    assert sorted(delays)[2] < 0.3
    time.sleep(0.2)
    assert run("print(1 + 1)") == "2"  # the kernel answers while it trains
    assert int(run("panel.pause()\nprint(panel.training.n_done)")) > 5


# A sentence of one's own


@pytest.fixture
def reader():
    training = Training(CORPUS, SMALL)
    training.step(100)
    return training


def test_the_bars_are_the_models_softmax(reader):
    panel = sentence_panel(reader, "The owl slept in the attic all day.")
    tokens = "the owl slept in the attic all day .".split()  # noqa: SIM905
    assert [label for label, _ in panel.position.options] == tokens
    for position, token in enumerate(tokens):
        panel.position.value = position
        logits = own_logits(reader.model, reader.vocabulary, tokens, position)
        probabilities = softmax(logits)
        own = probabilities[reader.vocabulary.encode([token])[0]]
        assert panel.sentence.startswith(f"P({token}) = {own:.4f}, loss {-math.log(own):.4f} nats")
        widths = [bar.get_width() for bar in panel.bars.rectangles]
        assert widths[:10] == pytest.approx(sorted(probabilities)[::-1][:10])
        assert sum(widths) == pytest.approx(1)
    check_bundle(panel)
    check_each_step_is_a_full_redraw([panel.figure])


def test_the_word_itself_or_another_can_be_shown(reader):
    panel = sentence_panel(reader, "The owl slept in the attic.")
    masked = panel.example.slot.loss
    panel.shown.value = "owl"
    assert panel.example.slot.loss < masked and panel.example.slot.shown_token == "owl"
    panel.shown.value = "attic"
    assert panel.example.slot.misleads and "by mistake" in panel.sentence
    panel.position.value = 2
    assert panel.shown.value == "[MASK]"


def test_it_opens_in_the_softmax_explorer(reader):
    panel = sentence_panel(reader)
    click(panel, "Open in the softmax explorer")
    click(panel, "Open in the softmax explorer")
    (explorer,) = panel.softmax.children
    assert explorer.sentence == panel.sentence
    panel.reset()
    assert panel.softmax.children == ()


def test_any_sentence_shows_or_is_refused(reader):
    panel = sentence_panel(reader, "the owl")
    start = panel.figure.widget.value
    panel.text.value = " "
    assert "type one" in notice(panel) and panel.figure.widget.value == start
    for text in ("cat", "<b>$x_1$</b> & owl owl owl", "猫 ☃ 👩‍💻", "the " * 80):
        panel.text.value = text
        assert notice(panel) == "" and panel.sentence.startswith("P(")
    panel.text.value = "zebra"
    assert panel.position.options == (("zebra (unknown)", 0),) and "P([UNK])" in panel.sentence
    click(panel, "Reset")
    assert panel.figure.widget.value == start


def test_beside_a_training_panel_it_starts_blind_and_follows(panel):
    beside = sentence_panel(panel, "the owl slept in the attic all day .")
    n_words = len(panel.vocabulary)
    assert beside.sentence == (f"P(owl) = {1 / n_words:.4f}, loss {math.log(n_words):.4f} nats, "
                               f"uniform ln {n_words} = {math.log(n_words):.4f}")
    assert beside.example.slot.tokens == ("owl",)  # of words that are alike none comes first
    panel.start()
    assert beside.example.slot.loss < math.log(n_words) and len(beside.example.slot.tokens) > 9
    panel.reset()
    assert beside.example.slot.tokens == ("owl",)
