"""The environments of PettingZoo, and the example that learns."""

import copy
import pathlib
import pickle
import random
import re
import subprocess
import sys

import pytest
import totemic

pytest.importorskip("pettingzoo", reason='pip install "totemic[env]"')
import numpy as np
from pettingzoo.test import api_test, seed_test
from totemic import env


PACKAGE = pathlib.Path(__file__).parents[2] / "src/python"


def examples(word):
    """The blocks of the page with a word in them."""
    blocks = re.findall("```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    return [block for block in blocks if word in block]


@pytest.fixture(params=["yoxii", "hokito"])
def game(request):
    game = env.raw_env(request.param, render_mode="ansi")
    yield game
    game.close()


# A dictionary with a mask, and a mask of zeros for who waits, are what PettingZoo's own
# games have.
@pytest.mark.filterwarnings("ignore:.*(action mask|space for each agent|not a NumPy).*:UserWarning")
@pytest.mark.parametrize("make", [env.yoxii, env.hokito])
def test_pettingzoo_accepts_them(make):
    tested = make()
    api_test(tested, num_cycles=200)
    tested.close()
    seed_test(make, num_cycles=50)


def random_game(game, rng):
    """Plays actions at random to the end; yields before each."""
    while not any(game.terminations.values()):
        yield game.agent_selection
        mask = game.observe(game.agent_selection)["action_mask"]
        game.step(rng.choice(np.flatnonzero(mask)))


def test_a_game_ends_with_the_engines_result(game):
    rng = np.random.default_rng(3)
    for seed in range(5):
        game.reset(seed=seed)
        for agent in random_game(game, rng):
            assert not any(game.rewards.values())
            assert set(game.moves.values()) == set(game.position.legal_moves())
            waiting = next(other for other in game.agents if other != agent)
            assert not game.observe(waiting)["action_mask"].any()
        rewards = {"p1win": [1, -1], "p2win": [-1, 1], "draw": [0, 0]}[game.position.result()]
        assert [*game.rewards.values()] == rewards
        # Who asks for the last observation gets the reward, then leaves.
        for agent in game.agent_iter():
            assert game.last()[1:3] == (rewards[game.possible_agents.index(agent)], True)
            game.step(None)
        assert not game.agents


def board(observation, game):
    """The position's text without its side, from what a player sees."""
    planes = observation.astype(int)
    if game == "hokito":
        marks = [f"{side}{value}" for side in "bw" for value in "123"]
        squares = [["x"] * 6 for _ in range(6)]
        heights = planes[6] + planes[7]
    else:
        marks = [*"OIYXoiyx*"]
        squares = [["1" if there else "" for there in row] for row in planes[9]]
        heights = np.ones((7, 7), int)
    for mark, plane in zip(marks, planes):
        for rank, file in np.argwhere(plane):
            height = heights[rank, file]
            squares[rank][file] = mark + (f":{height}" if height > 1 else "")
    separator = "," if game == "hokito" else ""
    return "/".join(separator.join(rank) for rank in reversed(squares))


def spread(fen):
    """The board of a position's text with each empty square alone."""
    text = fen.split()[0]
    if "," in text:
        return re.sub(r"x(\d)", lambda run: ",".join("x" * int(run[1])), text)
    return re.sub(r"\d", lambda run: "1" * int(run[0]), text)


def test_planes_hold_the_whole_position(game):
    rng = np.random.default_rng(5)
    game.reset(seed=9)
    own = {"hokito": 3, "yoxii": 4}[game.position.game]
    for _ in random_game(game, rng):
        first, second = (game.observe(agent)["observation"] for agent in game.possible_agents)
        assert board(first, game.position.game) == spread(game.position.fen())
        # Player two sees it turned, its own before the other's.
        turned = second[:, ::-1, ::-1]
        assert (turned[:own] == first[own : 2 * own]).all()
        assert (turned[own : 2 * own] == first[:own]).all()


def test_actions_name_squares_from_the_view_of_the_player(game):
    rng = np.random.default_rng(7)
    game.reset(seed=9)
    for agent in random_game(game, rng):
        seen = game.observe(agent)["observation"]
        exist = seen[9] if len(seen) == 18 else np.ones((6, 6))
        names = [f"{'abcdefg'[file]}{rank + 1}" for rank, file in np.argwhere(exist)]
        names = names if agent == "player_1" else names[::-1]
        values = 4 if len(seen) == 18 else 1
        for action, move in game.moves.items():
            squares, value = divmod(action, values)
            one, two = divmod(squares, len(names))
            assert names[one] + names[two] + "oiyx"[value] * (values > 1) == move


def test_a_start_is_that_of_the_seed_or_of_the_options(game):
    def starts(seed):
        game.reset(seed=seed)
        fens = [game.position.fen()]
        for _ in range(2):
            game.reset()
            fens.append(game.position.fen())
        return fens

    assert starts(4) == starts(4)
    if game.position.game == "hokito":
        assert len({*starts(4), *starts(5)}) == 6
    state = totemic.State(game.position.game, "random 4")
    assert starts(4)[0] == state.fen()
    state.push(state.legal_moves()[0])
    game.reset(options={"position": state.fen()})
    assert game.agent_selection == "player_2"
    while not state.is_terminal():
        state.push(state.legal_moves()[0])
    game.reset(options={"position": state.fen()})
    assert game.terminations[game.agent_selection]
    assert abs(game.last()[1]) == (state.result() != "draw")
    for wrong in ({"seed": -1}, {"seed": "x"}, {"options": {"position": 5}}, {"options": {"foo": 1}}):
        with pytest.raises(totemic.BadInput, match="-1|x|5|foo"):
            game.reset(**wrong)


def test_a_board_is_drawn(game, capsys):
    game.reset(seed=1)
    assert game.position.fen() in game.render()
    game.render_mode = "svg"
    assert game.render().startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    game.render_mode = "human"
    game.step(next(iter(game.moves)))
    assert game.position.fen() in capsys.readouterr().out


def test_an_illegal_action_is_refused_and_loses_in_the_wrappers(game):
    game.reset()
    with pytest.raises(totemic.BadInput, match="action 0"):
        game.step(0)
    with pytest.raises(totemic.BadInput, match="reset"):
        env.raw_env(game.position.game).step(0)
    with pytest.raises(totemic.BadInput, match="human, ansi, svg"):
        env.raw_env(game.position.game, render_mode="rgb_array")
    wrapped = env.env(game.position.game)
    wrapped.reset(seed=1)
    wrapped.step(0)
    assert wrapped.rewards["player_1"] == -1
    wrapped.close()


COPIES = [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it)), lambda it: it.clone()]


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("make", [env.raw_env, env.env])
def test_copies_play_on_independently(game, copied, make):
    rng = np.random.default_rng(3)
    original = make(game.position.game)
    original.reset(seed=4)
    for moment, _ in enumerate(random_game(original, rng)):
        if moment == 5:
            break
    twin = copied(original)
    assert type(twin) is type(original)

    def seen(it):
        views = [it.observe(agent) for agent in it.possible_agents]
        return [view[name].tobytes() for view in views for name in sorted(view)], it.unwrapped.position.fen()

    before = seen(original)
    assert seen(twin) == before and twin.agent_selection == original.agent_selection
    for _ in random_game(twin, np.random.default_rng(4)):
        assert seen(original) == before
    ended = seen(twin)
    twin.close()
    for _ in random_game(original, np.random.default_rng(4)):
        pass
    assert seen(original) == ended and original.rewards == twin.rewards
    original.reset()
    original.close()


def test_an_interrupt_leaves_a_game_before_a_step_or_after_it(game, interrupts):
    rng = random.Random(1)
    games = env.vector(game.position.game, 4)
    game.reset(seed=1)
    seen, _ = games.reset(seed=1)
    for _ in range(1000):
        try:
            interrupts.arm(rng.uniform(0.0001, 0.003))
            while interrupts.armed:
                if any(game.terminations.values()):
                    game.reset()
                game.step(rng.choice([*game.moves]))
                seen, *_ = games.step([np.flatnonzero(mask)[-1] for mask in seen["action_mask"]])
        except KeyboardInterrupt:
            pass
        interrupts.armed = False
        state = totemic.State(game.position.game, game.position.fen())
        assert [*game.moves] == [state.string_to_action(move) for move in state.legal_moves()]
        assert game.agent_selection == f"player_{state.turn()[1]}"
        assert all(game.terminations.values()) == state.is_terminal()
        view = game.observe(game.agent_selection)
        assert view["observation"].tobytes() == state.planes()
        # A step that has been played and is not seen, maybe to an end that is not begun again.
        seen = games._seen
        if games._ended.any():
            seen, _ = games.reset()
        states = [totemic.State(game.position.game, fen) for fen in games._games.fens()]
        assert [it.legal_actions_mask() for it in states] == [mask.tobytes() for mask in seen["action_mask"]]


@pytest.mark.parametrize("name", ["yoxii", "hokito"])
def test_many_games_at_once_are_those_of_the_rules(name):
    rng = np.random.default_rng(5)
    games = env.vector(name, 300)
    seen, infos = games.reset(seed=7)
    first = seen["observation"].copy()
    assert totemic.State(name, "random 9").planes() == first[2].tobytes()
    singles = [env.raw_env(name) for _ in range(3)]
    for number, single in enumerate(singles):
        single.reset(seed=7 + number)
    played, running = 0, set(range(3))
    while running:
        assert games.observation_space.contains(seen)
        turns = infos["turn"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
        for number in running:
            expected = singles[number].observe(singles[number].agent_selection)
            assert all((expected[part] == seen[part][number]).all() for part in expected)
        seen, rewards, ended, cut, infos = games.step(actions)
        played += 1
        assert not cut.any() and not rewards[~ended].any()
        for number in [*running]:
            mover = singles[number].agent_selection
            assert mover == singles[number].possible_agents[turns[number]]
            singles[number].step(int(actions[number]))
            assert singles[number].rewards[mover] == rewards[number]
            assert singles[number].terminations[mover] == ended[number]
            if ended[number]:
                running.remove(number)
                last = singles[number].observe(singles[number].agent_selection)
                assert (infos["final_obs"][number]["observation"] == last["observation"]).all()
                assert seen["action_mask"][number].any() and infos["turn"][number] == 0
    assert played <= totemic.MAX_PLIES[name]
    with pytest.raises(totemic.BadInput, match="game 1"):
        games.step([np.flatnonzero(seen["action_mask"][0])[0], -1, *[0] * 298])
    for wrong in (lambda: games.step([0] * 299), lambda: games.reset(seed=[7])):
        with pytest.raises(totemic.BadInput, match="expected 300"):
            wrong()
    again, _ = games.reset(seed=[7] * 300)
    assert (again["observation"] == again["observation"][0]).all()
    for seed in (np.int64(7), np.arange(7, 307)):
        again, _ = games.reset(seed=seed)
        assert (again["observation"] == first).all()
    state = totemic.State(name)
    state.push(state.legal_moves()[0])
    again, infos = games.reset(options={"position": state.fen()})
    assert infos["turn"].all() and again["observation"][299].tobytes() == state.planes()
    for wrong, word in [
        (lambda: env.vector(name, 0), "num_envs"),
        (lambda: env.vector(name, 1).step([0]), "reset"),
        (lambda: games.reset(seed="x"), "seed"),
        (lambda: games.reset(options={"foo": 1}), "foo"),
    ]:
        with pytest.raises(totemic.BadInput, match=word):
            wrong()


def test_the_page_plays_a_random_game(capsys):
    [example] = examples("env.hokito")
    exec(example, {})
    assert "result  " in capsys.readouterr().out


def test_the_page_plays_many_games():
    [example] = examples("env.vector")
    names = {}
    exec(example, names)
    assert names["seen"]["observation"].shape == (64, 9, 6, 6) and names["points"].any()
    [example] = examples("totemic.Batch")
    names = {}
    exec(example, names)
    assert 100 < names["wins"] < 300
    games, mask = names["games"], names["mask"]
    while not names["ended"].any():
        games.step(mask.argmax(1))
    with pytest.raises(totemic.BadInput, match=f"game {names['ended'].argmax()} is over"):
        games.step(mask.argmax(1))


def test_the_example_learns():
    command = [sys.executable, str(PACKAGE / "examples/tabula_rasa.py"), "250"]
    done = subprocess.run(command, capture_output=True, text=True)
    before, after = (int(percent) for percent in re.findall(r"(\d+)%", done.stdout))
    assert before < 62 and after > 70, done.stdout + done.stderr


def test_a_batch_refuses_arrays_whose_bytes_are_swapped():
    swapped = np.zeros(2, np.dtype(float).newbyteorder("S"))
    planes, mask = np.zeros((2, *totemic.PLANES["hokito"]), np.uint8), np.zeros((2, totemic.ACTIONS["hokito"]), np.uint8)
    with pytest.raises(totemic.BadInput, match="rewards .float64.: expected a writable"):
        totemic.Batch("hokito", planes, mask, np.zeros(2, np.uint8), swapped, np.zeros(2, np.uint8))
