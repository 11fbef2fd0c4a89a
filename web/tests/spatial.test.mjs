// Bodies in 3D: drawn, turned about, held and pushed, with WebGL2 and without.
import assert from "node:assert/strict";
import { test } from "node:test";
import { advanced, button, open, page, press } from "./person.mjs";
import { calm, pixels, shoot, until } from "./support.mjs";

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
  const shown = await page.locator(".inspector tr", { hasText: "speed" }).locator(".value").first().innerText();
  assert.ok(Math.abs(Number(shown.replace("−", "-")) - Math.hypot(...up.slice(0, 3))) < 0.01, shown);
  await page.evaluate(() => globalThis.carom.runner.all({ do: "push", body: 3, velocity: [NaN, 0, 0], spin: [0, 0, 0] }));
  await page.locator(".toast.failed").waitFor();
  assert.equal(await page.locator(".toast.failed").getAttribute("role"), "alert");
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

test("bodies in 3D are drawn with light, turned about, and held", async () => {
  await open("#scene=dice&still");
  await until(page, () => globalThis.carom.runner.lead.stage !== undefined);
  await calm(page);
  const start = await pixels(page);
  assert.ok(start.painted > 5000, `${start.painted} pixels are painted`);
  await page.mouse.move(60, 640);
  await page.mouse.down();
  await page.mouse.move(200, 640, { steps: 3 });
  await page.mouse.up();
  await calm(page);
  assert.notEqual((await pixels(page)).sum, start.sum, "another side is another picture");
  await shoot(page, "space");
  const picked = await page.evaluate(() => {
    const { stage, frame } = globalThis.carom.runner.lead;
    const found = [];
    for (let body = 1; body < frame.positions.length / 7; body++) {
      const { x, y } = stage.orbit.project([...frame.positions.subarray(7 * body, 7 * body + 3)]);
      found.push(stage.pick(frame, x, y)?.kind);
    }
    return found;
  });
  assert.ok(picked.length > 0 && picked.every((kind) => kind === "body"), "what is drawn can be picked");
  await press("n");
  await until(page, () => /^Body 0, fixed/.test(document.querySelector(".inspector h2")?.textContent ?? ""));
  await press("Space");
  await advanced(3);
});

test("bodies in 3D are drawn plainly without WebGL2", async () => {
  await open("?plain#scene=dice&still");
  await until(page, () => globalThis.carom.runner.lead.stage !== undefined);
  await calm(page);
  assert.ok((await pixels(page)).painted > 2000);
  await shoot(page, "space-plain");
});
