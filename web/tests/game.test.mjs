// The game, flown by real keys in a real browser: a win, crashes, a replay to the bit.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { button, page, visit } from "./person.mjs";
import { drawn, pixels, shoot, until, WEB } from "./support.mjs";

async function open(hash, size) {
  await visit(hash, size);
  await until(page, () => globalThis.caromGame?.game !== undefined);
}

/** Stage, gauges and the ship as the page itself has them. */
function state() {
  return page.evaluate(() => {
    const { stage, game, level, seed, replayHash } = globalThis.caromGame;
    const [ticks, fuel, speed, spin, phase, restarts, score] = game.gauges();
    const [x, y, angle] = game.positions();
    return { stage, level, seed: String(seed), replayHash, ticks, fuel, speed, spin, phase, restarts, score, x, y, angle, hash: game.hash(), recording: game.recording() };
  });
}

// Flights take their time, and more of it where a machine is busy.
const where = (condition, argument) => page.waitForFunction(condition, argument, { timeout: 90_000 });
const stageIs = (stage) => where((stage) => globalThis.caromGame.stage === stage, stage);

/**
 * How a person wins level 1: straight on, coast, brake near the ring, and creep in. Real keys, held
 * for as long as the gauges ask for them.
 */
async function flyToEarth() {
  let held;
  for (;;) {
    const { stage, restarts, x, vx } = await page.evaluate(() => {
      const { stage, game } = globalThis.caromGame;
      return { stage, restarts: game.gauges()[5], x: game.positions()[0], vx: game.gauges()[8] };
    });
    assert.equal(restarts, 0, "the ship stays on the screen");
    const [slow, fast] = x < 5 ? [1.4, 2] : [0.3, 0.65];
    const wanted = stage === "over" ? undefined : vx < slow ? "w" : vx > fast ? "s" : undefined;
    if (wanted !== held) {
      if (held) await page.keyboard.up(held);
      if (wanted) await page.keyboard.down(wanted);
      held = wanted;
    }
    if (stage === "over") return;
    await drawn(page, 1);
  }
}

test("the ship is flown to Earth with keys, and the flight replays to the bit", { timeout: 300_000 }, async () => {
  await open("#game&level=1&seed=7");
  await page.getByRole("heading", { name: "Level 1: First light" }).waitFor();
  await shoot(page, "game-ready");
  const seen = await pixels(page, "canvas.sky");
  assert.ok(seen.painted > 4000, `${seen.painted} pixels are painted`);
  assert.equal((await state()).ticks, 0, "nothing moves before the first key");

  await flyToEarth();
  const flown = await state();
  assert.equal(flown.phase, 1, "the ship has arrived");
  assert.ok(flown.score > 1000, `${flown.score} points`);
  await page.getByRole("heading", { name: "Welcome to Earth" }).waitFor();
  assert.match(await page.textContent("#status"), /You reached Earth/);
  await shoot(page, "game-won");

  await button("Watch").click();
  await stageIs("flying");
  assert.ok((await state()).ticks < flown.ticks, "it is flown again from the start");
  await shoot(page, "game-replay");
  await page.keyboard.press("f");
  await stageIs("over");
  const again = await state();
  assert.equal(again.replayHash, flown.hash);
  assert.equal(again.recording, flown.recording);
  assert.match(await page.textContent(".game-card"), /Same state as recorded, to the bit/);

  // The best result is kept on the device, and the link holds the flight.
  await open(`#game&replay=${flown.recording}`);
  await page.keyboard.press("f");
  await page.keyboard.press("f");
  await stageIs("over");
  assert.equal((await state()).replayHash, flown.hash);
  await button("Fly this field yourself").click();
  assert.match(await page.textContent(".game-card"), new RegExp(`Best on this level: ${flown.score.toLocaleString("en")}`));
});

test("full speed at Earth is a crash", { timeout: 180_000 }, async () => {
  await open("#game&level=1&seed=7");
  await page.keyboard.down("w");
  await stageIs("over");
  await page.keyboard.up("w");
  const crashed = await state();
  assert.equal(crashed.phase, 2);
  await page.getByRole("heading", { name: "Too hard a landing" }).waitFor();
  assert.match(await page.textContent("#status"), /The flight is over/);
  await shoot(page, "game-crash");
  await button("Try again").click();
  await stageIs("flying");
  assert.ok((await state()).ticks < crashed.ticks);
});

test("leaving the screen starts again, R as well", { timeout: 180_000 }, async () => {
  await open("#game&level=1&seed=3");
  await page.keyboard.down("ArrowDown");
  await where(() => globalThis.caromGame.game.gauges()[5] === 1);
  await page.keyboard.up("ArrowDown");
  assert.match(await page.textContent("#status"), /left the screen/);
  await page.keyboard.press("r");
  await where(() => globalThis.caromGame.game.gauges()[5] === 2);
  assert.equal((await state()).stage, "flying");
});

test("pausing stops time, turning turns, fuel is used", { timeout: 180_000 }, async () => {
  await open("#game&level=4&seed=11");
  const full = (await state()).fuel;
  await page.keyboard.down("a");
  await where(() => globalThis.caromGame.game.positions()[2] > 0.3);
  await page.keyboard.up("a");
  await page.keyboard.press("p");
  await stageIs("paused");
  const paused = await state();
  assert.ok(paused.fuel < full && paused.spin > 0);
  await drawn(page, 12);
  assert.equal((await state()).hash, paused.hash, "a paused game stands still");
  await shoot(page, "game-paused");
  await button("Go on").first().click();
  await where((ticks) => globalThis.caromGame.game.gauges()[0] > ticks, paused.ticks);
});

test("levels, fields in the link, sound", { timeout: 180_000 }, async () => {
  await open("#game&level=2&seed=18446744073709551615");
  assert.deepEqual([(await state()).level, (await state()).seed], [2, "18446744073709551615"]);
  // Levels open one after the other: these were won before.
  await page.evaluate(() => {
    for (let level = 1; level <= 7; level += 1) localStorage.setItem(`carom.game.${level}`, JSON.stringify({ score: 1, ticks: 1, recording: "" }));
  });
  await page.reload();
  await until(page, () => globalThis.caromGame?.game !== undefined);
  await page.getByRole("combobox", { name: "Level" }).selectOption("8");
  await page.getByRole("heading", { name: "Level 8: Needle's eye" }).waitFor();
  assert.match(page.url(), /#game&level=8&seed=18446744073709551615$/);
  await shoot(page, "game-level-8");
  await button("Another field").click();
  assert.doesNotMatch(page.url(), /18446744073709551615/);
  await button("Turn sound off").click();
  await page.reload();
  await button("Turn sound on").waitFor();
});

test("a damaged recording is reported, and the game goes on", { timeout: 180_000 }, async () => {
  await open("#game&replay=cf1.1.00.zz.nothing");
  await page.getByRole("heading", { name: "No such flight" }).waitFor();
  assert.match(await page.textContent(".game-card"), /damaged/);
  await button("Fly yourself").click();
  await stageIs("flying");
});

test("thumbs fly on a phone", { timeout: 180_000 }, async () => {
  await open("#game&level=3&seed=5", { width: 390, height: 844 });
  await shoot(page, "game-phone-ready");
  const thrust = await button("Thrust").boundingBox();
  assert.ok(thrust.width >= 60 && thrust.y + thrust.height <= 844, "the pad is on the screen");
  await page.mouse.move(thrust.x + 20, thrust.y + 20);
  await page.mouse.down();
  await where(() => globalThis.caromGame.game.gauges()[2] > 0.8);
  await shoot(page, "game-phone");
  await page.mouse.up();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
});

test("the same flights as native code, to the bit", async () => {
  const { initSync, Game } = await import(join(WEB, "generated/carom_web.js"));
  initSync({ module: readFileSync(join(WEB, "dist/engine.wasm")) });
  // The flights and hashes of crates/game/tests/replay.rs.
  const source = readFileSync(join(WEB, "../crates/game/tests/replay.rs"), "utf8");
  const pinned = [...source.slice(source.indexOf("const PINNED")).matchAll(/"([0-9a-f]{16})"/g)].map((found) => found[1]);
  assert.equal(pinned.length, 8);
  const runs = [[1, 50], [2, 12], [0, 40], [8, 24], [1, 30], [2, 12], [0, 300], [4, 20], [0, 200]];
  pinned.forEach((hash, k) => {
    const game = new Game(k + 1, 2026n);
    for (const [mask, length] of runs) for (let tick = 0; tick < length; tick += 1) game.tick(mask);
    assert.equal(game.hash(), hash, `level ${k + 1}`);
  });
});
