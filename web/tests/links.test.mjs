// What is kept: links, drafts and files hold everything that a person set.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { button, open, page, seek, visit } from "./person.mjs";
import { calm, ready, SCENES, shoot, state, until } from "./support.mjs";

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
  await visit(new URL(link).hash);
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
    await visit(new URL(link).hash);
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

test("plots that were put away stay so: in a link, and under another method", async () => {
  await open("#scene=bernoulli&panes=2&still");
  await until(page, () => globalThis.carom.plotsShown && globalThis.carom.runner.panes.length === 2 && globalThis.carom.runner.panes[1].frame);
  await button("Plots").click();
  await page.evaluate(() => globalThis.carom.changeMethod(1, { response: "impulse" }));
  assert.ok(!(await page.evaluate(() => globalThis.carom.plotsShown)), "under another method");
  const link = await page.evaluate(() => globalThis.carom.link());
  const old = page;
  await visit(new URL(link).hash);
  await old.close();
  await ready(page);
  await until(page, () => globalThis.carom.runner.panes.length === 2 && globalThis.carom.runner.panes[1].frame);
  await calm(page);
  assert.ok(!(await page.evaluate(() => globalThis.carom.plotsShown)), "in a link");
});

test("who goes on before a view is open finds the last one, whole; a link asks for no step beyond the run", async () => {
  await open("#scene=break-discs&still&step=100000000000");
  await until(page, () => globalThis.carom.runner.step === globalThis.carom.runner.planned);
  await page.evaluate(() => {
    for (const name of ["dice", "pyramid", "break", "seesaw", "bernoulli", "dice", "seesaw"]) location.hash = `scene=${name}`;
  });
  const there = (words) => until(page, (words) => document.title.startsWith(words) && document.querySelectorAll("canvas.stage").length === 1 && globalThis.carom.element.isConnected && globalThis.carom.runner.lead?.frame !== undefined, words);
  await there("Seesaw");
  for (let k = 0; k < 3; k++) {
    await page.evaluate(() => {
      for (const name of ["lesson=friction", "scene=dice", "game", "", "lesson=tumbling", "scene=bernoulli"]) location.hash = name;
    });
    await there("Bernoulli");
    await page.evaluate(() => history.go(-5));
    await until(page, () => document.title.startsWith("Resting contact") && document.querySelectorAll("canvas.stage").length === 1);
  }
});
