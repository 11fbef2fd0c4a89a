// Drawing by mouse and finger: the text follows, and everything is undone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, button, load, page, press, seek, visit } from "./person.mjs";
import { calm, pixels, ready, shoot, state, until } from "./support.mjs";

test("a scene is drawn, the text follows, and it is taken back", async () => {
  await load(`<scene>
  <simtype type="rigid-body"/>
  <duration time="5"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.005"/>
  <rigidbodycollisionhandling detection="all-pairs" response="lcp" COR="0.2" mu="0.3"/>
  <rigidbodygravityforce fx="0" fy="-9.81"/>
  <viewport cx="0" cy="0" size="2"/>
</scene>
`);
  await page.evaluate(() => globalThis.carom.toggle("draw"));
  const at = (x, y) =>
    page.evaluate(([x, y]) => {
      const { stage, canvas } = globalThis.carom.runner.lead;
      const box = canvas.getBoundingClientRect();
      const [px, py] = stage.camera.toScreen(x, y);
      return [box.left + px, box.top + py];
    }, [x, y]);
  const drag = async (from, to) => {
    await calm(page);
    await page.mouse.move(...(await at(...from)));
    await page.mouse.down();
    await page.mouse.move(...(await at(...to)), { steps: 4 });
    await page.mouse.up();
  };
  const bodies = (count) => until(page, (count) => globalThis.carom.runner.lead.drawing?.bodies.length === count && globalThis.carom.runner.settled, count);
  await button("Disc").click();
  await drag([-1, 0.5], [-0.6, 0.5]);
  await bodies(1);
  assert.match(await page.evaluate(() => globalThis.carom.text), /<rigidbodydisc x="-1" y="0\.5" radius="0\.4" m="1"\/>/);
  await button("Box").click();
  await drag([0, 0], [0.6, 0.4]);
  await bodies(2);
  await button("Wall").click();
  await drag([-1.8, -1], [1.8, -1]);
  await bodies(3);
  await button("Polygon").click();
  for (const corner of [[1, 0.5], [1.5, 0.5], [1.2, 1], [1, 0.5]]) {
    await calm(page);
    await page.mouse.click(...(await at(...corner)));
  }
  await bodies(4);
  await button("Spring").click();
  await drag([-1, 0.5], [-1, 1.5]);
  await until(page, () => globalThis.carom.runner.lead.drawing.springs.length === 1);
  assert.match(await page.evaluate(() => globalThis.carom.text), /<rigidbodyspringforce i="0"/);
  await shoot(page, "draw");
  // Move: the text follows.
  await button("Select").click();
  await drag([0.3, 0.2], [0.3, 0.7]);
  await until(page, () => /<rigidbodyvertex x="0" y="0.5"/.test(globalThis.carom.text));
  // Turn, copy, delete.
  await page.evaluate(() => globalThis.carom.pick({ kind: "body", index: 1 }));
  await button("Turn left").click();
  await until(page, () => !/<rigidbodyvertex x="0" y="0.5"/.test(globalThis.carom.text));
  await button("Copy").click();
  await bodies(5);
  await page.evaluate(() => globalThis.carom.pick({ kind: "body", index: 0 }));
  await button("Delete").click();
  await bodies(4);
  const text = await page.evaluate(() => globalThis.carom.text);
  assert.doesNotMatch(text, /rigidbodydisc|rigidbodyspringforce/, "its spring goes with it");
  await button("Undo").click();
  await bodies(5);
  assert.match(await page.evaluate(() => globalThis.carom.text), /rigidbodyspringforce i="0"/);
  await button("Redo").click();
  await bodies(4);
  // The other way round: what is typed is drawn.
  await page.evaluate(() => globalThis.carom.apply(globalThis.carom.text.replace("</scene>", '<rigidbodydisc x="-1" y="1" radius="0.2" m="1"/></scene>'), false));
  await bodies(5);
  await page.evaluate(() => globalThis.carom.runner.play());
  await until(page, () => globalThis.carom.runner.step > 30 && globalThis.carom.runner.lead.trouble === undefined);
});

/** A finger that goes from place to place. */
async function finger(places) {
  const client = await browser.context.newCDPSession(page);
  const touch = (type, place) => client.send("Input.dispatchTouchEvent", { type, touchPoints: place ? [{ x: place[0], y: place[1], id: 0 }] : [] });
  await touch("touchStart", places[0]);
  for (const place of places.slice(1)) await touch("touchMove", place);
  await touch("touchEnd");
}

const onStage = (x, y) =>
  page.evaluate(([x, y]) => {
    const { stage, canvas } = globalThis.carom.runner.lead;
    const box = canvas.getBoundingClientRect();
    const [px, py] = stage.camera.toScreen(x, y);
    return [box.left + px, box.top + py];
  }, [x, y]);

test("walls, springs and fixed bodies are chosen, moved, turned, copied and deleted; there is a grid; a drawing is of the start", { timeout: 90_000 }, async () => {
  const text = () => page.evaluate(() => globalThis.carom.text);
  const drag = async (from, to) => {
    await calm(page);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
    await page.mouse.move(...to);
    await page.mouse.up();
    await calm(page);
  };
  await load(`<scene>
  <duration time="5"/>
  <integrator type="symplectic-euler" dt="0.005"/>
  <collision type="simple" COR="0.5"/>
  <simplegravity fx="0" fy="-9.81"/>
  <viewport cx="0" cy="0" size="2"/>
  <particle m="1" px="-1" py="1" vx="0" vy="0" fixed="0" radius="0.1"/>
  <particle m="1" px="1" py="1" vx="0" vy="0" fixed="0" radius="0.1"/>
  <edge i="0" j="1" radius="0.02"/>
  <springforce edge="0" k="100" l0="2" b="0.1"/>
  <halfplane px="0" py="-1" nx="0" ny="1"/>
</scene>
`);
  await seek(40);
  await page.evaluate(() => globalThis.carom.toggle("draw"));
  await until(page, () => globalThis.carom.runner.step === 0 && globalThis.carom.runner.settled);
  const lines = async () => (await pixels(page, "canvas.sketch")).painted;
  await until(page, () => document.querySelector("canvas.sketch") !== null);
  const grid = await page.evaluate(() => {
    const c = document.querySelector("canvas.sketch");
    const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
    let count = 0;
    for (let k = 3; k < data.length; k += 4) if (data[k] > 0) count += 1;
    return count;
  });
  assert.ok(grid > 2000, `the grid is there: ${grid} pixels`);
  // The half-plane: moved, turned by its handle, copied, deleted.
  await drag(await onStage(0.5, -1), await onStage(0.5, -1.2));
  assert.match(await text(), /<halfplane px="0" py="-1\.2" nx="0" ny="1"\/>/);
  const handle = await page.evaluate(() => {
    const { canvas } = globalThis.carom.runner.lead;
    const box = canvas.getBoundingClientRect();
    const { at, pivot } = globalThis.carom.panels.drawing.paper.handle();
    const [x, y] = globalThis.carom.runner.lead.stage.camera.toScreen(...pivot);
    return { at: [box.left + at[0], box.top + at[1]], pivot: [box.left + x, box.top + y] };
  });
  const long = handle.pivot[1] - handle.at[1];
  await drag(handle.at, [handle.pivot[0] - long * Math.sin(Math.PI / 6), handle.pivot[1] - long * Math.cos(Math.PI / 6)]);
  assert.match(await text(), /nx="-0\.5" ny="0\.866\d*"/, "thirty degrees, by notches");
  assert.ok((await lines()) >= 0);
  await button("Copy").click();
  await until(page, () => globalThis.carom.runner.lead.drawing.obstacles.length === 2);
  await button("Delete").click();
  await until(page, () => globalThis.carom.runner.lead.drawing.obstacles.length === 1);
  // The spring between the particles.
  await page.mouse.click(...(await onStage(0, 1)));
  await press("Delete");
  await until(page, () => globalThis.carom.runner.lead.drawing.edges.length === 0);
  assert.doesNotMatch(await text(), /springforce|<edge/, "with its force");
  await press("Control+z");
  await until(page, () => globalThis.carom.runner.lead.drawing.edges.length === 1);

  // Rigid bodies: a fixed wall is moved, a body's handle turns it, a spring's fixed end is moved.
  await page.evaluate((text) => globalThis.carom.apply(text, false), `<scene>
  <simtype type="rigid-body"/><duration time="5"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.005"/>
  <rigidbodycollisionhandling detection="all-pairs" response="lcp" COR="0.2" mu="0.3"/>
  <viewport cx="0" cy="0" size="2"/>
  <rigidbodyvertex x="-1.5" y="-1" m="1"/><rigidbodyvertex x="1.5" y="-1" m="1"/>
  <rigidbody p="0" p="1" vx="0" vy="0" omega="0" r="0.03" fixed="1"/>
  <rigidbodyvertex x="-0.2" y="-0.2" m="1"/><rigidbodyvertex x="0.2" y="-0.2" m="1"/><rigidbodyvertex x="0.2" y="0.2" m="1"/><rigidbodyvertex x="-0.2" y="0.2" m="1"/>
  <rigidbody p="2" p="3" p="4" p="5" vx="0" vy="0" omega="0" r="0.01" solid="1" density="1"/>
  <rigidbodydisc x="1" y="0.5" radius="0.2" m="1"/>
  <rigidbodyspringforce i="1" pix="0" piy="0" j="-1" pjx="-1" pjy="1" k="20" l0="1"/>
  <rigidbodyoscillation body="2" x="0.1" rate="6"/>
</scene>
`);
  await calm(page);
  await page.evaluate(() => globalThis.carom.panels.open("draw"));
  await drag(await onStage(1.2, -1), await onStage(1.2, -0.7));
  assert.match(await text(), /<rigidbodyvertex x="-1\.5" y="-0\.7" m="1"\/><rigidbodyvertex x="1\.5" y="-0\.7" m="1"\/>/);
  await drag(await onStage(-0.8, 0.8), await onStage(-0.5, 0.8));
  assert.match(await text(), /j="-1" pjx="-0\.7" pjy="1"/);
  await page.mouse.click(...(await onStage(1.2, -0.7)));
  await press("Delete");
  await until(page, () => globalThis.carom.runner.lead.drawing.bodies.length === 2);
  const rest = await text();
  assert.match(rest, /<rigidbody p="0" p="1" p="2" p="3"/, "its vertices are gone, and the others are counted anew");
  assert.match(rest, /<rigidbodyspringforce i="0"[\s\S]*<rigidbodyoscillation body="1"/);
  // A run goes on from the start when it is drawn in.
  await page.evaluate(() => globalThis.carom.runner.seek(50));
  await button("Disc").click();
  await drag(await onStage(-1.5, -1), await onStage(-1.3, -1));
  await until(page, () => globalThis.carom.runner.lead.drawing.bodies.length === 3 && globalThis.carom.runner.step === 0);
  await shoot(page, "draw-things");
});

test("a click that draws nothing says what to do; Enter closes a polygon", async () => {
  await visit("#scene=seesaw&still&panel=draw");
  await ready(page);
  await page.locator(".drawing").waitFor();
  const bodies = () => page.evaluate(() => globalThis.carom.runner.lead.drawing.bodies.length);
  const before = await bodies();
  for (const tool of ["Disc", "Box", "Wall"]) {
    await button(tool).click();
    await calm(page);
    await page.mouse.click(...(await onStage(0, 1.5)));
    await page.locator(".toast").getByText(/drag: that gives it its size/).waitFor();
    await page.locator(".toast").waitFor({ state: "hidden" });
  }
  await button("Polygon").click();
  for (const [x, y] of [[-0.5, 1.2], [0.5, 1.2], [0.5, 1.2], [0, 1.8]]) await page.mouse.click(...(await onStage(x, y)));
  await press("Enter");
  await until(page, (count) => globalThis.carom.runner.lead.drawing.bodies.length === count, before + 1);
  assert.equal(await page.evaluate(() => globalThis.carom.runner.lead.drawing.bodies.at(-1).points.length), 3, "a corner that is clicked twice is one");
});

test("a finger draws on a phone, in the dark", async () => {
  await visit("", { width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${browser.address}#scene=seesaw&still&panel=draw`);
  await page.reload();
  await ready(page);
  await page.locator(".drawing").waitFor();
  const before = (await state(page)).panes[0].positions.length;
  await button("Disc").click();
  await calm(page);
  const [from, to] = [await onStage(0.4, 1.4), await onStage(0.7, 1.4)];
  await finger([from, [(from[0] + to[0]) / 2, from[1]], to]);
  await until(page, () => /<rigidbodydisc x="0\.4" y="1\.4" radius="0\.3"|<particle[^>]*px="0\.4"/.test(globalThis.carom.text));
  await calm(page);
  assert.ok((await state(page)).panes[0].positions.length > before);
  await button("Select").click();
  const [here, there] = [await onStage(0.4, 1.4), await onStage(0.4, 1.7)];
  await finger([here, [here[0], (here[1] + there[1]) / 2], there]);
  await until(page, () => /y="1\.7" radius="0\.3"/.test(globalThis.carom.text));
  await shoot(page, "draw-phone");
});
