// Games as text, files and links, in several tabs, and in the list of games that the browser keeps.

import assert from "node:assert/strict";

import { both, eventually, served, startBoard } from "./stage.mjs";

both("two tabs have games of their own, and a link opens one", async (s) => {
  await s.mode("Analyse");
  await s.click("c5b6");
  await s.listed(1);
  const link = `${s.address}#game=yoxii&fen=3/5/7/3*3/7/5/3+w&moves=d5e5y+d6d5x`;
  const tab = await s.tab(link);
  await tab.listed(2);
  // A link with an illegal move is refused with its reason, and the game stays.
  await tab.visit(link.replace("d6d5x", "e5d5x"));
  await tab.notice("'e5d5x' is illegal").waitFor();
  assert.equal(await tab.moves.count(), 2);
  // The box for games takes a link as well.
  await tab.paste(link.replace("+d6d5x", ""));
  await tab.listed(1);
  assert.equal(await s.moves.count(), 1);
  await s.says("Red");
});

both("a game in two tabs goes on where it was played last", async (s) => {
  await s.begin();
  await s.moveAndAnswer();
  // It is kept at once, as when the tab is put aside.
  await s.page.evaluate(() => dispatchEvent(new Event("pagehide")));
  const tab = await s.tab();
  await tab.listed(2);
  await tab.moveAndAnswer();
  await s.page.bringToFront();
  await s.listed(4);
  await s.notice("in another tab").waitFor();
  await s.press("Go on here");
  await s.moveAndAnswer();
  await tab.listed(6);
});

served("a link with a wrong secret locks nobody out", async (s) => {
  await s.visit(`${s.address}?token=wrong`);
  await s.visit(s.address);
});

served("a board that is started again finds its tab as it was", { own: true }, async (s) => {
  await s.begin();
  await s.moveAndAnswer();
  s.board.stop();
  await s.says("not running");
  // Nothing is taken that nobody answers.
  await s.click((await s.legal()).slice(0, 4));
  assert.equal(await s.moves.count(), 2);
  await s.ready();
  const again = await startBoard([], new URL(s.board.url).port);
  await s.says("was restarted");
  // As the board does by itself when it may open a browser.
  await s.tab(again.url);
  await s.yourTurn(2);
  await s.moveAndAnswer();
});

both("variations of a file are kept", async (s) => {
  await s.paste("1. c5b6y (1. c4b5x d5e6x) d6e6x *");
  await s.listed(4);
  await s.moves.getByText("d5e6x", { exact: true }).click();
  await s.current.getByText("d5e6x", { exact: true }).waitFor();
});

both("a saved game of Hokito has the result of the right side", async (s) => {
  await s.paste("x6/x6/x6/b1,x5/w1,x5/b2:3,x5 b moves a3a2");
  await s.listed(1);
  const text = await s.saved("Save PGN");
  // Black, who moves first, wins by 8 points to none.
  assert.ok(text.includes('[Result "0-1"]'), text);
  assert.ok(text.includes("1... a3a2 0-1"), text);
});

both("what is no game is told in a sentence first", async (s) => {
  await s.paste("1. e4 e5 2. Nf3 Nc6");
  const alert = s.page.getByRole("alert");
  await alert.filter({ hasText: /^This could not be read as a game/ }).waitFor();
  await alert.locator("small", { hasText: "e4" }).waitFor();
  await s.visit(`${s.address}#game=yoxii&fen=hello`);
  await s.notice(/^This link is broken/).waitFor();
  await s.mode("Set up");
  await s.page.getByLabel("Position as text").fill("hello");
  await s.shows(/^This is not a position\./);
});

both("what is wrong with a file is told in its place and language", { settings: { language: "fr" }, size: { width: 1024, height: 600 } }, async (s) => {
  const alert = s.page.getByRole("alert");
  await s.unfold("Partage et fichiers");
  for (const [text, part] of [
    ["1. c5b6y c5b6y", "« c5b6y » est illégal"], ["(null)", "une position ou des coups"], ["1. c5b6y (d5e5x", "variante"], ["[Event x", "attendu [Nom"],
    ["  ", "ni partie ni position"],
  ]) {
    await s.page.locator("textarea").fill(text);
    await s.press("Charger");
    await alert.filter({ hasText: part }).waitFor();
  }
  assert.equal(await s.notices.count(), 0);
  const [chooser] = await Promise.all([s.page.waitForEvent("filechooser"), s.press("Ouvrir un fichier")]);
  await chooser.setFiles({ name: "board.png", mimeType: "image/png", buffer: Buffer.from([137, 80, 78, 71, 0, 255]) });
  await alert.filter({ hasText: "board.png" }).filter({ hasText: "fichier texte" }).waitFor();
});

/** What the list of games says of each. */
const results = (s) => s.page.locator(".kept b");

both("games are kept in a list", async (s) => {
  const dialog = s.page.getByRole("dialog");
  await s.begin();
  await s.moveAndAnswer();
  // A game in the middle is not left without a question.
  await s.start();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await s.yourTurn(2);
  await s.start();
  await dialog.getByRole("button", { name: "New game" }).click();
  await s.yourTurn(0);
  await s.moveAndAnswer();
  await s.resign();
  await s.says("You lose");
  // The next tab, days later.
  await s.page.evaluate(() => sessionStorage.clear());
  await s.reload();
  await s.unfold("Your games");
  await eventually(async () => assert.deepEqual(await results(s).allTextContents(), ["You lose", "Unfinished"]));
  assert.equal(await s.page.locator(".kept svg").count(), 2);
  await s.press(/^Unfinished/);
  await s.yourTurn(2);
  await s.moveAndAnswer();
  const text = await s.saved("Save all as PGN");
  assert.equal(text.split('[Variant "Yoxii"]').length, 3, text);
  for (const part of ['[Result "0-1"]', '[White "Player"]', ', level 0"]']) assert.ok(text.includes(part), text);
  // A study of the game knows who plays, too.
  await s.mode("Analyse");
  await s.below.getByText("you", { exact: true }).waitFor();
  await s.above.getByText("level 0").waitFor();
  await s.button("Delete this game").first().click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await eventually(async () => assert.deepEqual(await results(s).allTextContents(), ["Unfinished"]));
});

both("all games are saved with their own ends", async (s) => {
  await s.begin();
  await s.moveAndAnswer();
  await s.resign();
  await s.says("You lose");
  // A move after the end was never played; another one instead is a variation.
  await s.mode("Analyse");
  await s.listed(2);
  await s.click((await s.legal()).slice(0, 4));
  await s.listed(3);
  // What cannot be written does not keep the others back.
  await s.page.evaluate(() => {
    const [name, fen] = ["yoxii", "3/5/7/3*3/7/5/3 w"];
    const study = { name, fen, tree: [null, null, null, ["a1a1x", null, null]], at: [] };
    localStorage["totemic-games/bad"] = JSON.stringify({ id: "bad", date: 1, name, players: ["", ""], moves: 1, fen, result: "none", study });
  });
  await s.unfold("Your games");
  const text = await s.saved("Save all as PGN");
  await s.notice(/^1 game was not saved\..*a1a1x/).waitFor();
  for (const part of ['[Result "0-1"]', '[Result "*"]', 'Termination "resignation']) assert.equal(text.split(part).length, 2, `${part}\n${text}`);
});

served("storage that is forbidden is told of when a game begins", async (s) => {
  await s.page.addInitScript(() => Object.defineProperty(window, "localStorage", { get() { throw new DOMException("", "SecurityError"); } }));
  await s.visit(s.board.url);
  await s.press("An easy game of Yoxii");
  await s.notice("does not let the page keep anything").waitFor();
});

/** The link that the page offers to send. */
async function letter(s) {
  // The button says for two seconds that it has copied: that may be the link before.
  await s.page.evaluate(() => navigator.clipboard.writeText(""));
  await s.button("Copy link").first().click();
  await s.button("Copied.").first().waitFor();
  return eventually(async () => {
    const link = await s.page.evaluate(() => navigator.clipboard.readText());
    assert.notEqual(link, "");
    return link;
  });
}

/** A link as somebody may write it: those of the first form have no checksum. */
const forged = (link, part, other) => link.replace("#/game/2?", "#/game/1?").replace(part, other);

both("a game with a friend goes by link", async (s) => {
  await s.press("A friend, by link");
  await s.start();
  await s.click("c5b6");
  await s.listed(1);
  const first = await letter(s);
  const friend = await s.another();
  await friend.visit(first);
  await friend.listed(1);
  await friend.says("Red: where does the totem go?");
  await friend.below.getByText("Red", { exact: true }).waitFor();
  await friend.click((await friend.legal()).slice(0, 4));
  await friend.listed(2);
  const second = await letter(friend);
  assert.ok(second.length < 200, second);
  await s.visit(second);
  await s.listed(2);
  // An older link, and one with another move, change nothing.
  for (const [link, told] of [[first, "older"], [forged(first, "c5b6", "c5d6"), "differ"]]) {
    await s.visit(link);
    await s.notice(told).waitFor();
    assert.equal(await s.moves.count(), 2);
  }
  assert.equal(await s.button("Hint").count(), 0);
  await s.mode("Analyse");
  await s.shows("Engine help is off until this game is over.");
  assert.equal(await s.button("Start analysis").count(), 0);
  assert.equal(await s.page.getByRole("img", { name: "Winning chances:" }).count(), 0);
  await s.mode("Play");
  await s.resign();
  const end = await letter(s);
  assert.ok(end.includes("end=resigned-p1"), end);
  await s.button("Review this game").waitFor();
});

both("whoever comes by a link is a guest of its game", async (s) => {
  await s.press("A friend, by link");
  await s.start();
  await s.click("c5b6");
  const guest = await s.another({ settings: { known: false }, size: { width: 360, height: 640 }, touch: true });
  await guest.shows("Welcome!");
  await guest.visit(await letter(s));
  await guest.shows("You play Red. Make your move; then send the link.");
  assert.equal(await guest.page.getByText("Welcome!").count(), 0);
  await guest.type(await guest.legal());
  await guest.says("Now it is your friend's turn. Send this link.");
  await guest.page.evaluate(() => scrollTo(0, 0));
  const { y, height } = await guest.steps.getByRole("button", { name: "Copy link" }).boundingBox();
  assert.ok(y + height <= 640, `the button ends at ${y + height}`);
});

both("a link that was damaged on its way is told of, and stays in the address", async (s) => {
  await s.press("A friend, by link");
  await s.start();
  await s.click("c5b6");
  const link = await letter(s);
  const friend = await s.another();
  const hash = () => friend.page.evaluate(() => location.hash);
  for (const [broken, told, mode] of [
    [link.slice(0, -20), "A part of this link was lost on the way.", "Review"], [`${s.address}#game=yoxii&fen=hello`, "leads to no position", "Analyse"],
  ]) {
    await friend.visit(broken);
    await friend.notice(told).waitFor();
    assert.equal(await hash(), new URL(broken).hash);
    await friend.mode(mode);
    assert.equal(await hash(), `#/${mode.toLowerCase()}`);
    await friend.page.goBack();
    await friend.notice(told).waitFor();
    assert.equal(await hash(), new URL(broken).hash);
  }
  await friend.paste(`> Your turn: <${link.slice(0, 60)}\n> ${link.slice(60)}>.`);
  await friend.listed(1);
  await friend.says("Red: where does the totem go?");
  await friend.paste(`(${s.address}#game=yoxii&fen=3/5/7/3*3/7/5/3+w&moves=d5e5y+d6d5x).`);
  await friend.listed(2);
});

/** Two people who have sent each other a move by link. */
async function friends(s) {
  await s.press("A friend, by link");
  await s.start();
  await s.click("c5b6");
  const friend = await s.another();
  await friend.visit(await letter(s));
  await friend.listed(1);
  await friend.type("d6e6x");
  await friend.listed(2);
  await s.visit(await letter(friend));
  await s.listed(2);
  return friend;
}

both("a move that was sent is taken back only if the friend agrees", async (s) => {
  const friend = await friends(s);
  await s.type("d5c6y");
  await s.listed(3);
  // Nobody has seen it yet.
  await s.press("Take back");
  await s.listed(2);
  await s.type("e5f6i");
  await s.listed(3);
  await friend.visit(await letter(s));
  await friend.listed(3);
  await s.press("Ask to take back");
  await s.shows("You are asking to take back your last move.");
  assert.equal(await s.moves.count(), 3);
  const asked = await letter(s);
  await friend.visit(asked);
  await friend.notice("Your friend asks to take back e5f6i").waitFor();
  assert.equal(await friend.moves.count(), 3);
  await friend.press("Agree");
  await friend.listed(2);
  await s.visit(await letter(friend));
  await s.listed(2);
  await s.says("White: where does the totem go?");
  // What was asked once is asked no more.
  await friend.visit(asked);
  await friend.shows("Now it is your friend's turn.");
  assert.equal(await friend.moves.count(), 2);
  assert.equal(await friend.notices.count(), 0);
});

both("nobody's game is ended or changed by a link alone", async (s) => {
  const friend = await friends(s);
  // A resignation crosses a move.
  await friend.resign();
  const end = await letter(friend);
  await s.type("d5c6y");
  await s.listed(3);
  const move = await letter(s);
  await friend.visit(move);
  await friend.notice("differ").filter({ hasText: "The link: 2. d5c6y" }).filter({ hasText: "Your game: Red resigned." }).waitFor();
  await friend.says("Red resigned");
  await s.visit(end);
  await s.notice("Your friend resigns.").waitFor();
  await s.says("Now it is your friend's turn.");
  await friend.press("Go on with the link");
  await friend.listed(3);
  await friend.says("Red: where does the totem go?");
  await s.press("End the game");
  await s.says("Red resigned. Game over. You win.");
  // Whoever has a link can write an end into it, of either side.
  for (const [side, told] of [["p1", "Your friend resigns."], ["p2", "The link: Red resigned."]]) {
    await friend.visit(forged(move, "&id=", `&end=resigned-${side}&id=`));
    await friend.notice(told).waitFor();
    await friend.says("Red: where does the totem go?");
  }
});
