"""The Python package, used as its page says; `pytest` from the top of the checkout."""

import asyncio
import copy
import dataclasses
import gc
import importlib
import inspect
import os
import pathlib
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import pytest
import totemic
import totemic.aio
from totemic._totemic import Session

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


def test_a_batch_may_have_planes_and_actions(engine):
    fens = random_game(engine, 3)
    for fen, position in zip(fens, engine.positions(fens, encode=True)):
        engine.set_position(fen)
        assert position.planes.shape == totemic.PLANES[engine.game]
        assert position.planes == engine.planes() == engine.planes(engine.turn())
        assert position.actions == engine.actions()
        assert len(position.actions) == len(set(position.actions)) == len(position.legal_moves)
        count, ranks, files = position.planes.shape
        assert len(position.planes.values) == count * ranks * files
    assert next(engine.positions(fens)).planes is None


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
    for job in (lambda: engine.play(totemic.Limit(time=60)), lambda: totemic.solve_many([start] * 2, game=engine.game)):
        threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            job()
        assert engine.fen() == start and time.monotonic() - begin < 5


def at_rest():
    """Waits until nothing in this process works any more."""
    deadline = time.monotonic() + 60
    while True:
        before = time.process_time()
        time.sleep(0.1)
        if time.process_time() - before < 0.02:
            return True
        assert time.monotonic() < deadline, "it goes on and on"


WAYS_TO_LEAVE = [
    "with engine.analysis(): engine.push('zz')",
    "for _ in engine.analysis(): break",
    "for _ in engine.analysis(): raise KeyboardInterrupt",
    "engine.analysis()",
]


@pytest.mark.parametrize("leave", WAYS_TO_LEAVE)
def test_an_analysis_that_was_left_leaves_the_engine_free(engine, leave):
    try:
        exec(leave, {"engine": engine})
    except (totemic.BadInput, KeyboardInterrupt):
        pass
    gc.collect()
    assert at_rest()
    assert engine.fen() == START[engine.game]
    assert engine.play(totemic.Limit(nodes=100)).move in engine.legal_moves()


def test_a_new_search_ends_the_one_before(engine):
    first = engine.analysis()
    next(iter(first))
    among = engine.legal_moves()[-2:]
    assert engine.play(totemic.Limit(nodes=100), root_moves=among).move in among
    assert first.result().move in engine.legal_moves(), "it has its own answer"
    second = engine.analysis()
    engine.new_game()
    engine.configure({"Hash": 8})
    assert second.result().move in engine.legal_moves()
    with pytest.raises(totemic.BadInput, match="one line"):
        engine.play(totemic.Limit(nodes=100), root_moves=["a\nb"])


def test_threads_may_share_an_analysis(engine):
    moves = []
    with engine.analysis() as analysis:
        waiting = [threading.Thread(target=lambda: moves.append(analysis.result().move)) for _ in range(3)]
        for thread in waiting:
            thread.start()
        next(iter(analysis))
        analysis.stop()
        for thread in waiting:
            thread.join(timeout=60)
        assert moves == [analysis.result().move] * 3
    found = []
    with engine.analysis(totemic.Limit(nodes=3000), multipv=8) as analysis:
        readers = [threading.Thread(target=lambda: found.append([*analysis])) for _ in range(4)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(timeout=60)
    assert len(found) == 4 and {line.multipv for lines in found for line in lines} == {*range(1, 9)}


def test_a_thousand_interrupts_leave_an_engine_that_answers(interrupts):
    engine = totemic.Engine("hokito")
    start, moves = engine.fen(), engine.legal_moves()

    def read_lines():
        with engine.analysis(multipv=2) as lines:
            for line in lines:
                if line.depth > 3:
                    break

    def change_game():
        engine.configure({"Game": "yoxii"})
        engine.configure({"Game": "hokito"})

    jobs = [
        lambda: engine.play(totemic.Limit(nodes=200)),
        lambda: engine.play(totemic.Limit(time=60)),
        lambda: engine.play(totemic.Limit(nodes=50), options={"Skill": 3}),
        lambda: engine.push(moves[0]) or engine.pop(),
        lambda: list(engine.positions([start] * 150)),
        lambda: exec("for _ in engine.analysis(): break", {"engine": engine}),
        lambda: engine.solve(nodes=3000),
        read_lines,
        change_game,
    ]
    rng = random.Random(1)
    count = 0
    while count < 1000:
        job = rng.choice(jobs)
        try:
            interrupts.arm(rng.choice([0.0005, 0.02]) * (1 - rng.random()))
            # What is raised where nobody can catch it is lost.
            for _ in range(2000):
                job()
                if not interrupts.armed:
                    break
        except KeyboardInterrupt:
            count += 1
        interrupts.armed = False
        if engine.game != "hokito":
            engine.configure({"Game": "hokito"})
        engine.set_position()
        assert (engine.fen(), engine.legal_moves()) == (start, moves)
        assert len(engine.analyse(totemic.Limit(nodes=50))) == 1
    engine.close()


def test_moves_are_taken_back_and_engines_copied(engine):
    one, two = engine.legal_moves()[:2]
    engine.configure({"MultiPV": 2, "Hash": 8})
    engine.push(one)
    copies = [engine.copy(), copy.copy(engine), copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))]
    assert engine.pop() == one
    with pytest.raises(totemic.BadInput, match="no move"):
        engine.pop()
    engine.push(two)
    for other in copies:
        assert (other.game, other.pop()) == (engine.game, one)
        assert other.fen() == START[engine.game] != engine.fen()
        other.close()
    engine.set_position("startpos", one)
    moves = engine.legal_moves()
    engine.push(f"{moves[0]}")
    engine.set_position("startpos", f"{one} {moves[0]}")
    engine.push()
    again = [*engine.legal_moves()]
    engine.set_position(f"startpos moves {one}", [moves[0], again[0]])
    assert engine.pop() == again[0], "a position's text may have moves, too"
    fen = engine.fen()
    engine.set_position("startpos", [one])
    engine.push(moves[0])
    assert engine.fen() == fen, "moves may be one text or many"


def test_options_are_listed_and_hold_for_one_call(engine):
    assert engine.options["Hash"].default == "64" and engine.options["Hash"].min == 1
    assert engine.options["Game"].var == ("yoxii", "hokito")
    assert engine.id["name"].startswith("Totemic ") and engine.id["author"]
    assert totemic.MAX_PLIES[engine.game] >= len(random_game(engine, 4)) - 1
    engine.set_position()
    engine.ping()
    limit = totemic.Limit(depth=2)
    assert engine.analyse(limit, options={"ShowWDL": True})[0].wdl
    assert engine.analyse(limit)[0].wdl is None
    with pytest.raises(totemic.BadInput, match="Skill"):
        engine.play(limit, options={"Skill": 21})
    assert engine.play(limit).move
    with pytest.raises(totemic.BadInput, match="Game"):
        engine.play(limit, options={"Game": engine.game})
    engine.configure({"Hash": 32})
    assert engine.fen() == START[engine.game]
    with totemic.Engine(f" {engine.game.title()} ") as other:
        assert (other.game, other.fen()) == (engine.game, START[engine.game])


def test_the_page_names_the_longest_games():
    page = (pathlib.Path(__file__).parents[2] / "protocol.md").read_text()
    for game, plies in totemic.MAX_PLIES.items():
        [entry] = re.findall(rf"\*\*{game.title()}\.\*\*.*?\n\n", page, re.DOTALL)
        assert f"at most {plies} moves" in " ".join(entry.split())


def test_scores_have_an_order_and_a_point_of_view(engine):
    score = totemic.Score
    rising = [score(mate=-1), score(mate=-3), score(cp=-5), score(cp=7), score(mate=9), score(mate=2)]
    assert sorted(reversed(rising)) == rising
    found = engine.analyse(totemic.Limit(depth=2))[0].score
    assert found.turn == "p1" and found.pov("p1") == found
    assert found.pov("p2") == -found and -found.pov("p2") == found and found.pov("p2").cp == -found.cp
    with pytest.raises(totemic.BadInput, match="pov"):
        found < found.pov("p2")
    with pytest.raises(totemic.BadInput, match="expected 'p1' or 'p2'"):
        found.pov("player_2")


def test_a_bad_position_can_be_left_out_and_named(engine):
    start, bad = engine.fen(), []
    wrong = ["nonsense", "", "two\nlines", "\udcff"]
    found = engine.positions([start, *wrong, start], encode=True, on_error=lambda *it: bad.append(it))
    assert [it.fen for it in found] == [start, start]
    assert [fen for fen, _ in bad] == wrong
    assert "nonsense" in str(bad[0][1]) and r"two\nlines" in str(bad[2][1]).replace("\\\\", "\\")


def test_an_engine_for_asyncio_lets_others_work():
    async def script():
        async with totemic.aio.Engine("hokito") as engine:
            others = [totemic.aio.Engine("yoxii", options={"Hash": 4}) for _ in range(5)]
            limit = totemic.Limit(nodes=500)
            answers = await asyncio.gather(*(it.play(limit) for it in (engine, *others)))
            assert all(answer.move in it.legal_moves() for answer, it in zip(answers, (engine, *others)))
            async with engine.analysis(multipv=2) as lines:
                async for line in lines:
                    if line.multipv == 2:
                        break
                assert engine.fen() == START["hokito"]
                waiting = [asyncio.ensure_future(lines.result()) for _ in range(3)]
                await asyncio.sleep(0.05)
                lines.stop()
                assert {it.move for it in await asyncio.gather(*waiting)} == {lines.lines()[0].pv[0]}
            # A task that is cancelled is an interrupt.
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.play(totemic.Limit(time=60)), 0.2)
            engine.push(engine.legal_moves()[0])
            copied = engine.copy()
            assert copied.fen() == engine.fen() and engine.pop()
            assert (await others[0].solve(nodes=1000)).value is None
            assert len(await others[0].analyse(limit, multipv=3)) == 3
            with pytest.raises(totemic.BadInput, match="Skill"):
                await engine.play(limit, options={"Skill": 21})
            rng = random.Random(1)
            for _ in range(300):
                task = asyncio.ensure_future(engine.play(totemic.Limit(time=60)))
                await asyncio.sleep(rng.random() / 100)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            return engine, engine.analysis()

    engine, left = asyncio.run(script())
    with pytest.raises(totemic.EngineError, match="closed"):
        asyncio.run(engine.play(totemic.Limit(nodes=10)))
    del engine, left
    gc.collect()
    assert at_rest()


def test_an_engine_for_asyncio_outlives_its_loop():
    engine = totemic.aio.Engine("hokito")
    moves = {asyncio.run(engine.play(totemic.Limit(nodes=200))).move for _ in range(3)}
    assert moves <= {*engine.legal_moves()}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX forks")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_leaves_the_engine_alone(engine):
    engine.play(totemic.Limit(nodes=10))
    analysis = engine.analysis()
    questions = [engine.stop, engine.new_game, analysis.stop, analysis.result, lambda: next(analysis)]
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for question in questions:
                with pytest.raises(totemic.EngineError, match="process"):
                    question()
            engine.close()
            del analysis, questions, question
            engine = None
            gc.collect()
            with totemic.Engine("hokito") as own:
                assert own.play(totemic.Limit(nodes=100)).move
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert not analysis._search.progress()[1], "the analysis goes on"
    analysis.stop()
    assert analysis.result().move


WAYS_OUT = [
    "engine.analysis()",
    "lines = engine.analysis(); sys.exit()",
    "lines = engine.analysis(); os._exit(0)",
    "lines = engine.analysis(); next(lines)",
    "threading.Thread(target=engine.play, args=[totemic.Limit(time=60)], daemon=True).start(); time.sleep(0.1)",
    "threading.Thread(target=lambda: next(engine.analysis())).start()",
    "atexit.register(lambda: engine.play(totemic.Limit(nodes=100)))",
    "atexit.register(engine.analysis)",
    "engine.close(); sys.last = type('Last', (), {'__del__': lambda _: engine.play(totemic.Limit(nodes=9))})()",
    "sys.engine, sys.lines = engine, engine.analysis()",
    "loop = asyncio.new_event_loop(); task = loop.create_task(aio.play(totemic.Limit(time=60))); "
    "loop.run_until_complete(asyncio.sleep(0.05))",
    "del engine, aio; asyncio.run(asyncio.wait_for(totemic.aio.Engine().analysis().result(), 0.3))",
    "signal.setitimer(signal.ITIMER_REAL, 0.1); signal.signal(signal.SIGALRM, lambda *_: sys.exit()); "
    "engine.play(totemic.Limit(time=60))",
]


@pytest.mark.parametrize("way", WAYS_OUT)
def test_a_script_ends_whatever_it_leaves_behind(way):
    if "setitimer" in way and not hasattr(signal, "setitimer"):
        pytest.skip("only POSIX has such timers")
    script = "import asyncio, atexit, os, signal, sys, threading, time, totemic, totemic.aio\n"
    script += f"engine, aio = totemic.Engine(), totemic.aio.Engine()\n{way}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    code = int("wait_for" in way)  # of a TimeoutError
    assert (done.returncode, "panick" in done.stderr) == (code, False), done.stderr


def test_many_engines_at_once_leave_nothing():
    threads = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 0
    engines = [totemic.Engine("hokito", options={"Hash": 1}) for _ in range(300)]
    assert all(engine.play(totemic.Limit(nodes=20)).move for engine in engines)
    found = [engine.analysis() for engine in engines[:20]]
    assert all(next(it).pv for it in found)
    for engine in engines[::2]:
        engine.close()
    del engines, engine, found
    gc.collect()
    assert at_rest()
    if threads:
        assert len(os.listdir("/proc/self/task")) <= threads


def test_bad_input_has_the_engines_words_and_changes_nothing(engine):
    move = engine.legal_moves()[0]
    engine.push(move)
    fen, moves = engine.fen(), engine.legal_moves()
    limit, inf, nan = totemic.Limit, float("inf"), float("nan")
    solve, set_position = partial(totemic.solve, game=engine.game), engine.set_position
    for wrong, word in [
        *((partial(engine.push, *it), word) for *it, word in [("zz", "'zz'"), (moves[0], "zz", "move 2"), ("a\nquit", "'a'")]),
        *((partial(set_position, *it), word) for *it, word in [
            ("nonsense", "nonsense"), ("startpos", [move, "zz"], "move 2"), ("startpos\nquit", "one line"), (None, "None")
        ]),
        *((partial(call, it), str(it)) for call in (engine.route, engine.state.string_to_action) for it in ("zz", 5)),
        (lambda: engine.configure(5), "options 5"),
        (lambda: totemic.Engine(engine.game, options=5), "options 5"),
        (lambda: engine.play(limit(depth=1), options="Hash"), "options 'Hash'"),
        *((partial(engine.configure, {name: "much"}), name) for name in ("Hash", "Colour", "5")),
        *((partial(engine.play, it), word) for it, word in [
            (limit(), "limit"), (None, "None"), (limit(time=nan), "nan"), (limit(time=inf), "inf"),
            (limit(time=10**400), "time"), (limit(nodes="100 depth 1"), "100 depth 1"),
        ]),
        (lambda: engine.play(limit(depth=1), root_moves=["zz"]), "zz"),
        (lambda: engine.play(limit(depth=1), options={"multipv": 3}), "multipv="),
        (lambda: engine.analyse(limit(depth=1), multipv=0), "MultiPV"),
        *((partial(totemic.State, it), str(it)) for it in (None, "chess")),
        (lambda: totemic.State(engine.game, 5), "5"),
        *((partial(engine.state.apply_action, it), str(it)) for it in (-1, 10**6, 2**70, "x", None)),
        (lambda: list(engine.positions([fen, "nonsense", fen])), "nonsense"),
        *((partial(engine.planes, it), str(it)) for it in ("p3", 5)),
        *((partial(solve, it), word) for it, word in [("nonsense", "nonsense"), ("# remark", "remark"), ("\udcff", "fen")]),
        *((partial(solve, fen, nodes=it), str(it)) for it in (0, -5, "5")),
    ]:
        with pytest.raises(totemic.BadInput, match=word):
            wrong()
        assert (engine.fen(), engine.legal_moves()) == (fen, moves)
        assert engine.result() is None


def test_every_limit_ends_a_search(engine):
    for limit in dataclasses.fields(totemic.Limit):
        of_clocks = {} if limit.name in ("time", "depth", "nodes", "mate") else {"p1_clock": 1}
        value = 0.05 if "float" in str(limit.type) else 2
        assert engine.play(totemic.Limit(**of_clocks | {limit.name: value})).move in engine.legal_moves()
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
        # The rules are answered meanwhile.
        assert engine.fen() == START[engine.game] and engine.turn() == "p1"
        assert engine.route(engine.legal_moves()[0]) and engine.score()
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
    begin = time.monotonic()
    unknown, known = totemic.solve_many(["startpos", end], time_limit=0.05)
    assert (unknown.value, known.value) == (None, "win")
    assert totemic.Engine().solve(margin=True, all_moves=True, time_limit=0.1).value is None
    assert time.monotonic() - begin < 2, "it asks about no move when the time is over"


def test_many_positions_are_solved_as_each_of_them(engine):
    ends = [random_game(engine, seed)[-1 - seed % 6] for seed in range(36)]
    for threads in (1, 3):
        asked = {"margin": True, "all_moves": True, "options": {"Threads": threads}}
        for fen, found in zip(ends, totemic.solve_many(ends, game=engine.game, **asked)):
            engine.set_position(fen)
            assert found == dataclasses.replace(engine.solve(**asked), nodes=found.nodes, time=found.time)
            assert found.best_complete and bool(found.best) != engine.is_game_over()


def test_what_the_environments_need_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "totemic.env", raising=False)
    with pytest.raises(ImportError, match=r'pip install "totemic\[env\]"'):
        importlib.import_module("totemic.env")


def test_the_page_analyses_many_positions(monkeypatch, tmp_path, capsys):
    page = pathlib.Path(__file__).parents[2] / "src/python/README.md"
    [example] = re.findall("```python\n(import json.*?)```", page.read_text(), re.DOTALL)
    (tmp_path / "positions.txt").write_text(f"{START['hokito']}\n" * 20)
    monkeypatch.chdir(tmp_path)
    if not (folder := os.environ.get("TOTEMIC_PROGRAMS")):
        pytest.skip("TOTEMIC_PROGRAMS names no folder with the program")
    monkeypatch.setenv("PATH", folder, prepend=os.pathsep)
    exec(example, {})
    assert capsys.readouterr().out.startswith("20 ")


def test_closing_twice_and_using_a_closed_engine():
    engine = totemic.Engine()
    finished = engine.analysis(totemic.Limit(nodes=10))
    move = finished.result().move
    begin = time.monotonic()
    engine.close()
    engine.close()
    assert time.monotonic() - begin < 5
    assert finished.result().move == move and [*finished]
    with pytest.raises(totemic.EngineError, match="closed"):
        engine.play(totemic.Limit(nodes=10))


@pytest.mark.parametrize("game", sorted(START))
def test_states_are_those_of_the_protocol(game):
    queries = [f"query {it}" for it in ("legalmoves", "actions", "planes", "planes p1", "planes p2", "score", "result")]
    session, rng, count, seed = Session(game), random.Random(1), 0, 0
    mask, planes = bytearray(totemic.ACTIONS[game]), bytearray(len(totemic.State(game).planes()))
    # Each number is a character from "0".
    digits = bytes(48 + number for number in range(48))
    # 20,000 of them take half a minute: TOTEMIC_STATES=20000.
    while count < int(os.environ.get("TOTEMIC_STATES", 2000)):
        state, seed = totemic.State(game, f"random {seed}"), seed + 1
        while True:
            answers = session.ask(f"position fen {state.fen()}", *queries)
            moves, actions, *seen, score, result = (it.split()[1:] for it in answers)
            known = state.facts(True)
            assert known[2] == state.legal_moves() == tuple(moves)
            assert [totemic.ACTIONS[game], *known[5]] == [int(it) for it in actions]
            legal = sorted(known[5])
            assert state.legal_actions() == legal
            state.legal_actions_mask(mask)
            assert mask.count(1) == len(legal) == len(mask) - mask.count(0) and all(mask[it] for it in legal)
            state.planes(out=planes)
            for told, own in zip(seen, (planes, state.planes("p1"), state.planes("p2"))):
                assert told[-1].encode() == own.translate(digits.ljust(256))
            assert [*state.score()] == [int(it) for it in score]
            assert (state.result() or "none") == result[0]
            count += 1
            if not legal:
                break
            state.apply_action(rng.choice(legal))


@pytest.mark.parametrize("game", sorted(START))
def test_states_are_taken_back_copied_and_compared(game):
    rng = random.Random(1)
    for seed in range(3):
        state = totemic.State(game, f"random {seed}")
        while not state.is_terminal():
            actions = [state.string_to_action(move) for move in state.legal_moves()]
            assert [state.action_to_string(it) for it in actions] == [*state.legal_moves()]
            before, action = state.clone(), rng.choice(actions)
            state.apply_action(action)
            assert state != before and state.history[:-1] == before.history
            assert (state.pop(), state) == (before.action_to_string(action), before)
            assert hash(state) == hash(before)
            state.push(before.action_to_string(action))
        one, two = state.returns()
        assert one == -two and state.current_player() == -4
        for other in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
            assert (other, other.history) == (state, state.history)
        at_text = totemic.State(state.game, before.fen())
        assert pickle.loads(pickle.dumps(at_text)) == copy.copy(at_text) == before


def test_help_shows_the_arguments_and_what_they_mean():
    for what, names in [
        (totemic.State, "game, position, moves"),
        (totemic.Engine.push, "moves"),
        (totemic.Engine.play, "limit, root_moves, options"),
        (totemic.Engine.solve, "margin, all_moves, time_limit, nodes, options"),
        (totemic.State.planes, "viewer, out"),
        (totemic.Batch, "game, planes, mask, turns, rewards, ended"),
    ]:
        found = [name for name in inspect.signature(what).parameters if name != "self"]
        assert found == names.split(", ") and what.__doc__
