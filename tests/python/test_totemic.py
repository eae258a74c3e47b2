"""The Python package, used as its page says; `pytest` from the top of the checkout."""

import os
import random
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
        (lambda: totemic.solve("nonsense", game=engine.game), "nonsense"),
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
    with engine.analysis() as analysis:
        for line in analysis:
            if line.depth >= 3:
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
    with pytest.raises(totemic.EngineError):
        engine.fen()


def test_a_missing_program_is_told_with_the_places(monkeypatch, tmp_path):
    with pytest.raises(totemic.ProgramNotFound, match="no-such-engine"):
        totemic.Engine(program="no-such-engine")
    monkeypatch.delenv("TOTEMIC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path / "scripts"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    with pytest.raises(totemic.ProgramNotFound, match="scripts.*search path"):
        totemic.Engine()


def test_closing_twice_and_using_a_closed_engine():
    engine = totemic.Engine()
    begin = time.monotonic()
    engine.close()
    engine.close()
    assert time.monotonic() - begin < 5
    with pytest.raises(totemic.EngineDied, match="closed"):
        engine.fen()
