// Every view at 1440, 1024 and 390 pixels, light and dark: nothing is cut off, nothing complains,
// the picture is there and in its theme.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { calm, openBrowser, pixels, ready, shoot, until } from "./support.mjs";

let browser;

before(async () => {
  browser = await openBrowser(process.env.CAROM_PAGE);
});
after(() => browser.close());

const SIZES = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, { width: 390, height: 844 }];

/** An address, what is done there, and a canvas that must be painted. */
const player = (hash, act) => [
  hash,
  async (page) => {
    await ready(page);
    await act?.(page);
    await calm(page);
  },
  "canvas.stage",
];
const press = (key) => (page) => page.keyboard.press(key);
const game = (hash) => [hash, (page) => until(page, () => globalThis.caromGame?.game !== undefined && globalThis.caromGame.now !== undefined), "canvas.sky"];
const VIEWS = {
  gallery: ["", (page) => page.waitForSelector(".cards li")],
  player: player("#scene=pyramid&still"),
  "3D": player("#scene=dice&still&show=contacts,cone,impulses&step=90"),
  "four methods": player("#scene=break-discs&panes=4&still"),
  numbers: player("#scene=break-discs&still", press("n")),
  knobs: player("#scene=break-discs&still&body=5&panel=knobs"),
  plot: player("#scene=break-discs&still&panel=plot&step=200"),
  draw: player("#scene=pyramid&still&panel=draw&body=3"),
  editor: player("#scene=break-discs&still&panel=editor"),
  layers: player("#scene=pyramid&still&show=velocities,contacts,impulses,trails,center,energy,cone&step=60"),
  asteroids: player("#scene=asteroids&still&step=100"),
  save: player("#scene=dice&still", press("s")),
  share: player("#scene=dice&still", (page) => page.getByRole("button", { name: "Share a link" }).click()),
  help: player("#scene=dice&still", press("?")),
  frame: ["?embed=1&controls=play,time,knobs#scene=break&still", async (page) => {
    await ready(page);
    await calm(page);
  }, "canvas.stage"],
  lessons: ["#lessons", (page) => page.locator(".lesson-list li").first().waitFor()],
  ...Object.fromEntries(["restitution", "two-bodies", "penalty", "simultaneous", "friction", "tumbling"].map((name) => [`lesson ${name}`, player(`#lesson=${name}`)])),
  compare: ["#compare", (page) => page.locator(".compare").waitFor()],
  game: game("#game&level=2&seed=7"),
  "flight school": game("#game&school"),
  failure: ["#s=broken", (page) => page.locator(".failure").waitFor()],
};

for (const [name, [hash, act, canvas]] of Object.entries(VIEWS)) {
  test(`${name} at every size, light and dark`, { timeout: 180_000 }, async () => {
    for (const scheme of ["light", "dark"]) {
      browser.complaints.length = 0;
      const page = await browser.page("", SIZES[0]);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.goto(`${browser.address}${hash}`);
      await page.reload();
      await act(page);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        if (canvas === "canvas.stage") await calm(page);
        const where = `${name}, ${size.width} px, ${scheme}`;
        const seen = await page.evaluate(() => {
          const cut = [...document.querySelectorAll("button, select, h1, h2, input, a, summary")].filter((element) => {
            const box = element.getBoundingClientRect();
            if (box.width === 0 || element.closest(".cm-editor, .scrolls, .skip, [hidden]")) return false;
            return box.left < -1 || box.right > innerWidth + 1;
          });
          const light = (color) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
          return { wide: document.documentElement.scrollWidth - innerWidth, cut: cut.map((element) => element.outerHTML.slice(0, 90)), paper: light(getComputedStyle(document.body).backgroundColor) };
        });
        assert.ok(seen.wide <= 0, `${where}: wider than the window by ${seen.wide}`);
        assert.deepEqual(seen.cut, [], `${where}: cut off`);
        if (name !== "game" && name !== "flight school") assert.ok(scheme === "light" ? seen.paper > 200 : seen.paper < 60, `${where}: paper ${seen.paper}`);
        if (canvas) {
          const { painted } = await pixels(page, canvas);
          assert.ok(painted > 200, `${where}: ${painted} pixels painted`);
        }
        await shoot(page, `${name.replace(/\W+/g, "-")}-${size.width}-${scheme}`);
      }
      await page.close();
      assert.deepEqual(browser.complaints, [], `${name}, ${scheme}: the console is clean`);
    }
  });
}
