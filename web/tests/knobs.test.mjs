// Knobs turn the numbers of a scene and of a body while it runs; what was done is undone in its
// order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { button, lesson, load, open, page, press, seek } from "./person.mjs";
import { calm, shoot, state, until } from "./support.mjs";

test("knobs turn the numbers of a scene while it runs, and are taken back", async () => {
  await load(lesson("restitution"));
  await page.evaluate(() => globalThis.carom.toggle("knobs"));
  await page.getByLabel("Restitution e", { exact: true }).waitFor();
  await seek(400);
  const before = (await state(page)).panes[0].positions;
  const number = page.getByLabel("Restitution e, as a number");
  await number.fill("0");
  await number.press("Enter");
  await until(page, () => /COR="0"/.test(globalThis.carom.text));
  await calm(page);
  assert.deepEqual((await state(page)).panes[0].positions, before, "it goes on from where it is");
  assert.equal((await state(page)).step, 400);
  await shoot(page, "knobs");
  await seek(3000);
  const rest = (await state(page)).panes[0].positions[1];
  assert.ok(Math.abs(rest - 0.1) < 2e-3, `without restitution it stays down: ${rest}`);
  // A slider by keys, a law that the scene does not name, and undo.
  await page.getByLabel("Gravity y in m/s²", { exact: true }).focus();
  await press("ArrowRight");
  await until(page, () => /fy="-9.7"/.test(globalThis.carom.text));
  await page.locator("h1").click();
  await press("Control+z");
  await until(page, () => /fy="-9.81"/.test(globalThis.carom.text));
  await press("Control+z");
  await until(page, () => /COR="0.8"/.test(globalThis.carom.text));
  await press("Control+y");
  await until(page, () => /COR="0"/.test(globalThis.carom.text));
  // Home begins anew, with the numbers as they are.
  await button("Back to the start").click();
  await until(page, () => globalThis.carom.runner.step === 0 && globalThis.carom.runner.since === 0);
});

test("the chosen body has knobs: mass, size, velocity", async () => {
  await load(lesson("two-bodies"));
  await seek(10);
  await page.evaluate(() => {
    globalThis.carom.toggle("knobs");
    globalThis.carom.pick({ kind: "body", index: 0 });
  });
  const set = async (label, value) => {
    const field = page.getByLabel(`${label}, as a number`);
    await field.fill(String(value));
    await field.press("Enter");
    await calm(page);
  };
  await set("Velocity x in m/s", 3);
  await set("Radius in m", 0.25);
  await until(page, () => globalThis.carom.runner.lead.drawing.bodies[0].radius === 0.25);
  await page.evaluate(() => globalThis.carom.runner.lead.move({ do: "look", layers: { velocities: true } }));
  assert.equal(await page.evaluate(() => globalThis.carom.runner.lead.frame.velocities[0]), 3);
});

test("size and mass of polygons and boxes have knobs too", async () => {
  await open("#scene=pyramid&still");
  await page.evaluate(() => {
    globalThis.carom.toggle("knobs");
    globalThis.carom.pick({ kind: "body", index: 3 });
  });
  const set = async (label, factor) => {
    const field = page.getByLabel(`${label}, as a number`);
    await field.waitFor();
    const next = factor * Number(await field.inputValue());
    await field.fill(String(next));
    await field.press("Enter");
    await calm(page);
    return next;
  };
  const reach = () => page.evaluate(() => Math.max(...globalThis.carom.runner.lead.drawing.bodies[3].points.map(([x, y]) => Math.hypot(x, y))));
  const before = await reach();
  await set("Size in m", 1.5);
  await page.waitForFunction((wanted) => Math.abs(Math.max(...globalThis.carom.runner.lead.drawing.bodies[3].points.map(([x, y]) => Math.hypot(x, y))) - wanted) < 1e-4, 1.5 * before);
  await page.locator("h1").click();
  await press("Control+z");
  await page.waitForFunction((wanted) => Math.abs(Math.max(...globalThis.carom.runner.lead.drawing.bodies[3].points.map(([x, y]) => Math.hypot(x, y))) - wanted) < 1e-9, before);
  await page.close();
  await open("#scene=falling-tower&still");
  await page.evaluate(() => {
    globalThis.carom.toggle("knobs");
    globalThis.carom.pick({ kind: "body", index: 1 });
  });
  const side = await set("Side a in m", 1.2);
  await until(page, (side) => Math.abs(globalThis.carom.runner.lead.drawing.bodies[1].sides[0] - side) < 1e-6, side);
});

test("a velocity that is turned by its knob, a push and a number of the text are undone in their order", async () => {
  await load(lesson("two-bodies"));
  await seek(10);
  await page.evaluate(() => {
    globalThis.carom.toggle("knobs");
    globalThis.carom.pick({ kind: "body", index: 0 });
  });
  const velocity = () => page.evaluate(async () => (await globalThis.carom.runner.lead.ask({ do: "look", layers: { velocities: true } })).velocities[0]);
  const start = await velocity();
  const slider = page.getByLabel("Velocity x in m/s", { exact: true });
  await slider.focus();
  for (let k = 0; k < 3; k += 1) await press("ArrowRight");
  await calm(page);
  const turned = await velocity();
  assert.ok(turned > start);
  await page.evaluate(() => globalThis.carom.touching.push([1, 0], 0));
  await calm(page);
  const pushed = await velocity();
  assert.ok(pushed > turned);
  const back = async (key, wanted) => {
    await press(key);
    await page.waitForFunction(async (wanted) => (await globalThis.carom.runner.lead.ask({ do: "look", layers: { velocities: true } })).velocities[0] === wanted, wanted);
  };
  await page.locator("h1").click();
  await back("Control+z", turned);
  await back("Control+z", start);
  await back("Control+y", turned);
  await back("Control+y", pushed);
});

test("a slider follows the mouse as long as it is held, paused and in mid-run", async () => {
  // Sliders whose range is made from their number were replaced under the hand.
  for (const [scene, body, step] of [["break-discs", 5, 0], ["break-discs", 5, 50], ["dice", 2, 20]]) {
    await open(`#scene=${scene}&still&panel=knobs&body=${body}${step ? `&step=${step}` : ""}`);
    await calm(page);
    for (const label of ["Time step", scene === "dice" ? "Density" : "Mass", "Restitution", "Velocity x"]) {
      const slider = page.locator(`.knob input[type=range][aria-label^="${label}"]`);
      const number = page.locator(`.knob input[type=number][aria-label^="${label}"]`);
      await slider.scrollIntoViewIfNeeded();
      const box = await slider.boundingBox();
      const share = await slider.evaluate((input) => (input.valueAsNumber - input.min) / (input.max - input.min));
      const [x, y] = [box.x + 8 + share * (box.width - 16), box.y + box.height / 2];
      const way = share > 0.5 ? -1 : 1;
      const seen = [Number(await number.inputValue())];
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let k = 1; k <= 4; k++) {
        await page.mouse.move(x + way * 9 * k, y);
        await calm(page);
        seen.push(Number(await number.inputValue()));
      }
      await page.mouse.up();
      assert.ok(seen.every((value, k) => k === 0 || way * (value - seen[k - 1]) > 0), `${scene}, ${label} at step ${step}: ${seen}`);
      assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? ""), new RegExp(`^${label}`), "the focus stays");
      assert.deepEqual(await page.evaluate(() => globalThis.carom.runner.selected), { kind: "body", index: body }, "and the choice");
    }
    // A whole drag is one change.
    await press("Control+z");
    await calm(page);
    await page.evaluate(() => globalThis.carom.revert());
    await calm(page);
    await page.close();
  }
  await open("#scene=break-discs&still&panel=knobs&body=5");
  await calm(page);
  const number = page.getByLabel("Time step in s, as a number");
  for (const [typed, said] of [["abc", undefined], ["-5", /^`dt` must be greater than 0/]]) {
    await number.fill("");
    await number.pressSequentially(typed);
    await press("Enter");
    if (said) await page.locator(".toast").getByText(said).waitFor();
    await until(page, () => document.querySelector('[aria-label="Time step in s, as a number"]').value === "0.0005");
  }
  assert.ok(await page.getByLabel("Mass in kg, as a number").isVisible(), "the knobs of the chosen body are still there");
});

test("Escape chooses nothing, then closes the panel", async () => {
  await open("#scene=bernoulli&still&body=1");
  await calm(page);
  for (const [key, panel] of [["k", "knobs"], ["h", "plot"], ["d", "draw"]]) {
    await press(key);
    await until(page, (panel) => globalThis.carom.panelShown === panel, panel);
    // First what is chosen, then the panel.
    await press("Escape");
    await press("Escape");
    await until(page, () => globalThis.carom.panelShown === null && globalThis.carom.runner.selected === null);
  }
});
