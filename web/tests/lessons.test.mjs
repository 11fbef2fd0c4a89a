// Lessons: text, live scene, knobs, question and answer; on paper and on a phone too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, button, page, visit } from "./person.mjs";
import { calm, pixels, ready, shoot, until } from "./support.mjs";

test("six lessons have text, a live scene, knobs, a question and its answer", { timeout: 120_000 }, async () => {
  await visit("#lessons");
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

test("the box of the last lesson spins faster while it turns over, as its text says", async () => {
  await visit("#lesson=tumbling");
  await ready(page);
  const spins = await page.evaluate(async () => {
    const { runner } = globalThis.carom;
    await runner.seek(Math.round(3 / runner.dt));
    return runner.lead.series.samples.map(({ velocities }) => Math.hypot(...velocities.slice(3, 6)));
  });
  assert.ok(spins.length > 100 && Math.abs(spins[0] - 8) < 0.01 && Math.abs(spins.at(-1) - 8) < 0.05, `${spins[0]} … ${spins.at(-1)}`);
  const most = Math.max(...spins);
  assert.ok(most > 9 && most < 9.5, `at most ${most}`);
});

test("a lesson prints whole: text, scene, knobs' values and the answer, dark ink on white", async () => {
  await visit("", undefined);
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
  await visit("#lesson=friction", { width: 390, height: 844 });
  await ready(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
  // Text, scene, knobs, question: a student passes them in this order.
  const tops = await page.evaluate(() => [".lesson-text", ".lesson-live", ".lesson-knobs", ".question", ".lesson-page nav"].map((selector) => document.querySelector(selector).getBoundingClientRect().top));
  assert.deepEqual(tops, [...tops].sort((a, b) => a - b), "in their order");
  await button("Set µ = 0.2").click();
  // Who starts the scene sees it.
  await until(page, () => {
    const { top, bottom } = document.querySelector("canvas.stage").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
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
