"""The environments of PettingZoo, and the example that learns."""

import pathlib
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
            assert set(game.moves.values()) == set(game.engine.legal_moves())
            waiting = next(other for other in game.agents if other != agent)
            assert not game.observe(waiting)["action_mask"].any()
        rewards = {"p1win": [1, -1], "p2win": [-1, 1], "draw": [0, 0]}[game.engine.result()]
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
    own = {"hokito": 3, "yoxii": 4}[game.engine.game]
    for _ in random_game(game, rng):
        first, second = (game.observe(agent)["observation"] for agent in game.possible_agents)
        assert board(first, game.engine.game) == spread(game.engine.fen())
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
        fens = [game.engine.fen()]
        for _ in range(2):
            game.reset()
            fens.append(game.engine.fen())
        return fens

    assert starts(4) == starts(4)
    if game.engine.game == "hokito":
        assert len({*starts(4), *starts(5)}) == 6
    with totemic.Engine(game.engine.game) as engine:
        engine.set_position("random 4")
        assert starts(4)[0] == engine.fen()
        engine.push(engine.legal_moves()[0])
        game.reset(options={"position": engine.fen()})
        assert game.agent_selection == "player_2"
        while not engine.is_game_over():
            engine.push(engine.legal_moves()[0])
        game.reset(options={"position": engine.fen()})
        assert game.terminations[game.agent_selection]
        assert abs(game.last()[1]) == (engine.result() != "draw")
    with pytest.raises(totemic.BadInput, match="-1"):
        game.reset(seed=-1)


def test_a_board_is_drawn(game, capsys):
    game.reset(seed=1)
    assert game.engine.fen() in game.render()
    game.render_mode = "svg"
    assert game.render().startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    game.render_mode = "human"
    game.step(next(iter(game.moves)))
    assert game.engine.fen() in capsys.readouterr().out


def test_an_illegal_action_is_refused_and_loses_in_the_wrappers(game):
    game.reset()
    with pytest.raises(totemic.BadInput, match="action 0"):
        game.step(0)
    wrapped = env.env(game.engine.game)
    wrapped.reset(seed=1)
    wrapped.step(0)
    assert wrapped.rewards["player_1"] == -1
    wrapped.close()


def test_the_page_plays_a_random_game(capsys):
    [example] = examples("env.hokito")
    exec(example, {})
    assert "result  " in capsys.readouterr().out


def test_the_example_learns():
    command = [sys.executable, str(PACKAGE / "tabula_rasa.py"), "250"]
    done = subprocess.run(command, capture_output=True, text=True)
    before, after = (int(percent) for percent in re.findall(r"(\d+)%", done.stdout))
    assert before < 62 and after > 70, done.stdout + done.stderr
