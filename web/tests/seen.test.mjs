// Physics to see: plots of anything, arrows, cones, energies, trails, slow motion; state and pixels
// are read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { browser, button, lesson, load, page, press, seek, visit } from "./person.mjs";
import { calm, pixels, ready, shoot, until } from "./support.mjs";

test("anything is plotted against anything, under several methods, with a cursor and as files", async () => {
  await load(lesson("simultaneous"));
  await page.evaluate(() => {
    const { carom } = globalThis;
    carom.toggle("plot");
    carom.plotting.choose("time", ["b0.vx", "b2.vx"]);
  });
  await page.evaluate(async () => {
    for (let step = 0; step <= 1500; step += 25) await globalThis.carom.runner.seek(step);
  });
  await calm(page);
  await until(page, () => /velocity x of 2: 1/.test(document.querySelector(".plotting output").textContent));
  const drawn = await pixels(page, "canvas.chart");
  assert.ok(drawn.painted > 500, `${drawn.painted} pixels`);
  await shoot(page, "plot");
  const download = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), button(name).click()]);
    return readFileSync(await file.path());
  };
  const svg = (await download("SVG")).toString();
  assert.match(svg, /^<svg [\s\S]*<polyline[\s\S]*velocity x of 2[\s\S]*<\/svg>\s*$/);
  assert.equal((await download("PNG")).subarray(1, 4).toString(), "PNG");
  const csv = (await download("CSV")).toString().trim().split("\n");
  assert.match(csv[0], /^method,step,time,"velocity x of 0 \[m\/s\]","velocity x of 2 \[m\/s\]"$/);
  const last = csv[csv.length - 1].split(",");
  assert.ok(Math.abs(Number(last[3])) < 1e-9 && Math.abs(Number(last[4]) - 1) < 1e-9, "the cradle: the last ball has it all");
  // A click on the plot is a place on the time line.
  const box = await page.locator("canvas.chart").boundingBox();
  await page.mouse.click(box.x + 72 + (box.width - 92) / 2, box.y + 150);
  await until(page, () => Math.abs(globalThis.carom.runner.step - 750) < 12);
  // Two methods in one plot, and quantities chosen from menus.
  await page.evaluate(() => globalThis.carom.compare(2));
  await page.getByLabel("Line 1: of what").selectOption("whole");
  await page.getByLabel("Line 1: quantity").selectOption("kinetic");
  await button("Remove line 2").click();
  await page.evaluate(async () => {
    for (const step of [0, 500, 1500]) await globalThis.carom.runner.seek(step);
  });
  const two = (await download("SVG")).toString();
  const beside = [...two.matchAll(/text-anchor="end"[^>]*>([^<]*)</g)].map(([, words]) => words);
  assert.equal(new Set(beside).size, beside.length, `no two ticks are called the same: ${beside}`);
  assert.match(two, /kinetic energy, gr-lcp[\s\S]*kinetic energy, lcp|kinetic energy, gr-lcp[\s\S]*kinetic energy/);
});

test("a plot knows what a seek went through, has velocities of the past, and an axis for each of two units", async () => {
  await load(lesson("restitution"));
  // The ball bounces on the way: a straight line from start to end was drawn.
  const end = await page.evaluate(() => Math.round(2 / globalThis.carom.runner.dt));
  await seek(end);
  const samples = await page.evaluate(() => globalThis.carom.runner.lead.series.samples.map(({ step, positions, velocities }) => ({ step, y: positions[1], v: velocities?.[1] })));
  assert.ok(samples.length >= 100, `${samples.length} samples`);
  assert.equal(samples.at(-1).step, end);
  const low = samples.filter(({ y }, k) => k > 0 && k < samples.length - 1 && y <= samples[k - 1].y && y < samples[k + 1].y);
  assert.ok(low.length >= 2, `${low.length} bounces in 2 s`);
  assert.ok(samples.every(({ v }) => Number.isFinite(v)), "velocities from the first sample on, though nobody asked for them");
  await page.evaluate(() => {
    const { carom } = globalThis;
    carom.toggle("plot");
    carom.plotting.choose("time", ["b0.y", "b0.vy"]);
  });
  await until(page, () => /y of 0: [\d.]+.*velocity y of 0: /.test(document.querySelector(".plotting output").textContent));
  await shoot(page, "plot-two-axes");
  const [file] = await Promise.all([page.waitForEvent("download"), button("SVG").click()]);
  const svg = readFileSync(await file.path()).toString();
  assert.match(svg, /velocity y of 0 \(right\)/);
  assert.equal([...svg.matchAll(/rotate\(-90 [^>]*>([^<]*)</g)].map(([, words]) => words).join(" and "), "y of 0 [m] and velocity y of 0 [m/s]");
  // Both lines fill the height: neither is flat beside the other.
  const heights = [...svg.matchAll(/<polyline fill="none" stroke="[^"]*" stroke-width="1.7" points="([^"]*)"/g)].map(([, points]) => {
    const ys = points.split(" ").map((point) => Number(point.split(",")[1]));
    return Math.max(...ys) - Math.min(...ys);
  });
  assert.equal(heights.length, 2);
  assert.ok(heights.every((height) => height > 300), String(heights));
});

test("arrows have a legend, contacts a cone, energy its bars, bodies trails", async () => {
  await load(lesson("friction"));
  await page.evaluate(async () => {
    for (let step = 0; step <= 200; step += 10) await globalThis.carom.runner.seek(step);
  });
  await calm(page);
  let last = (await pixels(page)).sum;
  for (const [key, words] of [["i", /impulse .* N s, force .* N/], ["o", /µ = 0\.4, half angle 21\.8°/]]) {
    await press(key);
    await page.locator(".legend").getByText(words).waitFor();
    await calm(page);
    const now = (await pixels(page)).sum;
    assert.notEqual(now, last);
    last = now;
  }
  await press("j");
  await page.getByLabel("kinetic energy").waitFor();
  await shoot(page, "physics");
  await page.evaluate((text) => globalThis.carom.apply(text, false), lesson("two-bodies"));
  await page.evaluate(async () => {
    for (let step = 0; step <= 1500; step += 25) await globalThis.carom.runner.seek(step);
  });
  await press("v");
  await page.locator(".legend").getByText(/velocity .* m\/s/).waitFor();
  for (const key of ["b", "m"]) {
    await calm(page);
    const before = (await pixels(page)).sum;
    await press(key);
    await calm(page);
    assert.notEqual((await pixels(page)).sum, before, `${key} draws a path`);
  }
  // Nothing is lost at e = 1.
  assert.match(await page.getByLabel("lost energy").innerText(), /^(0|.*10⁻\S+|gained .*10⁻\S+) J$/);
  await shoot(page, "paths");
});

test("the friction cone of a chosen contact holds its impulse: 2D and 3D, with and without WebGL2, light and dark", { timeout: 90_000 }, async () => {
  const layers = "show=contacts,cone";
  for (const [hash, size, scheme] of [["#scene=pyramid", undefined, "light"], ["#scene=falling-tower", undefined, "dark"], ["?plain#scene=falling-tower", { width: 390, height: 844 }, "light"]]) {
    await visit("", size);
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${browser.address}${hash}&still&${layers}`);
    await page.reload();
    await ready(page);
    await seek(12);
    const all = await page.locator(".legend").innerText();
    assert.match(all, /friction cone: µ = 0\.5, half angle 26\.6°/);
    // The contact with the greatest impulse is clicked; it stays chosen while steps go by.
    const index = await page.evaluate(() => {
      const { contacts } = globalThis.carom.runner.lead.frame;
      let best = 0;
      for (let k = 0; 15 * k < contacts.length; k++) if (contacts[15 * k + 10] > contacts[15 * best + 10]) best = k;
      const { stage, frame } = globalThis.carom.runner.lead;
      const point = [...contacts.subarray(15 * best + 3, 15 * best + 6)];
      const at = stage.orbit ? stage.orbit.project(point) : ((xy) => ({ x: xy[0], y: xy[1] }))(stage.camera.toScreen(point[0], point[1]));
      globalThis.carom.pick(stage.pick(frame, at.x, at.y));
      return globalThis.carom.runner.selected?.kind;
    });
    assert.equal(index, "contact");
    await page.locator(".legend").getByText(/impulse at [\d.]+° from the normal, (inside: it sticks|on the rim: it slides)/).waitFor();
    const degrees = Number(/impulse at ([\d.]+)°/.exec(await page.locator(".legend").innerText())[1]);
    assert.ok(degrees <= 26.6, `Coulomb's law: ${degrees}°`);
    await seek(13);
    assert.ok(await page.locator(".legend").getByText(/impulse at/).isVisible(), "still chosen in the next step");
    await calm(page);
    const shown = await pixels(page);
    await press("o");
    await calm(page);
    assert.notEqual((await pixels(page)).sum, shown.sum, "the cone is drawn");
    await shoot(page, `cone-${scheme}-${size ? "phone" : "desktop"}`);
    await page.close();
  }
});

test("impacts are shown slowly", async () => {
  await load(lesson("two-bodies"));
  await press("w");
  await seek(600);
  await page.evaluate(() => globalThis.carom.runner.play());
  await until(page, () => globalThis.carom.runner.slowed > 0);
  await until(page, () => globalThis.carom.runner.slowed === 0 && globalThis.carom.runner.step > 700);
});
