// What was broken, seen in a real browser: each test failed before its fix.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { browser, blank, button, open, page, place, press, seek, visit } from "./person.mjs";
import { calm, DIST, pixels, ready, shoot, until } from "./support.mjs";

// 4. Panes kept the pixels of a metre, and cut the scene off.
test("the view stays in sight in one, two and four panes, and after a visit to the gallery", async () => {
  await open("#scene=newtons-cradle&still");
  await page.evaluate(() => {
    const { stage } = globalThis.carom.runner.lead;
    stage.setView([0.5, -1.5, 2, 1.2]);
    globalThis.carom.runner.redraw();
  });
  const seen = (count) =>
    page.evaluate((count) => {
      const { camera } = globalThis.carom.runner.panes[count - 1].stage;
      const [x0, y0] = camera.toPlane(0, 0);
      const [x1, y1] = camera.toPlane(camera.width, camera.height);
      return { x: camera.x, y: camera.y, holds: x0 <= -1.5 + 1e-6 && x1 >= 2.5 - 1e-6 && y1 <= -2.7 + 1e-6 && y0 >= -0.3 - 1e-6, scale: camera.scale };
    }, count);
  const one = await seen(1);
  for (const count of [2, 4, 1]) {
    await press(String(count));
    await until(page, (count) => globalThis.carom.runner.panes.length === count && globalThis.carom.runner.panes.every((pane) => pane.frame), count);
    await calm(page);
    const now = await seen(count);
    assert.ok(now.holds, `${count} panes: ${JSON.stringify(now)}`);
    assert.deepEqual([now.x, now.y], [one.x, one.y]);
  }
  await page.getByRole("link", { name: /Carom/ }).click();
  await page.waitForSelector(".cards li");
  await page.goBack();
  await ready(page);
  await until(page, () => globalThis.carom.element.isConnected && globalThis.carom.runner.lead?.stage?.camera.x === 0.5);
  assert.ok((await seen(1)).holds);
});

test("the gallery is found where it was left", async () => {
  await visit();
  await page.waitForSelector(".cards li");
  await page.getByRole("link", { name: /Vortices/ }).scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => document.getElementById("view").scrollTop);
  assert.ok(before > 200);
  await page.getByRole("link", { name: /Vortices/ }).click();
  await ready(page);
  await page.goBack();
  await page.waitForSelector(".cards li");
  await until(page, (before) => Math.abs(document.getElementById("view").scrollTop - before) < 2, before);
});

// 5. A paused body showed a hand and did not move.
test("a paused body is placed, with its new numbers", async () => {
  for (const [scene, body, width] of [["break-discs", 4, 3], ["net", 10, 2], ["dice", 2, 7]]) {
    await open(`#scene=${scene}&still`);
    await page.evaluate((body) => globalThis.carom.select(body), body);
    await calm(page);
    const where = () => page.evaluate(([body, width]) => [...globalThis.carom.runner.lead.frame.positions.subarray(width * body, width * body + 2)], [body, width]);
    const start = await where();
    const [x, y] = await place(body);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y - 40, { steps: 3 });
    await page.mouse.up();
    await calm(page);
    await until(page, ([body, width, start]) => {
      const { positions } = globalThis.carom.runner.lead.frame;
      return Math.hypot(positions[width * body] - start[0], positions[width * body + 1] - start[1]) > 1e-3;
    }, [body, width, start]);
    const now = await where();
    const [nx, ny] = await place(body);
    assert.ok(Math.hypot(nx - x - 30, ny - y + 40) < 3, `${scene}: the body is where the pointer is, ${nx - x} ${ny - y}`);
    const shown = await page.locator(".inspector tr", { hasText: "position" }).locator(".value").innerText();
    assert.ok(Math.abs(Number(shown.split(",")[0].replace("−", "-")) - now[0]) < 2e-3 * Math.max(1, Math.abs(now[0])), `${scene}: ${shown}, ${now}`);
    await press("Control+z");
    // The whole drag is one change, and is done again.
    const isAt = ([body, width, place]) => place.every((x, k) => globalThis.carom.runner.lead.frame.positions[width * body + k] === x);
    await until(page, isAt, [body, width, start]);
    await press("Control+y");
    await until(page, isAt, [body, width, now]);
    await page.close();
  }
});

// 6. Words.
test("a bad link says what is wrong with it; menus close; methods have one name", async () => {
  await visit("#s=%%%notalink");
  await page.locator(".failure").waitFor();
  assert.match(await page.locator(".failure").textContent(), /damaged or was cut off/);
  assert.doesNotMatch(await page.locator(".failure").textContent(), /atob/);
  await page.close();
  await open("#scene=break&still");
  await page.locator(".menu summary").click();
  assert.ok(await page.getByText("Velocities").isVisible());
  await press("Escape");
  assert.equal(await page.locator(".menu").getAttribute("open"), null);
  const chosen = await page.getByLabel("Integrator", { exact: true }).first().evaluate((select) => select.selectedOptions[0].textContent);
  assert.equal(chosen, "symplectic-euler");
  await press("e");
  await until(page, () => document.querySelector(".findings-summary")?.textContent === "No problems found.");
});

// 7. `carom play` sent everything as it was.
test("the first view is light", { skip: process.env.CAROM_PLAY || process.env.CAROM_PAGE ? false : "CAROM_PLAY does not name the program" }, async () => {
  await visit();
  await page.waitForSelector(".cards li");
  await page.waitForLoadState("networkidle");
  await until(page, () => [...document.querySelectorAll(".cards img")].slice(0, 8).every((img) => img.complete && img.naturalWidth > 100));
  const wire = await page.evaluate(() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, entry) => sum + entry.encodedBodySize, 0));
  assert.ok(wire > 10_000 && wire < 700_000, `${wire} bytes`);
  const encodings = await page.evaluate(async () => Promise.all(["main.js", "engine.wasm", "style.css"].map(async (name) => (await fetch(name)).headers.get("content-encoding"))));
  assert.ok(encodings.every((word) => word === "br" || word === "gzip"), String(encodings));
});

// 9. The game.
test("a reload of a replay link shows the flight again", { timeout: 120_000 }, async () => {
  const flight = await (async () => {
    await visit("#game&level=3&seed=9");
    await until(page, () => globalThis.caromGame?.game !== undefined);
    const recording = await page.evaluate(() => {
      for (let tick = 0; tick < 120; tick += 1) globalThis.caromGame.game.tick(tick < 30 ? 1 : 2);
      return globalThis.caromGame.game.recording();
    });
    await page.close();
    return recording;
  })();
  await visit(`#game&replay=${flight}`);
  await until(page, () => globalThis.caromGame?.watched !== undefined);
  assert.ok(page.url().endsWith(`#game&replay=${flight}`), page.url());
  await page.reload();
  await until(page, () => globalThis.caromGame?.watched !== undefined && globalThis.caromGame.level === 3);
});

test("gauges do not cover the field, limits are words, an empty tank has a banner", { timeout: 120_000 }, async () => {
  for (const size of [undefined, { width: 390, height: 844 }]) {
    await visit("#game&level=1&seed=7", size);
    await until(page, () => globalThis.caromGame?.game !== undefined);
    const [gauges, sky] = [await page.locator(".gauges").boundingBox(), await page.locator("canvas.sky").boundingBox()];
    assert.ok(gauges.y + gauges.height <= sky.y + 1, "the gauges are above the field");
    assert.match(await page.locator(".gauges").innerText(), /≤ 0\.8 ✓[\s\S]*≤ 0\.3 ✓/);
    if (!size) await page.close();
  }
  await page.close();
  await visit("#game&level=1&seed=7");
  await until(page, () => globalThis.caromGame?.game !== undefined);
  // Turning burns the tank without leaving the screen.
  await page.evaluate(() => {
    const { game } = globalThis.caromGame;
    while (game.gauges()[1] > 4) game.tick(2);
  });
  await page.keyboard.down("a");
  await page.locator(".game-banner").getByText(/tank is empty/).waitFor({ timeout: 60_000 });
  await page.keyboard.up("a");
  await shoot(page, "game-empty-tank");
  await button("Start again (R)").click();
  // A flight that was paused meanwhile is begun anew, another goes back to its start: full tanks.
  await until(page, () => globalThis.caromGame.stage === "flying" && globalThis.caromGame.game.gauges()[1] > 100);
  assert.ok(await page.locator(".game-banner").isHidden());
});

test("a link from this machine warns that it works here only", async () => {
  await open("#scene=seesaw&still");
  await button("Share a link").click();
  await page.getByText(/served on this machine only/).waitFor();
  await shoot(page, "share");
});

test("a page that is opened as a file says what to do", async () => {
  await blank();
  await page.goto(pathToFileURL(join(DIST, "index.html")).href);
  await page.getByRole("heading", { name: "This page must be served" }).waitFor();
});

test("the chosen body in 3D is seen, pictures are dark in the dark, the player says what the scene is", async () => {
  await open("#scene=dice&still");
  await calm(page);
  await page.getByText("Dice of four, six, eight").waitFor();
  const before = await pixels(page);
  await page.evaluate(() => globalThis.carom.pick({ kind: "body", index: 4 }));
  // The panel takes room: pictures of one size are compared.
  await page.evaluate(() => globalThis.carom.pick(null));
  await calm(page);
  const marked = await page.evaluate(async () => {
    const { runner } = globalThis.carom;
    const copy = document.createElement("canvas");
    const look = () => {
      const { canvas } = runner.lead;
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const c = copy.getContext("2d", { willReadFrequently: true });
      c.drawImage(canvas, 0, 0);
      return c.getImageData(0, 0, copy.width, copy.height).data;
    };
    runner.lead.stage.draw(runner.lead.frame, runner.shown, null);
    const plain = look().slice();
    runner.lead.stage.draw(runner.lead.frame, runner.shown, { kind: "body", index: 4 });
    const chosen = look();
    let changed = 0;
    for (let k = 0; k < plain.length; k += 4) if (Math.abs(plain[k] - chosen[k]) + Math.abs(plain[k + 1] - chosen[k + 1]) + Math.abs(plain[k + 2] - chosen[k + 2]) > 60) changed += 1;
    return changed;
  });
  assert.ok(before.painted > 5000 && marked > 300, `${marked} pixels tell the chosen body`);
  await page.close();

  await visit();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.reload();
  await page.waitForSelector(".cards li");
  await until(page, () => [...document.querySelectorAll(".cards img")].slice(0, 6).every((img) => img.complete && img.naturalWidth > 100));
  const light = await page.evaluate(() =>
    [...document.querySelectorAll(".cards img")].slice(0, 6).map((img) => {
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [img.naturalWidth, img.naturalHeight];
      const c = copy.getContext("2d");
      c.drawImage(img, 0, 0);
      const { data } = c.getImageData(0, 0, copy.width, copy.height);
      let sum = 0;
      for (let k = 0; k < data.length; k += 4) sum += data[k] + data[k + 1] + data[k + 2];
      return sum / (data.length / 4) / 3;
    }),
  );
  assert.ok(light.every((mean) => mean < 110), `mean light of dark pictures: ${light}`);
  await shoot(page, "gallery-dark");
});

test("a failure has a margin on a phone, and the gallery says what there is besides scenes", async () => {
  await visit("#s=broken", { width: 390, height: 844 });
  const box = await page.locator(".failure").boundingBox();
  assert.ok(box.x >= 8 && box.x + box.width <= 382, JSON.stringify(box));
  await page.goto(`${browser.address}#`);
  const ways = page.getByRole("navigation", { name: "More than scenes" }).getByRole("link");
  await ways.first().waitFor();
  assert.deepEqual(await ways.evaluateAll((all) => all.map((a) => a.getAttribute("href"))), ["#lessons", "#new&panel=draw&still", "#game", "#compare", "#validate"]);
});

test("the page works where a browser keeps nothing: a frame of another site, blocked storage", async () => {
  await blank();
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      });
    }
  });
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${browser.address}?embed=1#scene=seesaw`);
  await until(page, () => globalThis.carom?.runner.step > 5);
  await page.goto(`${browser.address}#new&panel=draw`);
  await page.getByRole("button", { name: "Disc", exact: true }).waitFor();
  await page.goto(`${browser.address}#game&level=1&seed=7`);
  await until(page, () => globalThis.caromGame?.game !== undefined);
  assert.deepEqual(complaints, []);
});

test("a narrow picture shows what stands beside the viewport, and is painted to its last column", async () => {
  for (const [hash, size] of [["#scene=pyramid&still", { width: 390, height: 844 }], ["#scene=pyramid&still&panel=draw", { width: 1024, height: 768 }]]) {
    await open(hash, size);
    await calm(page);
    // The wrecking ball was cut off at the left edge.
    const outside = await page.evaluate(() => {
      const { stage, frame } = globalThis.carom.runner.lead;
      const { camera } = stage;
      return stage.drawing.bodies.flatMap((body, k) => {
        const reach = camera.scale * Math.max(body.radius, ...(body.points ?? []).map(([x, y]) => Math.hypot(x, y)));
        const x = stage.center(frame, k)[0];
        return x - reach < 0 || x + reach > camera.width ? [k] : [];
      });
    });
    assert.deepEqual(outside, [], `${hash} at ${size.width} px`);
    await page.close();
  }
  // Half a pixel of the layout was left black at the right edge of each pane.
  await open("#scene=pyramid&panes=2&still", { width: 1281, height: 800 });
  await calm(page);
  const [edge, paper] = await page.evaluate(() => {
    const { canvas } = globalThis.carom.runner.lead;
    const row = canvas.getContext("2d").getImageData(0, 40, canvas.width, 1).data;
    return [[...row.slice(-4)], [...row.slice(16, 20)]];
  });
  assert.deepEqual(edge, paper);
});

test("numbers and knobs of a still run follow the frame that is shown", async () => {
  await open("#scene=break-discs&still&step=100&panel=knobs&body=4");
  // The knob said zero until the run went on.
  const follows = () => {
    const { selected, lead } = globalThis.carom.runner;
    const velocity = lead.frame?.velocities?.[3 * selected?.index];
    const knob = document.querySelector('[aria-label^="Velocity x"][type=number]');
    return velocity !== undefined && knob !== null && Math.abs(Number(knob.value) - velocity) < 1e-3 ? { velocity } : undefined;
  };
  const velocities = [];
  for (const step of [100, 1000, 300]) {
    await seek(step);
    velocities.push((await (await until(page, follows)).jsonValue()).velocity);
  }
  assert.equal(velocities[0], 5, "the cue ball on its way");
  assert.ok(velocities[1] < 4, `after the break: ${velocities[1]}`);
  await page.evaluate(() => globalThis.carom.toggle("inspector"));
  for (const step of [40, 1200]) {
    await seek(step);
    await until(page, () => {
      const row = [...document.querySelectorAll(".inspector tr")].find((row) => row.textContent.startsWith("speed"));
      const { frame } = globalThis.carom.runner.lead;
      const speed = Math.hypot(frame.velocities[12], frame.velocities[13]);
      return row !== undefined && Math.abs(Number(/[\d.]+/.exec(row.textContent)[0]) - speed) < 1e-2;
    });
  }
});
