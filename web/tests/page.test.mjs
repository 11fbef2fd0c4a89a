// A person at the page: what they press, and what they see. State and pixels are read, and the
// console stays silent.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { advanced, browser, button, open, page, place, press, visit } from "./person.mjs";
import { calm, drawn, pixels, ready, SCENES, shoot, state, until } from "./support.mjs";

const settled = () => until(page, () => globalThis.carom.runner.panes.every((pane) => pane.frame));

test("the gallery shows every scene with its picture, and leads to it", async () => {
  await visit();
  await page.waitForSelector(".cards li");
  const cards = await page.locator(".cards li").count();
  assert.ok(cards >= 20, `${cards} cards`);
  await until(page, () => [...document.querySelectorAll(".cards img")].slice(0, 4).every((img) => img.complete && img.naturalWidth > 100));
  await shoot(page, "gallery");
  await page.getByRole("link", { name: /Newtons cradle/ }).click();
  await ready(page);
  assert.match(await page.title(), /Newtons cradle/);
  await page.goBack();
  await page.waitForSelector(".cards li");
});

test("a scene runs, pauses, steps, goes back, scrubs and starts over", async () => {
  await open("#scene=pyramid");
  await advanced(5);
  await press("Space");
  await until(page, () => !globalThis.carom.runner.playing);
  await calm(page);
  const paused = await state(page);
  const seen = await pixels(page);
  assert.ok(seen.painted > 2000, `${seen.painted} pixels are painted`);
  await drawn(page, 10);
  assert.equal((await state(page)).step, paused.step, "a paused scene stands still");

  await press("ArrowRight");
  await until(page, (step) => globalThis.carom.runner.step === step + 1, paused.step);
  await press("ArrowLeft");
  await until(page, (step) => globalThis.carom.runner.step === step, paused.step);
  assert.deepEqual((await state(page)).panes[0].positions, paused.panes[0].positions, "back is where it was, to the bit");

  // The slider: far ahead, and back to the same place.
  const slider = page.getByRole("slider", { name: "Time" });
  await slider.fill(String(paused.step + 400));
  await until(page, (step) => globalThis.carom.runner.step === step + 400, paused.step);
  await calm(page);
  assert.notEqual((await pixels(page)).sum, seen.sum, "another time is another picture");
  await slider.fill(String(paused.step));
  await until(page, (step) => globalThis.carom.runner.step === step, paused.step);
  assert.deepEqual((await state(page)).panes[0].positions, paused.panes[0].positions);
  await calm(page);
  // whole, so that a failure tells whether the picture has another size or shows something else
  assert.deepEqual(await pixels(page), seen, "the same moment is the same picture");

  await button("Back to the start").click();
  await until(page, () => globalThis.carom.runner.step === 0);
  await button("Run").click();
  await advanced(3);
});

test("an error is underlined in place, named, and corrected", async () => {
  await open("#scene=newtons-cradle");
  await press("e");
  await page.waitForSelector(".cm-content");
  await until(page, () => document.querySelector(".findings-summary")?.textContent === "No problems found.");
  const before = (await state(page)).panes[0].response;
  await page.evaluate(() => {
    const editor = globalThis.carom.panels.editor;
    editor.replace(editor.text.replace("<duration time=", "<duration tme="));
  });
  await page.waitForSelector(".cm-lintRange-error");
  const marked = await page.locator(".cm-lintRange-error").allTextContents();
  assert.ok(marked.some((text) => "tme".includes(text) || text.includes("tme") || text.includes("duration")), `underlined: ${marked}`);
  const finding = await page.locator(".findings li").first().textContent();
  assert.match(finding, /Line \d+:.*tme|Line \d+:.*time/);
  await shoot(page, "editor-error");
  assert.equal((await state(page)).panes[0].trouble, null, "the scene that could run is still there");
  // The finding offers the word that was meant.
  await page.locator(".findings li button:not(.link)").first().click();
  await until(page, () => document.querySelector(".findings-summary")?.dataset.state === "good");
  assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
  assert.equal((await state(page)).panes[0].response, before);
});

test("a changed number is another run", async () => {
  await open("#new&still");
  await page.waitForSelector(".cm-content");
  await until(page, () => document.querySelector(".findings-summary")?.dataset.state === "good");
  const start = (await state(page)).panes[0].positions;
  await page.evaluate(() => {
    const editor = globalThis.carom.panels.editor;
    editor.replace(editor.text.replace('px="-1.0"', 'px="-1.5"'));
  });
  await until(page, () => globalThis.carom.runner.lead.opened.positions[0] === -1.5);
  assert.equal(start[0], -1);
  await advanced(3);
});

test("another method is chosen from the menu", async () => {
  await open("#scene=break-discs");
  assert.equal((await state(page)).panes[0].response, "gr-lcp");
  await page.getByRole("combobox", { name: "Collision response" }).selectOption("impulse");
  await until(page, () => globalThis.carom.runner.lead.opened?.response === "impulse");
  await page.getByRole("combobox", { name: "Integrator" }).selectOption("velocity-verlet");
  await until(page, () => globalThis.carom.runner.lead.opened?.integrator === "velocity-verlet");
  await advanced(10);
  const { panes } = await state(page);
  assert.deepEqual([panes[0].response, panes[0].integrator], ["impulse", "velocity-verlet"]);
});

test("four methods run side by side, in step, with their plots", async () => {
  await open("#scene=break-discs&still");
  await page.getByRole("button", { name: "4 methods side by side" }).click();
  await until(page, () => globalThis.carom.runner.panes.length === 4);
  await settled();
  // To a moment after the balls met: the methods disagree by then.
  await page.getByRole("slider", { name: "Time" }).fill("1400");
  await until(page, () => globalThis.carom.runner.panes.every((pane) => pane.frame.step === 1400));
  const { panes } = await state(page);
  assert.equal(new Set(panes.map((pane) => pane.response)).size, 4, "four different methods");
  const places = panes.map((pane) => pane.positions.join());
  assert.ok(new Set(places).size >= 3, "the methods disagree");
  await press("Space");
  await advanced(1450);
  await press("Space");
  await until(page, () => globalThis.carom.runner.panes.every((pane) => pane.frame.step === globalThis.carom.runner.step), undefined);
  for (let pane = 0; pane < 4; pane++) assert.ok((await pixels(page, "canvas.stage", pane)).painted > 1000);
  await until(page, () => [...document.querySelectorAll(".plots")].length === 4);
  // Plots follow a few times a second.
  for (let tries = 0; tries < 50 && (await pixels(page, ".plots canvas", 0)).painted <= 100; tries++) await drawn(page, 6);
  assert.ok((await pixels(page, ".plots canvas", 0)).painted > 100, "the energy is plotted");
  await shoot(page, "compare-four");
  await press("2");
  await until(page, () => globalThis.carom.runner.panes.length === 2);
  await press("1");
  await until(page, () => globalThis.carom.runner.panes.length === 1);
});

test("a body is held, thrown and inspected", async () => {
  await open("#scene=break-discs&still");
  const place = () =>
    page.evaluate(() => {
      const { stage, frame, canvas } = globalThis.carom.runner.lead;
      const [x, y] = stage.center(frame, 4);
      const box = canvas.getBoundingClientRect();
      return [box.left + x, box.top + y];
    });
  const [x, y] = await place();
  await page.mouse.click(x, y);
  await page.waitForSelector(".inspector");
  await until(page, () => document.querySelector(".inspector h2")?.textContent === "Body 4");
  const rows = await page.locator(".inspector tr").allTextContents();
  assert.ok(rows.some((row) => /speed5m\/s/.test(row.replace(/\s/g, ""))), rows.join(" | "));
  await shoot(page, "inspector");
  const height = () => page.evaluate(() => globalThis.carom.runner.lead.frame.positions[13]);
  assert.equal(await height(), 0);
  // The hand holds while time goes on, slowly; the ball comes after it, and flies on when it is let
  // go.
  await page.evaluate(() => {
    globalThis.carom.runner.speed = 0.05;
    globalThis.carom.runner.play();
  });
  const [nx, ny] = await place();
  await page.mouse.move(nx, ny);
  await page.mouse.down();
  await page.mouse.move(nx, ny - 144, { steps: 4 });
  await until(page, () => globalThis.carom.runner.lead.frame.positions[13] > 0.05);
  await page.mouse.up();
  const held = await height();
  await until(page, (held) => globalThis.carom.runner.lead.frame.positions[13] > held + 0.02, held);
});

test("the view is moved by mouse and wheel, and fitted again", async () => {
  await open("#scene=newtons-cradle&still");
  const scale = () => page.evaluate(() => globalThis.carom.runner.lead.stage.camera.scale);
  const start = await scale();
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, -400);
  await until(page, (start) => globalThis.carom.runner.lead.stage.camera.scale > 1.3 * start, start);
  const before = await page.evaluate(() => globalThis.carom.runner.lead.stage.camera.x);
  await page.mouse.move(60, 650);
  await page.mouse.down();
  await page.mouse.move(160, 600, { steps: 5 });
  await page.mouse.up();
  assert.notEqual(await page.evaluate(() => globalThis.carom.runner.lead.stage.camera.x), before);
  await press("0");
  assert.ok(Math.abs((await scale()) / start - 1) < 1e-9);
});

// A scene without a viewport used to be fitted at its start only: the net fell out of the picture.
test("a fitted view follows what falls, and keeps it in sight", async () => {
  await open("#scene=net&still");
  const look = () =>
    page.evaluate(() => {
      const { stage, frame } = globalThis.carom.runner.lead;
      const places = [];
      for (let k = 0; k < frame.positions.length; k += 2) places.push(stage.camera.toScreen(frame.positions[k], frame.positions[k + 1]));
      const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]));
      const { width, height } = stage.camera;
      return { low: [Math.min(...xs), Math.min(...ys)], high: [Math.max(...xs), Math.max(...ys)], size: [width, height] };
    });
  for (const step of [0, 900, 2500]) {
    await page.getByRole("slider", { name: "Time" }).fill(String(step));
    await until(page, (step) => globalThis.carom.runner.step === step && globalThis.carom.runner.settled, step);
    const { low, high, size } = await look();
    const [across, down] = [0, 1].map((axis) => (high[axis] - low[axis]) / size[axis]);
    assert.ok(low.every((x) => x >= 0) && high.every((x, axis) => x <= size[axis]), `step ${step}: cut off, ${low} ${high} of ${size}`);
    assert.ok(Math.max(across, down) > 0.45, `step ${step}: small, ${across} ${down}`);
    await shoot(page, `net-${step}`);
  }
  // pairs of vortices fly apart for ever, and stay in the picture
  await page.close();
  await open("#scene=vortices&still");
  await page.getByRole("slider", { name: "Time" }).fill("1400");
  await until(page, () => globalThis.carom.runner.step === 1400 && globalThis.carom.runner.settled);
  const { low, high, size } = await look();
  assert.ok(low.every((x) => x >= 0) && high.every((x, axis) => x <= size[axis]), `vortices: ${low} ${high} of ${size}`);
  // whoever moves the view keeps it
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, -800);
  const scale = () => page.evaluate(() => globalThis.carom.runner.lead.stage.camera.scale);
  const moved = await scale();
  await page.getByRole("slider", { name: "Time" }).fill("1600");
  await until(page, () => globalThis.carom.runner.step === 1600 && globalThis.carom.runner.settled);
  assert.equal(await scale(), moved);
});

test("the inspector tells how the last step went", async () => {
  await open("#scene=dominoes&still");
  await page.getByRole("slider", { name: "Time" }).fill("60");
  await until(page, () => globalThis.carom.runner.step === 60 && globalThis.carom.runner.settled);
  await press("n");
  await until(page, () => /size of A/.test(document.querySelector(".inspector .step")?.textContent ?? ""));
  const row = (name) => page.locator(".inspector .step tr", { hasText: name }).locator(".value").innerText();
  const reported = await page.evaluate(() => globalThis.carom.runner.lead.frame.diagnostics);
  assert.ok(reported.rows > 0, "the dominoes stand on the floor");
  assert.equal(await row("size of A"), String(reported.rows));
  assert.equal(await row("contacts"), `${reported.contacts}, active ${reported.active}`);
  assert.notEqual(await row("kinetic energy after"), "–");
  await shoot(page, "last-step");
});

test("layers are drawn", async () => {
  await open("#scene=pyramid&still");
  await page.getByRole("slider", { name: "Time" }).fill("60");
  await until(page, () => globalThis.carom.runner.step === 60);
  await calm(page);
  let last = (await pixels(page)).sum;
  for (const key of ["v", "c", "i", "l"]) {
    await press(key);
    await calm(page);
    const now = (await pixels(page)).sum;
    assert.notEqual(now, last, `${key} changes the picture`);
    last = now;
  }
  await shoot(page, "layers");
});

test("a link holds the whole scene", async () => {
  await open("#scene=seesaw&still");
  await button("Share a link").click();
  const link = await page.getByLabel("Link to this scene").inputValue();
  const packed = new URL(link).hash;
  const old = page;
  await visit(packed + "&still");
  await old.close();
  await ready(page);
  assert.equal(await page.evaluate(() => globalThis.carom.text), readFileSync(join(SCENES, "seesaw.xml"), "utf8"));
});

test("a scene is opened by pasting and by dropping", async () => {
  await visit();
  await page.waitForSelector(".cards li");
  const text = readFileSync(join(SCENES, "figure-eight.xml"), "utf8");
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  }, text);
  await ready(page);
  assert.equal(await page.evaluate(() => globalThis.carom.text), text);
  const other = readFileSync(join(SCENES, "bernoulli.xml"), "utf8");
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "bernoulli.xml"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  }, other);
  await until(page, (text) => globalThis.carom.text === text, other);
});

test("pictures and movies are saved", async () => {
  await open("#scene=bernoulli");
  await advanced(2);
  const saved = page.waitForEvent("download");
  await press("p");
  const picture = await saved;
  assert.match(picture.suggestedFilename(), /^bernoulli-\d+\.png$/);
  const bytes = readFileSync(await picture.path());
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  await press("r");
  await until(page, () => globalThis.carom.film.recorder?.taken > 15);
  const filmed = page.waitForEvent("download");
  await press("r");
  const movie = await filmed;
  assert.match(movie.suggestedFilename(), /\.webm$/);
  const film = readFileSync(await movie.path());
  assert.ok(film.length > 1000 && film.readUInt32BE(0) === 0x1a45dfa3, "a WebM file with something in it");
});

test("a scene that diverges, is wrong or is huge stops with a message, and the page lives on", async () => {
  const diverges = `<scene><duration time="10000"/><integrator type="explicit-euler" dt="10"/>
    <particle m="1" px="0" py="0" vx="0" vy="0" fixed="1"/><particle m="1e-3" px="2" py="0" vx="0" vy="1" fixed="0"/>
    <edge i="0" j="1"/><springforce edge="0" k="1e9" l0="1"/></scene>`;
  await open("#scene=bernoulli");
  const apply = (text) => page.evaluate((text) => globalThis.carom.apply(text), text);
  await apply(diverges);
  await page.evaluate(() => globalThis.carom.runner.seek(900));
  await until(page, () => /finite/.test(globalThis.carom.runner.lead.trouble ?? ""));
  assert.match(await page.locator(".notice").textContent(), /Stopped\. Step \d+ .*finite/s);
  await shoot(page, "stopped");
  await apply("<scene><duration/></scene>");
  assert.match(await page.locator(".notice").textContent(), /error/);
  await page.evaluate(() => globalThis.carom.apply(" ".repeat(33 << 20)));
  assert.match(await page.locator(".notice").textContent(), /MiB/);
  await apply(readFileSync(join(SCENES, "bernoulli.xml"), "utf8"));
  await until(page, () => globalThis.carom.runner.lead.trouble === undefined);
  await page.evaluate(() => globalThis.carom.runner.play());
  await advanced(3);
});

test("an engine that was stopped says so, and Run starts it anew", async () => {
  await open("#scene=bernoulli");
  await advanced(3);
  await page.evaluate(() => globalThis.carom.runner.lead.link.close("stopped by hand; run again to start over"));
  await until(page, () => !globalThis.carom.runner.playing);
  assert.match(await page.locator(".notice").textContent(), /Stopped by hand/);
  await button("Run").click();
  await until(page, () => globalThis.carom.runner.lead.trouble === undefined && globalThis.carom.runner.step > 3);
  assert.ok(await page.locator(".notice").isHidden());
});

test("keys, names and help are there for those who do not see or point", async () => {
  await open("#scene=bernoulli&still");
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, canvas[tabindex], summary")]
      .filter((element) => element.offsetParent !== null && !(element.getAttribute("aria-label") || element.textContent.trim() || element.closest("label")))
      .map((element) => element.outerHTML),
  );
  assert.deepEqual(unnamed, [], "everything that can be used has a name");
  await press("n");
  await until(page, () => /^Body 0/.test(document.querySelector(".inspector h2")?.textContent ?? ""));
  await press("?");
  await page.getByRole("dialog").waitFor();
  await shoot(page, "help");
  await press("Escape");
  await until(page, () => document.querySelector("dialog") === null);
  await press("Space");
  await until(page, () => document.getElementById("status").textContent === "Running");
});

test("the theme turns, and the scene with it", async () => {
  await open("#scene=bernoulli&still");
  await calm(page);
  const light = await pixels(page);
  await button("Dark or light").click();
  await calm(page);
  assert.notEqual((await pixels(page)).sum, light.sum);
  await button("Dark or light").click();
});

test("a phone shows everything within its width, and two fingers zoom", async () => {
  const phone = { width: 390, height: 844 };
  await visit("", phone);
  await page.waitForSelector(".cards li");
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok((await overflow()) <= 0, "the gallery");
  await page.close();
  await visit("#scene=pyramid&still", phone);
  await ready(page);
  assert.ok((await overflow()) <= 0, "the player");
  for (const name of ["Run", "One step on", "Edit the scene", "Help"]) {
    const box = await button(name).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= phone.width && box.y + box.height <= phone.height, `${name} is within reach`);
  }
  const scale = () => page.evaluate(() => globalThis.carom.runner.lead.stage.camera.scale);
  const start = await scale();
  const fingers = await browser.context.newCDPSession(page);
  const touch = (type, gap) =>
    fingers.send("Input.dispatchTouchEvent", { type, touchPoints: gap === null ? [] : [{ x: 195 - gap, y: 250, id: 0 }, { x: 195 + gap, y: 250, id: 1 }] });
  await touch("touchStart", 40);
  for (const gap of [50, 65, 80]) await touch("touchMove", gap);
  await touch("touchEnd", null);
  await until(page, (start) => globalThis.carom.runner.lead.stage.camera.scale > 1.5 * start, start);
  await shoot(page, "phone");
});
