// The page among others: a trajectory against its scene, and a frame that talks to the page around
// it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { blank, lesson, load, open, page } from "./person.mjs";
import { pixels, SCENES, serveStatic, shoot, until } from "./support.mjs";

test("a trajectory is compared with its scene in the page, and the wrong step is drawn", async () => {
  await open("#scene=bernoulli&still");
  const file = await page.evaluate(async () => {
    const bytes = await globalThis.carom.record("carom", 1500, 10, () => undefined);
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  });
  await page.evaluate(() => (location.hash = "compare"));
  await page.locator(".compare").waitFor();
  const files = (scene) => [
    { name: "bernoulli.xml", mimeType: "application/xml", buffer: Buffer.from(scene) },
    { name: "run.carom", mimeType: "application/octet-stream", buffer: Buffer.from(file, "base64") },
  ];
  const text = readFileSync(join(SCENES, "bernoulli.xml"), "utf8");
  const inputs = page.locator("input[type=file]");
  for (const [k, given] of files(text).entries()) await inputs.nth(k).setInputFiles(given);
  await page.locator(".stamp.ok").waitFor();
  assert.match(await page.locator(".stamp").innerText(), /Pass/);
  // Another restitution is another run: the first wrong step is named and drawn.
  await inputs.nth(0).setInputFiles(files(text.replace('response="gr-lcp"', 'response="gr-lcp" COR="0.5"'))[0]);
  await page.locator(".stamp.bad").waitFor();
  await page.getByText(/First difference: step \d+/).waitFor();
  await page.locator(".overlaid canvas").first().waitFor();
  await until(page, () => document.querySelectorAll(".overlaid canvas").length === 2);
  assert.ok((await pixels(page, ".overlaid canvas")).painted > 200);
  assert.ok((await pixels(page, ".distances")).painted > 200);
  await shoot(page, "compare");
  await inputs.nth(1).setInputFiles({ name: "wrong.bin", mimeType: "application/octet-stream", buffer: Buffer.from("no such thing") });
  await page.getByText(/could not be compared|Fail/).first().waitFor();
});

test("a frame shows what it is asked for, and talks to the page around it", async () => {
  // A page of another origin with the scene in a frame.
  const outside = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Course</title><body></body>"));
  await new Promise((resolve) => outside.listen(0, "127.0.0.1", resolve));
  // `carom play` lets no other page put it into a frame; a static host does.
  const host = await serveStatic();
  const packed = await (async () => {
    await load(lesson("restitution"));
    const link = await page.evaluate(() => globalThis.carom.link());
    await page.close();
    return new URL(link).hash;
  })();
  await blank();
  try {
    await page.goto(`http://127.0.0.1:${outside.address().port}/`);
    await page.evaluate((src) => {
      globalThis.heard = [];
      addEventListener("message", ({ data }) => data?.carom && globalThis.heard.push(data));
      const frame = document.createElement("iframe");
      [frame.src, frame.width, frame.height] = [src, "640", "480"];
      document.body.append(frame);
      globalThis.ask = (wish) =>
        new Promise((resolve) => {
          const id = Math.random();
          const listen = ({ data }) => {
            if (data?.id !== id) return;
            removeEventListener("message", listen);
            resolve(data);
          };
          addEventListener("message", listen);
          frame.contentWindow.postMessage({ ...wish, id }, "*");
        });
    }, `${host.address}?embed=1&controls=play,time,knobs${packed}&still`);
    await page.waitForFunction(() => globalThis.heard.some(({ carom }) => carom === "ready"), undefined, { timeout: 20_000 });
    const ask = (wish) => page.evaluate((wish) => globalThis.ask(wish), wish);
    const first = await ask({ carom: "state" });
    assert.deepEqual([first.carom, first.step, first.playing], ["state", 0, false]);
    assert.equal(first.knobs[0].label, "Restitution e");
    const later = await ask({ carom: "seek", time: 0.3 });
    assert.equal(later.step, 300);
    assert.ok(later.positions[1] < first.positions[1]);
    const turned = await ask({ carom: "knob", name: "Restitution e", value: 0.5 });
    assert.equal(turned.knobs[0].value, 0.5);
    // By the label in the panel too, and by its target.
    assert.notEqual((await ask({ carom: "knob", name: "Time step", value: 0.002 })).carom, "refused");
    assert.equal((await ask({ carom: "state" })).dt, 0.002);
    assert.notEqual((await ask({ carom: "knob", name: "integrator.dt", value: 0.001 })).carom, "refused");
    assert.equal((await ask({ carom: "state" })).dt, 0.001);
    assert.equal((await ask({ carom: "knob", name: "Nothing", value: 1 })).carom, "refused");
    assert.equal((await ask({ carom: "dance" })).carom, "refused");
    assert.equal((await ask({ carom: "play" })).playing, true);
    await page.waitForFunction(async () => (await globalThis.ask({ carom: "state" })).step > 320);
    assert.equal((await ask({ carom: "pause" })).playing, false);
    const inner = page.frameLocator("iframe");
    assert.ok(await inner.getByRole("button", { name: "Run" }).isVisible());
    assert.ok(await inner.getByLabel("Restitution e", { exact: true }).isVisible());
    assert.ok(await inner.locator("#top").isHidden());
    assert.ok(await inner.locator(".segments").isHidden());
    await shoot(page, "embed");
  } finally {
    outside.close();
    host.stop();
  }
});
