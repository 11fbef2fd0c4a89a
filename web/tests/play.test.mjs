// What was added to the game, and the page without a network.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, button, page, visit } from "./person.mjs";
import { pixels, ready, shoot, until } from "./support.mjs";

const where = (condition, argument) => page.waitForFunction(condition, argument, { timeout: 90_000 });

async function open(hash, prepare) {
  await visit("");
  if (prepare) await page.evaluate(prepare);
  await page.goto(`${browser.address}${hash}`);
  await page.reload();
  await where(() => globalThis.caromGame?.game !== undefined);
}

const keyUntil = async (key, condition) => {
  await page.keyboard.down(key);
  await where(condition);
  await page.keyboard.up(key);
};

test("flight school teaches each key with a hint", { timeout: 180_000 }, async () => {
  await open("#game&school");
  await page.getByRole("heading", { name: "Flight school" }).waitFor();
  const hint = (place) => page.locator(".game-banner", { hasText: `${place} of 5` }).waitFor({ timeout: 60_000 });
  await hint(1);
  await shoot(page, "game-school");
  // On a phone the hint lay over the ship.
  for (const size of [{ width: 390, height: 844 }, { width: 1280, height: 800 }]) {
    await page.setViewportSize(size);
    await until(page, () => {
      const [hint, sky] = [".game-banner", "canvas.sky"].map((selector) => document.querySelector(selector).getBoundingClientRect());
      return hint.height > 20 && sky.height > 300 && hint.bottom <= sky.top + 1 && hint.right <= innerWidth;
    });
  }
  await button("Start").click();
  // Each key is held until the school has seen it: a press may fall between two ticks.
  for (const [place, key] of ["w", "a", "d", "s"].entries()) {
    await page.keyboard.down(key);
    await where((next) => document.querySelector(".game-banner")?.textContent?.includes(next), `${place + 2} of 5`);
    await page.keyboard.up(key);
  }
  assert.match(page.url(), /#game&school$/);
});

test("levels open one after the other, with a total; a ghost flies the best flight; the day has a field", { timeout: 180_000 }, async () => {
  await open("#game&level=1&seed=7", () => {
    for (const key of Object.keys(localStorage)) if (key.startsWith("carom.game.")) localStorage.removeItem(key);
  });
  const locked = () => page.locator("select option[disabled]").count();
  assert.equal(await locked(), 7, "seven levels wait");
  // A flight that wins is recorded by the engine itself: full thrust and a brake, found by trying.
  const won = await page.evaluate(async () => {
    const { game } = globalThis.caromGame;
    for (let tick = 0; tick < 4000 && game.gauges()[4] === 0; tick += 1) {
      const [x] = game.positions();
      const vx = game.gauges()[8];
      const [slow, fast] = x < 5 ? [1.4, 2] : [0.3, 0.65];
      game.tick(vx < slow ? 1 : vx > fast ? 4 : 0);
    }
    const [ticks, , , , phase, , score] = game.gauges();
    const recording = game.recording();
    localStorage.setItem("carom.game.1.7", JSON.stringify({ score, ticks, recording }));
    localStorage.setItem("carom.game.1", JSON.stringify({ score, ticks, recording }));
    return { phase, score };
  });
  assert.equal(won.phase, 1);
  await page.reload();
  await where(() => globalThis.caromGame?.ghost !== undefined);
  assert.equal(await locked(), 6, "the second level is open");
  await button("Start").click();
  await keyUntil("a", () => globalThis.caromGame.ghost.next > 60);
  const apart = await page.evaluate(() => Math.hypot(globalThis.caromGame.ghost.now[0] - globalThis.caromGame.game.positions()[0], globalThis.caromGame.ghost.now[1] - globalThis.caromGame.game.positions()[1]));
  assert.ok(apart > 0.05, `the ghost flies its own way: ${apart}`);
  await shoot(page, "game-ghost");
  await page.keyboard.press("p");
  await button("Start over").click();
  await button("Field of the day").click();
  const day = new Date().toISOString().slice(0, 10).replace(/-/g, "");
  await where((day) => String(globalThis.caromGame.seed) === day, day);
  assert.match(page.url(), new RegExp(`seed=${day}$`));
});

test("a crash is explained in numbers, and the field opens in the player", { timeout: 180_000 }, async () => {
  await open("#game&level=1&seed=7");
  await keyUntil("w", () => globalThis.caromGame.stage === "over");
  const words = await page.locator(".game-card").innerText();
  assert.match(words, /changed your speed by \d+\.\d; the ship survives 1\.9/);
  assert.match(words, /speed \d+\.\d, spin \d\.\d, \d+ % of the fuel/);
  await shoot(page, "game-crash-numbers");
  await button("Open this field in the player").click();
  await ready(page);
  assert.equal(await page.evaluate(() => globalThis.carom.runner.lead.drawing.tag), "asteroids");
  await until(page, () => globalThis.carom.runner.step > 5);
  assert.ok((await pixels(page)).painted > 3000);
  await shoot(page, "field-in-player");
});

test("a gamepad flies", { timeout: 120_000 }, async () => {
  await open("#game&level=1&seed=7");
  // No test machine has a gamepad: the browser's answer is set instead.
  await page.evaluate(() => {
    const buttons = Array.from({ length: 16 }, () => ({ pressed: false, value: 0 }));
    globalThis.pad = { connected: true, axes: [0, 0], buttons };
    navigator.getGamepads = () => [globalThis.pad];
  });
  await page.evaluate(() => (globalThis.pad.buttons[7].value = 1));
  await where(() => globalThis.caromGame.stage === "flying" && globalThis.caromGame.game.gauges()[2] > 0.5);
  await page.evaluate(() => {
    globalThis.pad.buttons[7].value = 0;
    globalThis.pad.axes[0] = -1;
  });
  await where(() => globalThis.caromGame.game.gauges()[3] > 0.2);
  await page.evaluate(() => (globalThis.pad.buttons[9].value = 1));
  await where(() => globalThis.caromGame.stage === "paused");
});

test("who wants no motion gets a still sky", async () => {
  await visit("");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${browser.address}#game&level=1&seed=7`);
  await page.reload();
  await where(() => globalThis.caromGame?.game !== undefined);
  const frames = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await frames();
  const first = await pixels(page, "canvas.sky");
  for (let k = 0; k < 5; k += 1) await frames();
  assert.equal((await pixels(page, "canvas.sky")).sum, first.sum);
});

test("asteroids of the exercise drift, bounce and wrap", async () => {
  await visit("#scene=asteroids&still");
  await ready(page);
  await page.evaluate(() => globalThis.carom.runner.seek(2500));
  await until(page, () => globalThis.carom.runner.step === 2500 && globalThis.carom.runner.settled);
  const places = await page.evaluate(() => [...globalThis.carom.runner.lead.frame.positions]);
  for (let k = 0; k < places.length; k += 3) assert.ok(Math.abs(places[k]) <= 8.95 && Math.abs(places[k + 1]) <= 6.95, `${places[k]} ${places[k + 1]}`);
  assert.ok((await pixels(page)).painted > 3000);
  await shoot(page, "asteroids");
});

test("the page is installable, and works without a network", { timeout: 120_000 }, async () => {
  await visit("#scene=bernoulli&still");
  await ready(page);
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
  assert.deepEqual([manifest.display, manifest.icons.length > 0], ["standalone", true]);
  await page.keyboard.press("Shift");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await until(page, async () => (await caches.keys()).some((name) => /^carom-[0-9a-f]{12}$/.test(name)));
  await until(page, () => navigator.serviceWorker.controller !== null);
  await browser.context.setOffline(true);
  try {
    await page.evaluate(() => (location.hash = "scene=newtons-cradle&still"));
    await until(page, () => /Newtons cradle/.test(document.title) && globalThis.carom.runner.lead.frame !== undefined);
    await page.reload();
    await ready(page);
    assert.match(await page.title(), /Newtons cradle/);
    await page.evaluate(() => (location.hash = "game"));
    await where(() => globalThis.caromGame?.game !== undefined);
  } finally {
    await browser.context.setOffline(false);
  }
  // Pictures that were never seen are missing offline; nothing else may complain.
  browser.complaints.splice(0, browser.complaints.length, ...browser.complaints.filter((words) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(words)));
});
