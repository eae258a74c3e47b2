"""The Python package, used as its page says; `pytest` from the top of the checkout."""

import asyncio
import copy
import gc
import importlib
import logging
import os
import pathlib
import random
import re
import pickle
import signal
import stat
import subprocess
import sys
import threading
import time

import pytest
import totemic
import totemic.aio
from totemic._program import find_program

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


def process(engine):
    """The process of an engine."""
    return engine._link.child.process


def working(pid):
    """Whether a process, on Linux, has used the processor in the last moments."""

    def used():
        words = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(words[11]) + int(words[12])

    before = used()
    time.sleep(0.3)
    return used() != before


def at_rest(pid):
    """Waits until a process uses the processor no more."""
    deadline = time.monotonic() + 60
    while working(pid):
        assert time.monotonic() < deadline, "it goes on and on"
    return True


def leave_by_error(engine):
    with engine.analysis():
        engine.push("zz")


def leave_by_break(engine):
    for _ in engine.analysis():
        break


def leave_by_interrupt(engine):
    for _ in engine.analysis():
        raise KeyboardInterrupt


def leave_by_forgetting(engine):
    engine.analysis()


def leave_as_it_begins(engine):
    write = engine._link.write

    def interrupted(data):
        write(data)
        engine._link.write = write
        if b"\ngo " in data:
            raise KeyboardInterrupt

    engine.configure({"MultiPV": 2})
    engine._link.write = interrupted
    engine.analysis(multipv=2)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    "leave", [leave_by_error, leave_by_break, leave_by_interrupt, leave_by_forgetting, leave_as_it_begins]
)
def test_an_analysis_that_was_left_leaves_the_engine_free(engine, leave):
    try:
        leave(engine)
    except (totemic.BadInput, KeyboardInterrupt):
        pass
    gc.collect()
    assert at_rest(process(engine).pid)
    assert engine.fen() == START[engine.game]
    assert engine.play(totemic.Limit(nodes=100)).move in engine.legal_moves()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_an_analysis_that_was_left_stops_while_another_thread_asks(engine):
    asked = threading.Event()

    def ask():
        for _ in engine.positions(["startpos"] * 100_000):
            if asked.is_set():
                break

    thread = threading.Thread(target=ask)
    thread.start()
    for _ in range(10):
        engine.analysis()
        time.sleep(0.02)
    asked.set()
    thread.join()
    assert at_rest(process(engine).pid)


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
    third = engine.analysis()
    with pytest.raises(totemic.BadInput, match="one line"):
        engine.play(totemic.Limit(nodes=100), root_moves=["a\nb"])
    third.stop()
    assert third.result().move in engine.legal_moves(), "what was refused has not replaced it"


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


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_two_thousand_interrupts_leave_an_engine_that_answers(interrupts):
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
        lambda: leave_by_break(engine),
        lambda: engine.solve(nodes=3000),
        read_lines,
        change_game,
    ]
    rng = random.Random(1)
    count = 0
    while count < 2000:
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


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("call", ["solve()", "play(totemic.Limit(depth=90))", "analysis().result()"])
def test_a_script_that_is_killed_leaves_nothing_behind(call):
    script = f"import totemic\nengine = totemic.Engine()\nprint(engine._link.child.process.pid, flush=True)\nengine.{call}"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as user:
        engine = pathlib.Path("/proc") / user.stdout.readline().strip()
        deadline = time.monotonic() + 60
        while not working(engine.name):
            assert time.monotonic() < deadline
        user.kill()
    while engine.exists() and "\nState:\tZ" not in (engine / "status").read_text():
        assert time.monotonic() < deadline, "it goes on and on"
        time.sleep(0.05)


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
        assert process(other).pid != process(engine).pid
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


def test_twins_of_one_process_may_play_different_games(engine):
    twin = engine.twin()
    [other] = {*START} - {engine.game}
    for game in (other, engine.game, other):
        twin.configure({"Game": game})
        assert engine.fen() == START[engine.game] and twin.fen() == START[game]
        assert [it.fen for it in twin.positions(["startpos"])] == [START[game]]
    assert engine.play(totemic.Limit(nodes=50)).move in engine.legal_moves()
    assert twin.play(totemic.Limit(nodes=50)).move in twin.legal_moves()
    twin.close()
    assert engine.fen() == START[engine.game]


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
    with pytest.raises(TypeError):
        found < found.pov("p2")


def test_a_bad_position_can_be_left_out_and_named(engine):
    start, bad = engine.fen(), []
    wrong = ["nonsense", "", "two\nlines", "\udcff"]
    found = engine.positions([start, *wrong, start], encode=True, on_error=lambda *it: bad.append(it))
    assert [it.fen for it in found] == [start, start]
    assert [fen for fen, _ in bad] == wrong
    assert "nonsense" in str(bad[0][1]) and r"two\nlines" in str(bad[2][1]).replace("\\\\", "\\")


def test_what_is_said_is_logged(engine, caplog):
    with caplog.at_level(logging.DEBUG, "totemic"):
        engine.fen()
        for _ in range(2):
            engine.play(totemic.Limit(nodes=10), options={"ClearHash": None})
        engine.play(totemic.Limit(nodes=10))
    said = [it.getMessage() for it in caplog.records]
    assert {"> query fen", f"< response {START[engine.game]}"} <= {*said}
    assert said.count("> setoption name ClearHash") == 2


def test_engines_for_asyncio_have_no_threads():
    async def script():
        async with totemic.aio.Engine("hokito") as engine:
            threads = threading.active_count()
            others = [await totemic.aio.Engine("yoxii", options={"Hash": 4}) for _ in range(5)]
            assert threading.active_count() == threads
            limit = totemic.Limit(nodes=500)
            answers = await asyncio.gather(*(it.play(limit) for it in (engine, *others)))
            assert all(answer.move in it.legal_moves() for answer, it in zip(answers, (engine, *others)))
            async with await engine.analysis(multipv=2) as lines:
                async for line in lines:
                    if line.multipv == 2:
                        break
                assert await engine.fen() == START["hokito"]
            assert (await lines.result()).move == lines.lines()[0].pv[0]
            # A task that is cancelled is an interrupt.
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.play(totemic.Limit(time=60)), 0.2)
            await engine.push(engine.legal_moves()[0])
            async with await engine.copy() as copied:
                assert await copied.fen() == await engine.fen() and await engine.pop()
            found = [it.fen async for it in engine.positions([START["hokito"]] * 300)]
            assert found == [START["hokito"]] * 300
            assert (await others[0].solve(nodes=1000)).value is None
            for it in others:
                await it.close()
            with pytest.raises(totemic.BadInput, match="zz"):
                await engine.push("zz")
            rng = random.Random(1)
            for _ in range(300):
                task = asyncio.ensure_future(engine.play(totemic.Limit(time=60)))
                await asyncio.sleep(rng.random() / 100)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            engine._link.child.process.kill()
            with pytest.raises(totemic.EngineDied):
                await engine.play(totemic.Limit(time=60))
        with pytest.raises(totemic.EngineDied, match="closed"):
            await engine.fen()
        engine = totemic.aio.Engine()
        with pytest.raises(totemic.EngineError, match="not awaited"):
            await engine.fen()
        await engine.close()

    asyncio.run(script())


@pytest.mark.parametrize("way", ["refused", "cancelled", "forgotten"])
def test_an_engine_for_asyncio_that_comes_to_nothing_does_not_harm_the_next(way):
    async def script():
        file = open(os.devnull)
        if way == "refused":
            with pytest.raises(totemic.BadInput, match="Nope"):
                await totemic.aio.Engine(options={"Nope": 1})
        elif way == "cancelled":
            task = asyncio.ensure_future(totemic.aio.Engine())
            for _ in range(10):  # By then it waits for the engine's first answer.
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        else:
            await totemic.aio.Engine()
            gc.collect()
        file.close()  # So that the next handles have other numbers.
        async with totemic.aio.Engine("hokito") as engine:
            assert await engine.fen() == START["hokito"]

    asyncio.run(asyncio.wait_for(script(), 60))


@pytest.mark.skipif(os.name == "nt", reason="a script is no program on Windows")
def test_a_late_answer_is_told_though_another_process_holds_the_output(tmp_path):
    text = f"""
import os, subprocess
with open({str(tmp_path / "holder")!r}, "w") as file:
    print(subprocess.Popen(["sleep", "60"]).pid, file=file)
os.execv({find_program()!r}, ["totemic", "ugi"])
"""

    async def script():
        async with totemic.aio.Engine(program=program(tmp_path, text)) as engine:
            playing = asyncio.ensure_future(engine.play(totemic.Limit(depth=90), timeout=0.3))
            told, _ = await asyncio.wait([playing], timeout=30)
            os.kill(int((tmp_path / "holder").read_text()), signal.SIGKILL)
            assert told
            with pytest.raises(totemic.EngineTimeout):
                await playing

    asyncio.run(script())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX forks")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_leaves_the_engine_alone(engine):
    analysis = engine.analysis()
    questions = [engine.fen, engine.stop, analysis.stop, analysis.result]
    questions.append(lambda: analysis.__exit__(None, None, None))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for question in questions:
                with pytest.raises(totemic.EngineError):
                    question()
            engine.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert engine.fen() == START[engine.game]
    if sys.platform == "linux":
        assert working(process(engine).pid), "the analysis goes on"


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
    monkeypatch.setattr("totemic._program.__file__", str(tmp_path / "target" / "totemic" / "_program.py"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    with pytest.raises(totemic.ProgramNotFound, match="scripts.*search path"):
        totemic.Engine()
    # `pip install --target` puts it there.
    (tmp_path / "target" / "bin").mkdir(parents=True)
    placed = program(tmp_path / "target" / "bin", "")
    assert find_program() == str(placed)


@pytest.mark.skipif(sys.platform != "linux", reason="counts handles")
def test_a_want_of_handles_is_told_as_such():
    script = """
import os, resource, totemic
resource.setrlimit(resource.RLIMIT_NOFILE, (30, 30))
handles = [os.dup(0) for _ in range(24)]
try:
    totemic.Engine()
except totemic.ProgramNotFound:
    print("not found")
except totemic.EngineError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "Too many open files" in done.stdout, done


def test_what_the_environments_need_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "totemic.env", raising=False)
    with pytest.raises(ImportError, match=r'pip install "totemic\[env\]"'):
        importlib.import_module("totemic.env")


def test_an_engine_that_is_killed_says_so(engine):
    engine.configure({"ClearHash": None})
    threading.Timer(0.2, process(engine).kill).start()
    with pytest.raises(totemic.EngineDied, match="engine ended"):
        engine.play(totemic.Limit(time=60))
    for question in (engine.is_game_over, engine.legal_moves, engine.result, engine.turn):
        with pytest.raises(totemic.EngineDied):
            question()


def test_an_engine_that_nobody_uses_ends():
    engine = totemic.Engine()
    ended = process(engine)
    del engine
    gc.collect()
    assert ended.poll() is not None


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
    finished = engine.analysis(totemic.Limit(nodes=10))
    move = finished.result().move
    begin = time.monotonic()
    engine.close()
    engine.close()
    assert time.monotonic() - begin < 5
    assert finished.result().move == move and [*finished]
    with pytest.raises(totemic.EngineDied, match="closed"):
        engine.fen()
