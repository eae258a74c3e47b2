"""The Python package, used as its page says; `pytest` from the top of the checkout."""

import gc
import importlib
import os
import pathlib
import random
import re
import signal
import stat
import sys
import threading
import time

import pytest
import totemic

START = {
    "yoxii": "3/5/7/3*3/7/5/3 w",
    "hokito": "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/"
    "w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b",
}


@pytest.fixture(params=sorted(START))
def engine(request):
    with totemic.Engine(request.param) as engine:
        yield engine


def random_game(engine, seed):
    """The positions of a random game, from its start to its end."""
    rng = random.Random(seed)
    engine.set_position()
    fens = [engine.fen()]
    while not engine.is_game_over():
        engine.push(rng.choice(engine.legal_moves()))
        fens.append(engine.fen())
    return fens


def test_the_rules_answer_for_one_position_and_for_many(engine):
    assert engine.fen() == START[engine.game]
    fens = random_game(engine, 1)
    last = engine.result()
    assert last in ("p1win", "p2win", "draw")
    known = list(engine.positions(fens * 30))
    assert [position.fen for position in known] == fens * 30
    assert [position.result for position in known[: len(fens)]] == [None] * (len(fens) - 1) + [last]
    assert engine.fen() == fens[-1], "a batch leaves the position alone"
    for fen, position in zip(fens, known):
        engine.set_position(fen)
        assert engine.legal_moves() == position.legal_moves
        assert (engine.turn(), engine.score()) == (position.turn, position.score)


def test_a_batch_may_be_left_early(engine):
    fens = random_game(engine, 2) * 10
    assert next(iter(engine.positions(fens))).fen == fens[0]
    assert engine.play(totemic.Limit(depth=1)).move is None, "its own game is over as before"


def test_a_batch_may_be_mixed_with_other_calls(engine):
    engine.set_position()
    starts = [engine.fen()] * 300
    for position in engine.positions(starts):
        assert position.fen == starts[0]
        if engine.is_game_over():
            engine.set_position()
        engine.push(engine.legal_moves()[-1])
        assert engine.fen() != starts[0]


def test_no_batch_is_too_large_for_the_pipes(engine):
    engine.set_position()
    start = engine.fen()
    fens = [start] * 90 + ["x" * 60_000] * 20
    with pytest.raises(totemic.BadInput, match="xxx"):
        list(engine.positions(fens))
    assert engine.fen() == start and engine.result() is None

    def failing():
        yield start
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        list(engine.positions(failing()))
    assert engine.fen() == start


def test_a_batch_may_have_planes_and_actions(engine):
    fens = random_game(engine, 3)
    for fen, position in zip(fens, engine.positions(fens, encode=True)):
        engine.set_position(fen)
        assert position.planes == engine.planes() == engine.planes(engine.turn())
        assert position.actions == engine.actions()
        assert len(position.actions) == len(set(position.actions)) == len(position.legal_moves)
        count, ranks, files = position.planes.shape
        assert len(position.planes.values) == count * ranks * files
    assert next(engine.positions(fens)).planes is None


def test_threads_take_turns(engine):
    start = engine.fen()
    wrong = []

    def work():
        for _ in range(100):
            if engine.fen() != start or [it.turn for it in engine.positions([start])] != ["p1"]:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
def test_the_engine_outlives_ctrl_c(engine, request):
    # What runs in the background of a shell has no Ctrl-C of its own.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    start = engine.fen()
    stops = 0
    for _ in range(10):
        threading.Timer(0.05, os.kill, [os.getpid(), signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            while True:
                engine.set_position()
                engine.push(engine.legal_moves()[0])
                list(engine.positions([start] * 50))
        engine.set_position()
        assert (engine.fen(), engine.turn()) == (start, "p1")
    threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        engine.play(totemic.Limit(time=60))
    assert engine.fen() == start


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX forks")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_leaves_the_engine_alone(engine):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            engine.fen()
        except totemic.EngineError:
            engine.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert engine.fen() == START[engine.game]


def test_bad_input_has_the_engines_words_and_changes_nothing(engine):
    move = engine.legal_moves()[0]
    engine.push(move)
    fen, moves = engine.fen(), engine.legal_moves()
    for wrong, word in [
        (lambda: engine.push("zz"), "'zz'"),
        (lambda: engine.push(moves[0], "zz"), "move 2"),
        (lambda: engine.set_position("nonsense"), "nonsense"),
        (lambda: engine.set_position("startpos", [move, "zz"]), "move 2"),
        (lambda: engine.route("zz"), "zz"),
        (lambda: engine.configure({"Hash": "much"}), "much"),
        (lambda: engine.configure({"Colour": 1}), "Colour"),
        (lambda: engine.play(totemic.Limit()), "limit"),
        (lambda: engine.play(totemic.Limit(depth=1), root_moves=["zz"]), "zz"),
        (lambda: engine.push("a\nquit"), "one line"),
        (lambda: list(engine.positions([fen, "nonsense", fen])), "nonsense"),
        (lambda: engine.planes("p3"), "p3"),
        (lambda: engine.analyse(totemic.Limit(depth=1), multipv=0), "MultiPV"),
        (lambda: engine.play(totemic.Limit(time=float("inf"))), "inf"),
        (lambda: totemic.solve("nonsense", game=engine.game), "nonsense"),
        (lambda: totemic.solve("# remark", game=engine.game), "remark"),
        (lambda: totemic.solve("\udcff", game=engine.game), "udcff"),
    ]:
        with pytest.raises(totemic.BadInput, match=word):
            wrong()
        assert (engine.fen(), engine.legal_moves()) == (fen, moves)
        assert engine.result() is None


def test_every_limit_ends_a_search(engine):
    for limit in [
        totemic.Limit(depth=2),
        totemic.Limit(nodes=100),
        totemic.Limit(time=0.05),
        totemic.Limit(mate=2),
        totemic.Limit(p1_clock=1, p2_clock=1, p1_inc=0.01, p2_inc=0.01, remaining_moves=5),
    ]:
        assert engine.play(limit).move in engine.legal_moves()
    among = engine.legal_moves()[-2:]
    assert engine.play(totemic.Limit(depth=2), root_moves=among).move in among


def test_lines_come_ranked_and_with_odds_on_demand(engine):
    engine.configure({"ShowWDL": True})
    lines = engine.analyse(totemic.Limit(depth=3), multipv=3)
    assert [line.multipv for line in lines] == [1, 2, 3]
    assert len({line.pv[0] for line in lines}) == 3
    assert all(sum(line.wdl) == 1000 for line in lines)
    assert len(engine.analyse(totemic.Limit(depth=2))) == 1, "multipv is that of one call"


def test_an_analysis_runs_until_it_is_stopped(engine):
    with engine.analysis(multipv=2) as analysis:
        for line in analysis:
            if line.depth >= 3 and line.multipv == 2:
                break
        with pytest.raises(totemic.EngineError, match="a search is running"):
            engine.fen()
    assert analysis.result().move == analysis.lines()[0].pv[0]
    with engine.analysis() as analysis:
        threading.Timer(0.2, engine.stop).start()
        assert analysis.result().move in engine.legal_moves()


def test_the_solver_tells_values_margins_and_what_it_does_not_know():
    end = "3/IIy1o/yOO1I*1/o1Yy3/yoiiIX1/IXoyO/3 w"
    solution = totemic.solve(end, margin=True, all_moves=True)
    assert (solution.value, solution.margin) == ("win", 5)
    assert solution.best == ("e6e7o", "e6e7y") and solution.best_complete
    assert solution.margins["e6e7x"] == 4 and solution.moves["e4f4o"] == "loss"
    with totemic.Engine() as engine:
        engine.set_position(end)
        assert engine.solve(margin=True).margin == 5
    unknown, known = totemic.solve_many(["startpos", end], time_limit=0.05)
    assert (unknown.value, known.value) == (None, "win")


def test_a_clock_that_is_nearly_empty_does_not_end_the_other_sides_search():
    with totemic.Engine(timeout=0.5) as engine:
        engine.push(engine.legal_moves()[0])
        limit = totemic.Limit(p1_clock=0.01, p2_clock=20, remaining_moves=10)
        assert engine.play(limit).move in engine.legal_moves()


def program(folder, text):
    """A stand-in for the engine."""
    path = folder / "totemic"
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.skipif(os.name == "nt", reason="a script is no program on Windows")
def test_an_engine_that_dies_or_hangs_is_told(tmp_path):
    dying = program(tmp_path, "import sys\nprint('no memory', file=sys.stderr)\nsys.exit(7)\n")
    with pytest.raises(totemic.EngineDied, match="exit code 7.*no memory"):
        totemic.Engine(program=dying)
    hanging = program(tmp_path, "import time\ntime.sleep(60)\n")
    with pytest.raises(totemic.EngineTimeout):
        totemic.Engine(program=hanging, timeout=0.3)


def test_a_search_that_takes_too_long_ends_the_engine(engine):
    with pytest.raises(totemic.EngineTimeout):
        engine.play(totemic.Limit(depth=90), timeout=0.3)
    with pytest.raises(totemic.EngineTimeout):
        engine.fen()


def test_a_missing_program_is_told_with_the_places(monkeypatch, tmp_path):
    with pytest.raises(totemic.ProgramNotFound, match="no-such-engine.*search path"):
        totemic.Engine(program="no-such-engine")
    monkeypatch.setenv("TOTEMIC", "no-such-engine")
    with pytest.raises(totemic.ProgramNotFound, match="no-such-engine.*TOTEMIC"):
        totemic.Engine()
    monkeypatch.delenv("TOTEMIC")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path / "scripts"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    with pytest.raises(totemic.ProgramNotFound, match="scripts.*search path"):
        totemic.Engine()


def test_what_the_environments_need_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "totemic.env", raising=False)
    with pytest.raises(ImportError, match=r'pip install "totemic\[env\]"'):
        importlib.import_module("totemic.env")


def test_an_engine_that_is_killed_says_so(engine):
    engine.configure({"ClearHash": None})
    threading.Timer(0.2, engine._process.kill).start()
    with pytest.raises(totemic.EngineDied, match="engine ended"):
        engine.play(totemic.Limit(time=60))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_engine_that_nobody_uses_ends():
    engine = totemic.Engine()
    answers = os.dup(engine._stdout.fileno())
    del engine
    gc.collect()
    assert os.read(answers, 1) == b"", "nothing more comes: it has ended"
    os.close(answers)


def test_the_page_analyses_many_positions(monkeypatch, tmp_path, capsys):
    page = pathlib.Path(__file__).parents[2] / "src/python/README.md"
    [example] = re.findall("```python\n(import json.*?)```", page.read_text(), re.DOTALL)
    (tmp_path / "positions.txt").write_text(f"{START['hokito']}\n" * 20)
    monkeypatch.chdir(tmp_path)
    folder = str(pathlib.Path(os.environ["TOTEMIC"]).parent)
    monkeypatch.setenv("PATH", folder, prepend=os.pathsep)
    exec(example, {})
    assert capsys.readouterr().out.startswith("20 ")


def test_closing_twice_and_using_a_closed_engine():
    engine = totemic.Engine()
    begin = time.monotonic()
    engine.close()
    engine.close()
    assert time.monotonic() - begin < 5
    with pytest.raises(totemic.EngineDied, match="closed"):
        engine.fen()
