// What was broken, seen in a real browser: each test failed before its fix.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { discs } from "./measure.mjs";
import { calm, DIST, openBrowser, pixels, ready, SCENES, shoot, state, until } from "./support.mjs";

let browser;
let page;

before(async () => {
  browser = await openBrowser(process.env.CAROM_PAGE);
});
after(() => browser.close());
beforeEach(() => {
  browser.complaints.length = 0;
});
afterEach(async () => {
  await page?.close();
  page = undefined;
  assert.deepEqual(browser.complaints, [], "the console is free of errors");
});

const press = (key) => page.keyboard.press(key);
const button = (name) => page.getByRole("button", { name, exact: true });

async function open(hash, size) {
  page = await browser.page(hash, size);
  await ready(page);
}

const seek = async (step) => {
  await page.evaluate((step) => globalThis.carom.runner.seek(step), step);
  await calm(page);
};

const place = (body) =>
  page.evaluate((body) => {
    const { stage, frame, canvas } = globalThis.carom.runner.lead;
    const box = canvas.getBoundingClientRect();
    const at = stage.orbit ? stage.orbit.project(stage.centerOf(frame, body)) : { x: stage.center(frame, body)[0], y: stage.center(frame, body)[1] };
    return [box.left + at.x, box.top + at.y];
  }, body);

// 1. The camera's scale is a vector in 3D: not-a-number was sent, and nothing was said.
test("a body in 3D is pushed by buttons and keys, and a refused request is shown", async () => {
  await open("#scene=dice&still");
  await page.evaluate(() => globalThis.carom.select(3));
  await until(page, () => /^Body 3/.test(document.querySelector(".inspector h2")?.textContent ?? ""));
  const velocity = () =>
    page.evaluate(async () => {
      await globalThis.carom.runner.lead.move({ do: "look", layers: { velocities: true } });
      return [...globalThis.carom.runner.lead.frame.velocities.subarray(18, 24)];
    });
  const start = await velocity();
  await button("Push right").click();
  await until(page, () => globalThis.carom.runner.settled);
  const right = await velocity();
  assert.ok(Math.hypot(...right.map((v, k) => v - start[k])) > 1e-3, `${start} then ${right}`);
  await press("Alt+ArrowUp");
  await calm(page);
  const up = await velocity();
  assert.ok(up[2] > right[2], "up in the picture is up in the scene");
  await button("Spin left").click();
  await calm(page);
  assert.notDeepEqual((await velocity()).slice(3), up.slice(3));
  // The numbers in the panel are those of now.
  const told = await page.locator(".inspector tr", { hasText: "speed" }).locator(".value").first().innerText();
  assert.ok(Math.abs(Number(told.replace("−", "-")) - Math.hypot(...up.slice(0, 3))) < 0.01, told);
  await page.evaluate(() => globalThis.carom.runner.all({ do: "push", body: 3, velocity: [NaN, 0, 0], spin: [0, 0, 0] }));
  await page.locator(".toast.failed").waitFor();
  assert.equal(await page.locator(".toast.failed").getAttribute("role"), "alert");
});

// 2. Only responses were in the link.
test("everything that a person sets is in the link, and comes back", async () => {
  await open("#scene=bernoulli&still");
  await page.evaluate(async () => {
    const { carom } = globalThis;
    await carom.changeMethod(0, { response: "lcp", integrator: "explicit-euler" });
    await carom.compare(2);
    await carom.changeMethod(1, { response: "impulse", integrator: "velocity-verlet" });
    carom.runner.speed = 0.25;
    for (const name of Object.keys(carom.runner.shown)) carom.setLayer(name, true);
    carom.angleUnit = "rad";
    carom.showCorner(true);
    carom.plotting.choose("b0.x", ["b0.vx", "impulse"]);
    carom.toggle("plot");
    carom.runner.lead.stage.setView([0.5, -0.25, 1.5, 1]);
    carom.runner.selected = { kind: "body", index: 2 };
    carom.setLayer("slow", false);
    await carom.runner.seek(77);
  });
  await calm(page);
  const set = await page.evaluate(() => globalThis.carom.settings);
  const link = await page.evaluate(() => globalThis.carom.link());
  const old = page;
  page = await browser.page(new URL(link).hash);
  await old.close();
  await ready(page);
  await until(page, () => globalThis.carom.runner.step === 77 && globalThis.carom.runner.panes.length === 2 && globalThis.carom.panelShown === "plot");
  const found = await page.evaluate(() => globalThis.carom.settings);
  assert.deepEqual(found, set);
  assert.deepEqual(found.methods, [{ response: "lcp", integrator: "explicit-euler" }, { response: "impulse", integrator: "velocity-verlet" }]);
  assert.deepEqual((await state(page)).panes.map(({ response, integrator }) => [response, integrator]), [["lcp", "explicit-euler"], ["impulse", "velocity-verlet"]]);
  assert.equal(await page.evaluate(() => globalThis.carom.text), readFileSync(join(SCENES, "bernoulli.xml"), "utf8"));
});

test("what hands did is in the link, to the bit: placed, pushed and thrown bodies, the chosen contact, grid and description", async () => {
  for (const [scene, body] of [["break-discs", 6], ["dice", 3], ["net", 10]]) {
    await open(`#scene=${scene}&still`);
    await page.evaluate(async (body) => {
      const { carom } = globalThis;
      const { runner } = carom;
      const at = runner.lead.stage.centerOf(runner.lead.frame, body);
      await carom.touching.place({ body, position: [at[0] + 0.05, at[1] + 0.02, at[2]] });
      await runner.seek(4);
      carom.select(body);
      carom.touching.push([0.3, 0.4], 0.5);
      await runner.all({ do: "look" });
      await runner.all({ do: "hold", body, local: [0, 0, 0], target: [at[0] + 0.3, at[1] + 0.3, at[2]] });
      await runner.seek(11);
      await runner.all({ do: "release" });
      await runner.seek(20);
      carom.about.show(false);
      carom.panels.grid = 0.25;
    }, body);
    await calm(page);
    const [link, positions, set] = await page.evaluate(async () => [await globalThis.carom.link(), [...globalThis.carom.runner.lead.frame.positions], globalThis.carom.settings]);
    assert.equal(set.step, 20);
    const old = page;
    page = await browser.page(new URL(link).hash);
    await old.close();
    await ready(page);
    await until(page, () => globalThis.carom.runner.step === 20 && globalThis.carom.runner.settled);
    assert.deepEqual(await page.evaluate(() => [...globalThis.carom.runner.lead.frame.positions]), positions, scene);
    assert.deepEqual(await page.evaluate(() => globalThis.carom.settings), set);
    assert.ok(await page.locator(".about p").isHidden(), "the description is hidden as it was");
    await page.close();
  }
  await open("#scene=pyramid&still&show=contacts");
  await seek(30);
  const chosen = await page.evaluate(async () => {
    const { carom } = globalThis;
    const { stage, frame } = carom.runner.lead;
    const [x, y] = stage.camera.toScreen(frame.contacts[3], frame.contacts[4]);
    carom.pick(stage.pick(frame, x, y));
    return carom.runner.selected.name;
  });
  await page.getByRole("heading", { name: `Contact of ${chosen.first} and ${chosen.second}` }).waitFor();
  const link = await page.evaluate(() => globalThis.carom.link());
  await page.close();
  await open(new URL(link).hash);
  await page.getByRole("heading", { name: `Contact of ${chosen.first} and ${chosen.second}` }).waitFor();
  await until(page, () => /\d/.test([...document.querySelectorAll(".inspector tr")].find((row) => /normal impulse/.test(row.textContent))?.querySelector(".value")?.textContent ?? ""));
  assert.deepEqual(await page.evaluate(() => globalThis.carom.runner.selected.name), chosen);
});

test("a link whose hands do not fit its scene is shown, and the scene runs", async () => {
  await open("#scene=break-discs&still");
  await page.evaluate(() => globalThis.carom.touching.place({ body: 6, position: [0.1, 0.2, 0] }));
  const hands = new URL(await page.evaluate(() => globalThis.carom.link())).hash.match(/hands=[\w-]+/)[0];
  await page.close();
  await open(`#scene=bernoulli&still&${hands}`);
  await page.locator(".toast.failed", { hasText: "done by hand" }).waitFor();
  await page.evaluate(() => globalThis.carom.runner.seek(3));
  assert.equal((await state(page)).step, 3);
});

// 3. Edits were lost on reload, and nothing but pictures could be saved.
test("a draft survives a reload, and is put away", async () => {
  await open("#scene=seesaw&still");
  const original = await page.evaluate(() => globalThis.carom.text);
  await page.evaluate(() => globalThis.carom.apply(globalThis.carom.text.replace(/<duration time="[^"]*"/, '<duration time="1.25"')));
  await page.reload();
  await ready(page);
  assert.match(await page.evaluate(() => globalThis.carom.text), /<duration time="1.25"/);
  await page.getByText("Changed; kept on this device").waitFor();
  await button("Back to the original").click();
  await until(page, (text) => globalThis.carom.text === text, original);
  await page.reload();
  await ready(page);
  assert.equal(await page.evaluate(() => globalThis.carom.text), original);
});

test("scene and trajectory are saved as files", async () => {
  await open("#scene=dice&still");
  await seek(12);
  await button("Save").click();
  const download = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  await shoot(page, "save");
  const scene = await download(/Scene as text/);
  assert.equal(scene.name, "dice.xml");
  assert.equal(scene.bytes.toString(), readFileSync(join(SCENES, "dice.xml"), "utf8"));
  const npz = await download(/numpy/);
  assert.deepEqual([npz.name, npz.bytes.subarray(0, 4).toString("latin1")], ["dice.npz", "PK\x03\x04"]);
  assert.ok(npz.bytes.includes("positions.npy"));
  const csv = await download(/spreadsheets/);
  assert.ok(csv.bytes.includes("step,time,body,x,y,z"));
  const carom = await download(/Carom's own/);
  assert.equal(carom.bytes.subarray(1, 6).toString("latin1"), "CAROM");
  const glb = await download(/Blender/);
  assert.equal(glb.bytes.subarray(0, 4).toString("latin1"), "glTF");
  assert.equal((await state(page)).step, 12, "and the scene stands where it stood");
});

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

test("a view in 3D stays in one, two and four panes and after the gallery, and a phone sees what a desktop sees", async () => {
  await open("#scene=dice&still");
  await page.evaluate(() => globalThis.carom.runner.lead.stage.setView([0, 0, 0.3, 4, 0.7, 0.5]));
  const seen = (count) =>
    page.evaluate((count) => {
      const { orbit } = globalThis.carom.runner.panes[count - 1].stage;
      // Points that the one pane shows at its sides.
      const edge = [-1, 1].map((side) => orbit.project([-0.5 * side * Math.sin(0.7) * 2.4, 0.5 * side * Math.cos(0.7) * 2.4, 0.3]).x / orbit.width);
      return { view: globalThis.carom.runner.panes[count - 1].stage.view(), holds: edge.every((x) => x > 0 && x < 1), edge };
    }, count);
  const one = await seen(1);
  assert.ok(one.holds, String(one.edge));
  for (const count of [2, 4, 1]) {
    await press(String(count));
    await until(page, (count) => globalThis.carom.runner.panes.length === count && globalThis.carom.runner.panes.every((pane) => pane.frame), count);
    await calm(page);
    const now = await seen(count);
    assert.deepEqual(now.view, one.view, `${count} panes`);
    assert.ok(now.holds, `${count} panes: ${now.edge}`);
  }
  await page.getByRole("link", { name: /Carom/ }).click();
  await page.waitForSelector(".cards li");
  await page.goBack();
  await until(page, () => globalThis.carom.element.isConnected && globalThis.carom.runner.lead?.stage?.view()?.[3] === 4);
  await page.close();
  // The scene's own camera, on a phone.
  await open("#scene=dice&still", { width: 390, height: 844 });
  const inside = await page.evaluate(() => {
    const { stage, frame, drawing } = globalThis.carom.runner.lead;
    return drawing.bodies.map((body, k) => (body.shape === "plane" ? true : ((at) => at.x > 0 && at.x < stage.orbit.width && at.y > 0 && at.y < stage.orbit.height)(stage.orbit.project(stage.centerOf(frame, k)))));
  });
  assert.ok(inside.every(Boolean), `dice in the picture of a phone: ${inside}`);
});

test("the gallery is found where it was left", async () => {
  page = await browser.page();
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
    const told = await page.locator(".inspector tr", { hasText: "position" }).locator(".value").innerText();
    assert.ok(Math.abs(Number(told.split(",")[0].replace("−", "-")) - now[0]) < 2e-3 * Math.max(1, Math.abs(now[0])), `${scene}: ${told}, ${now}`);
    await press("Control+z");
    // The whole drag is one change, and is done again.
    const isAt = ([body, width, place]) => place.every((x, k) => globalThis.carom.runner.lead.frame.positions[width * body + k] === x);
    await until(page, isAt, [body, width, start]);
    await press("Control+y");
    await until(page, isAt, [body, width, now]);
    await page.close();
  }
  page = undefined;
});

// 6. Words.
test("a bad link says what is wrong with it; menus close; methods have one name", async () => {
  page = await browser.page("#s=%%%notalink");
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
  page = await browser.page();
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
    page = await browser.page("#game&level=3&seed=9");
    await until(page, () => globalThis.caromGame?.game !== undefined);
    const recording = await page.evaluate(() => {
      for (let tick = 0; tick < 120; tick += 1) globalThis.caromGame.game.tick(tick < 30 ? 1 : 2);
      return globalThis.caromGame.game.recording();
    });
    await page.close();
    return recording;
  })();
  page = await browser.page(`#game&replay=${flight}`);
  await until(page, () => globalThis.caromGame?.watched !== undefined);
  assert.ok(page.url().endsWith(`#game&replay=${flight}`), page.url());
  await page.reload();
  await until(page, () => globalThis.caromGame?.watched !== undefined && globalThis.caromGame.level === 3);
});

test("gauges do not cover the field, limits are words, an empty tank has a banner", { timeout: 120_000 }, async () => {
  for (const size of [undefined, { width: 390, height: 844 }]) {
    page = await browser.page("#game&level=1&seed=7", size);
    await until(page, () => globalThis.caromGame?.game !== undefined);
    const [gauges, sky] = [await page.locator(".gauges").boundingBox(), await page.locator("canvas.sky").boundingBox()];
    assert.ok(gauges.y + gauges.height <= sky.y + 1, "the gauges are above the field");
    assert.match(await page.locator(".gauges").innerText(), /≤ 0\.8 ✓[\s\S]*≤ 0\.3 ✓/);
    if (!size) await page.close();
  }
  await page.close();
  page = await browser.page("#game&level=1&seed=7");
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
  await page.waitForFunction(() => globalThis.caromGame.game.gauges()[5] === 1);
  assert.ok(await page.locator(".game-banner").isHidden());
});

test("a link from this machine warns that it works here only", async () => {
  await open("#scene=seesaw&still");
  await button("Share a link").click();
  await page.getByText(/served on this machine only/).waitFor();
  await shoot(page, "share");
});

test("a page that is opened as a file says what to do", async () => {
  page = await browser.context.newPage();
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

  page = await browser.page();
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

// 10. A scene that cannot keep up said nothing.
test("a scene that cannot keep up says so, and by how much", async () => {
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
  const told = Number(/[\d.e-]+/.exec(words.slice(7))[0]);
  assert.ok(told > 0 && told < 1000, `half of what was asked for at most: ${told}`);
  await page.evaluate(() => {
    globalThis.carom.runner.pause();
  });
  await page.locator(".pace").waitFor({ state: "hidden" });
});
