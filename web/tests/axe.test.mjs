// Accessibility: axe finds nothing in any view, light and dark, at desktop and phone size.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser, ready, until, WEB } from "./support.mjs";

const AXE = readFileSync(join(WEB, "node_modules/axe-core/axe.min.js"), "utf8");
const PHONE = { width: 390, height: 844 };

let browser;

before(async () => {
  browser = await openBrowser(process.env.CAROM_PAGE);
});
after(() => browser.close());

const press = (key) => (page) => page.keyboard.press(key);
const player = (hash, act, settled) => [hash, async (page) => {
  await ready(page);
  await act?.(page);
  if (settled) await page.locator(settled).first().waitFor();
}];
const VIEWS = {
  gallery: ["", (page) => page.waitForSelector(".cards li")],
  player: player("#scene=pyramid&still"),
  space: player("#scene=dice&still"),
  "four methods": player("#scene=bernoulli&panes=4&still"),
  inspector: player("#scene=break-discs&still", press("n"), ".inspector tr"),
  knobs: player("#scene=break-discs&still", press("k"), ".knob"),
  plot: player("#scene=break-discs&still", press("h"), ".plot-row"),
  draw: player("#scene=break-discs&still", press("d"), ".drawing"),
  editor: player("#scene=break-discs&still", press("e"), ".cm-content"),
  layers: player("#scene=pyramid&still&show=velocities,contacts,impulses,energy,cone", (page) => page.locator(".menu summary").click(), ".menu-box"),
  save: player("#scene=dice&still", press("s"), "dialog"),
  share: player("#scene=dice&still", (page) => page.getByRole("button", { name: "Share a link" }).click(), "dialog textarea"),
  help: player("#scene=dice&still", press("?"), "dialog"),
  failure: ["#s=broken", (page) => page.locator(".failure").waitFor()],
  lessons: ["#lessons", (page) => page.locator(".lesson-list li").first().waitFor()],
  lesson: ["#lesson=friction", async (page) => {
    await ready(page);
    await page.locator(".plot-row").first().waitFor();
  }],
  compare: ["#compare", (page) => page.locator(".compare").waitFor()],
  validate: [
    "#validate=two-masses",
    async (page) => {
      await page.getByRole("button", { name: "Validate", exact: true }).click();
      await page.locator(".validate tr[data-holds]").waitFor();
    },
  ],
  game: ["#game&level=1&seed=7", async (page) => {
    await until(page, () => globalThis.caromGame?.game !== undefined);
  }],
};

for (const [name, [hash, act]] of Object.entries(VIEWS)) {
  test(`axe finds nothing in ${name}`, async () => {
    for (const [scheme, size] of [["light", undefined], ["dark", PHONE]]) {
      const page = await browser.page("", size);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.goto(`${browser.address}${hash}`);
      await page.reload();
      await act(page);
      await page.evaluate(AXE);
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      const findings = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`);
      await page.close();
      assert.deepEqual(findings, [], `${name}, ${scheme}`);
    }
  });
}
