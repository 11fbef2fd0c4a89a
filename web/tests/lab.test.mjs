// The laboratory: knobs, plots, physics to see, drawing, comparing, embedding, lessons; state and pixels are read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { calm, openBrowser, pixels, ready, SCENES, serveStatic, shoot, state, until, WEB } from "./support.mjs";

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
const lesson = (name) => readFileSync(join(WEB, "src/lessons", `${name}.xml`), "utf8");

async function open(hash, size) {
  page = await browser.page(hash, size);
  await ready(page);
}

/** A text in a player whose keys are not an editor's. */
async function load(text) {
  await open("#scene=seesaw&still");
  await page.evaluate((text) => globalThis.carom.apply(text, false), text);
  await calm(page);
}

const seek = async (step) => {
  await page.evaluate((step) => globalThis.carom.runner.seek(step), step);
  await calm(page);
};

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
  await page.mouse.click(box.x + 72 + (box.width - 84) / 2, box.y + 150);
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
    page = await browser.page("", size);
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
  page = undefined;
});

test("impacts are shown slowly", async () => {
  await load(lesson("two-bodies"));
  await press("w");
  await seek(600);
  await page.evaluate(() => globalThis.carom.runner.play());
  await until(page, () => globalThis.carom.runner.slowed > 0);
  await until(page, () => globalThis.carom.runner.slowed === 0 && globalThis.carom.runner.step > 700);
});

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

  // Rigid bodies: a fixed wall is moved, a body's handle turns it, a spring's end in the plane is moved.
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

test("a finger draws on a phone, in the dark", async () => {
  page = await browser.page("", { width: 390, height: 844 });
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
  page = await browser.context.newPage();
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

test("six lessons have text, a live scene, knobs, a question and its answer", { timeout: 120_000 }, async () => {
  page = await browser.page("#lessons");
  await page.locator(".lesson-list li").first().waitFor();
  const links = await page.locator(".lesson-list a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  assert.equal(links.length, 6);
  await shoot(page, "lessons");
  for (const link of links) {
    await page.evaluate((link) => (location.hash = link), link);
    await page.locator(".lesson-page h2").waitFor();
    await until(page, (link) => location.hash === link && globalThis.carom?.element.isConnected && globalThis.carom.runner.lead?.frame !== undefined && globalThis.carom.runner.settled, link);
    const seen = await page.evaluate(() => ({
      words: document.querySelector(".lesson-text").textContent.length,
      formulas: document.querySelectorAll(".formula").length,
      knobs: globalThis.carom.knobs.named().length,
      trouble: globalThis.carom.runner.lead.trouble,
      answer: document.querySelector(".question details p").textContent.length,
    }));
    assert.ok(seen.words > 500 && seen.formulas >= 1 && seen.knobs >= 2 && seen.answer > 60 && seen.trouble === undefined, `${link}: ${JSON.stringify(seen)}`);
    assert.ok((await pixels(page)).painted > 300, link);
    await shoot(page, `lesson-${link.split("=")[1]}`);
  }
  // What the lessons say is what the scenes do.
  const velocities = async (name, step) => {
    await page.evaluate((name) => (location.hash = `lesson=${name}`), name);
    await until(page, (name) => globalThis.carom?.element.isConnected && globalThis.carom.text.length > 0 && document.querySelector(".lesson-page")?.getAttribute("aria-label") !== null && location.hash.endsWith(name) && globalThis.carom.runner.lead?.frame !== undefined, name);
    return page.evaluate(async (step) => {
      const { runner } = globalThis.carom;
      await runner.seek(step);
      return Promise.all(runner.panes.map(async (pane) => [...(await pane.ask({ do: "look", layers: { velocities: true } })).velocities]));
    }, step);
  };
  await until(page, () => document.querySelector(".lesson-page")?.getAttribute("aria-label") === "Tumbling in 3D");
  const four = await (async () => {
    await page.getByRole("link", { name: /Resting contact/ }).click();
    await page.locator(".lesson-page h2", { hasText: "Resting contact and friction" }).waitFor();
    await page.getByRole("link", { name: /Simultaneous impact/ }).click();
    await page.locator(".lesson-page h2", { hasText: "Simultaneous impact" }).waitFor();
    await until(page, () => globalThis.carom.element.isConnected && globalThis.carom.runner.panes.length === 4 && globalThis.carom.runner.panes.every((pane) => pane.frame));
    return velocities("simultaneous", 1500);
  })();
  const close = (found, wanted) => found.forEach((value, k) => assert.ok(Math.abs(value - wanted[k]) < 1e-6, `${found} is not ${wanted}`));
  const x = (all) => [all[0], all[3], all[6]];
  close(x(four[0]), [0, 0, 1]);
  close(x(four[1]), [-1 / 3, 2 / 3, 2 / 3]);
  close(x(four[2]), [0, 0, 1]);
});

test("a lesson prints whole: text, scene, knobs' values and the answer, dark ink on white", async () => {
  page = await browser.page("", undefined);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${browser.address}#lesson=friction`);
  await page.reload();
  await ready(page);
  await calm(page);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.ok(await page.locator(".question details p").isVisible(), "the answer is printed");
  assert.ok(await page.locator("canvas.stage").isVisible(), "and the scene");
  assert.ok(await page.locator(".controls").isHidden());
  const colors = await page.evaluate(() => [document.body, document.querySelector(".lesson-text p"), document.querySelector(".formula")].map((element) => [getComputedStyle(element).color, getComputedStyle(element).backgroundColor]));
  for (const [ink, paper] of colors) {
    const sum = (color) => color.match(/[\d.]+/g).slice(0, 3).reduce((total, part) => total + Number(part), 0);
    assert.ok(sum(ink) < 200 && (sum(paper) > 600 || /, 0\)$/.test(paper)), `${ink} on ${paper}`);
  }
  const pdf = await page.pdf({ format: "A4", printBackground: true });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  await shoot(page, "lesson-print");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen" });
  assert.equal(await page.locator(".question details").getAttribute("open"), null, "and on the screen it waits to be opened");
});

test("the lesson's buttons do what they say, on a phone too", async () => {
  page = await browser.page("#lesson=friction", { width: 390, height: 844 });
  await ready(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
  await button("Set µ = 0.2").click();
  await until(page, () => globalThis.carom.runner.playing && /mu="0.2"/.test(globalThis.carom.text));
  await until(page, () => globalThis.carom.runner.step > 200);
  const { v, t } = await page.evaluate(async () => {
    globalThis.carom.runner.pause();
    const answer = await globalThis.carom.runner.lead.ask({ do: "look", layers: { velocities: true } });
    return { v: answer.velocities[3], t: answer.time };
  });
  assert.ok(Math.abs(v / t - 1.132) < 0.02, `a = ${v / t}, not 3 − 0.2 · 9.34`);
  await shoot(page, "lesson-phone");
});
