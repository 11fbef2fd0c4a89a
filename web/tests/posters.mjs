// Not a test: draws a still picture of every scene, light and dark, as the page draws it, into
// docs/gallery. `node tests/posters.mjs [scene…]`
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, SCENES, WEB } from "./support.mjs";

/** In the page: the scene at a moment that shows what it is about, half as large as it is drawn. */
async function draw(text) {
  const { carom } = globalThis;
  await carom.apply(text, false);
  const { runner } = carom;
  runner.pause();
  const step = Math.round(0.7 / runner.dt);
  await runner.seek(step);
  const { lead } = runner;
  lead.canvas.parentElement.style.cssText = "position:fixed;inset:0;width:640px;height:480px;z-index:99";
  lead.stage.resize(lead.frame);
  lead.stage.fit(lead.frame);
  lead.stage.draw(lead.frame, runner.shown, null);
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [320, 240];
  const c = copy.getContext("2d");
  c.imageSmoothingQuality = "high";
  c.drawImage(lead.canvas, 0, 0, 320, 240);
  return copy.toDataURL("image/webp", 0.85);
}

const wanted = process.argv.slice(2);
const names = readdirSync(SCENES).filter((name) => name.endsWith(".xml")).map((name) => name.slice(0, -4)).filter((name) => wanted.length === 0 || wanted.includes(name));
const browser = await openBrowser();
try {
  for (const scheme of ["light", "dark"]) {
    const page = await browser.page("#new&still");
    await page.emulateMedia({ colorScheme: scheme });
    await page.reload();
    await page.waitForFunction(() => globalThis.carom?.runner.lead.frame !== undefined);
    for (const name of names) {
      const text = readFileSync(join(SCENES, `${name}.xml`), "utf8");
      const data = await page.evaluate(draw, text);
      const bytes = Buffer.from(data.split(",")[1], "base64");
      writeFileSync(join(WEB, "../docs/gallery", `${name}${scheme === "dark" ? "-dark" : ""}.webp`), bytes);
      console.log(`${name} ${scheme} ${bytes.length} bytes`);
    }
    await page.close();
  }
} finally {
  await browser.close();
}
