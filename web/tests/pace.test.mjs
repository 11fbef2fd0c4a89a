// Scenes that are much work: how far time falls behind is said, and many bodies are painted beside
// the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { discs } from "./measure.mjs";
import { open, page } from "./person.mjs";
import { calm, until } from "./support.mjs";

// 10. A scene that cannot keep up said nothing.
test("a scene that cannot keep up is reported, and by how much", async () => {
  await open("#new&still");
  assert.ok(await page.locator(".pace").isHidden());
  await page.evaluate(async (text) => {
    const { carom } = globalThis;
    await carom.apply(text, false);
    // No machine runs 2,000 s of two thousand discs in a second.
    carom.runner.speed = 2000;
    carom.runner.play();
  }, discs(2000, "rigid", "gr-lcp", 1 / 240));
  await page.locator(".pace").waitFor();
  const words = await page.locator(".pace").innerText();
  assert.match(words, /^runs at [\d.e-]+ of real time$/);
  const size = Number(/[\d.e-]+/.exec(words.slice(7))[0]);
  assert.ok(size > 0 && size < 1000, `half of what was asked for at most: ${size}`);
  await page.evaluate(() => {
    globalThis.carom.runner.pause();
  });
  await page.locator(".pace").waitFor({ state: "hidden" });
});

test("how far time falls behind is right of steps that take longer than it is measured, too", async () => {
  await open("#scene=seesaw&still");
  const watched = await page.evaluate(async () => {
    const { runner } = globalThis.carom;
    const [seen, own] = [[], Object.getOwnPropertyDescriptor(Object.getPrototypeOf(runner), "step")];
    let step = 0;
    Object.defineProperty(runner, "step", { get: () => step, configurable: true });
    runner.playing = true;
    // A step every four seconds, by a clock of its own.
    for (let now = 0; now <= 20_000; now += 100) {
      step = Math.floor(now / 4000);
      runner.watchPace(now);
      seen.push([now, runner.pace]);
    }
    runner.playing = false;
    Object.defineProperty(runner, "step", own);
    return { dt: runner.dt, seen };
  });
  assert.equal(watched.seen.find(([now]) => now === 3000)[1], 0, "nothing has come yet");
  const later = watched.seen.filter(([now]) => now >= 5000).map(([, pace]) => pace * 4 / watched.dt);
  assert.ok(later.every((share) => share > 0.4 && share < 3), `of a step in four seconds: ${later.slice(0, 60)}`);
});

test("many bodies of a run are painted in a worker, as the page itself paints them", async () => {
  await open("#new&still");
  await page.evaluate((text) => globalThis.carom.apply(text, false), discs(1000, "rigid", "impulse", 1 / 60));
  await calm(page);
  assert.equal(await page.evaluate(() => globalThis.carom.runner.lead.stage.easel), undefined, "what stands still needs no worker");
  await page.evaluate(() => {
    const { stage } = globalThis.carom.runner.lead;
    globalThis.painted = 0;
    const running = stage.drawRunning.bind(stage);
    stage.drawRunning = (...words) => {
      const drawn = running(...words);
      if (drawn) globalThis.painted += 1;
      return drawn;
    };
    globalThis.carom.runner.play();
  });
  await until(page, () => globalThis.painted > 5 && globalThis.carom.runner.step > 10);
  await page.evaluate(() => globalThis.carom.runner.pause());
  await calm(page);
  // The last frame once more: from the worker, and by the page.
  const differ = await page.evaluate(async () => {
    const { lead, shown } = globalThis.carom.runner;
    const { stage, frame, canvas } = lead;
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const c = copy.getContext("2d", { willReadFrequently: true });
    const look = () => {
      c.drawImage(canvas, 0, 0);
      return c.getImageData(0, 0, copy.width, copy.height).data.slice();
    };
    stage.draw(frame, shown, null);
    const own = look();
    stage.camera.x += 1e-9;
    while (stage.drawRunning({ ...frame }, shown, null) === undefined) await new Promise((done) => requestAnimationFrame(done));
    const other = look();
    let [count, painted] = [0, 0];
    for (let k = 0; k < own.length; k += 4) {
      if (own[k] !== own[0]) painted += 1;
      if (Math.abs(own[k] - other[k]) + Math.abs(own[k + 1] - other[k + 1]) + Math.abs(own[k + 2] - other[k + 2]) > 24) count += 1;
    }
    return { count, painted };
  });
  assert.ok(differ.painted > 5000 && differ.count < differ.painted / 1000, JSON.stringify(differ));
  // Without a worker it goes on.
  await page.evaluate(() => {
    globalThis.carom.runner.lead.stage.easel.lost = true;
    globalThis.painted = 0;
    globalThis.carom.runner.play();
  });
  await until(page, () => globalThis.painted > 3);
});
