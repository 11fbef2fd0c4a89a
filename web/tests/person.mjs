// One person at one page, for a suite: a browser, the tab that is open, and a console that stays
// silent.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { calm, openBrowser, ready, until, WEB } from "./support.mjs";

/** The browser of the suite, and the tab of the test that runs. */
export let browser;
export let page;

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

/** Opens a tab at an address of the page. */
export async function visit(hash, size) {
  page = await browser.page(hash, size);
  return page;
}

/** Opens an empty tab. */
export async function blank() {
  page = await browser.context.newPage();
  return page;
}

/** Opens a scene in the player, and waits for its first frame. */
export async function open(hash, size) {
  await visit(hash, size);
  await ready(page);
}

export const press = (key) => page.keyboard.press(key);
export const button = (name) => page.getByRole("button", { name, exact: true });

/** Goes to a step of the run. */
export async function seek(step) {
  await page.evaluate((step) => globalThis.carom.runner.seek(step), step);
  await calm(page);
}

/** A text in a player whose keys are not an editor's. */
export async function load(text) {
  await open("#scene=seesaw&still");
  await page.evaluate((text) => globalThis.carom.apply(text, false), text);
  await calm(page);
}

/** The scene of a lesson. */
export const lesson = (name) => readFileSync(join(WEB, "src/lessons", `${name}.xml`), "utf8");

/** Waits until the run is past a step. */
export const advanced = (past) => until(page, (past) => globalThis.carom.runner.step > past, past);

/** Where a body is on the screen. */
export const place = (body) =>
  page.evaluate((body) => {
    const { stage, frame, canvas } = globalThis.carom.runner.lead;
    const box = canvas.getBoundingClientRect();
    const at = stage.orbit ? stage.orbit.project(stage.centerOf(frame, body)) : { x: stage.center(frame, body)[0], y: stage.center(frame, body)[1] };
    return [box.left + at.x, box.top + at.y];
  }, body);
