// The native engine behind the page: `carom play SCENE --remote-engine`. Needs the program, named
// in CAROM_PLAY.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openBrowser, pixels, play, ready, SCENES, state, until } from "./support.mjs";

const skip = process.env.CAROM_PLAY ? false : "CAROM_PLAY does not name the program";

test("the page runs a given scene on the native engine, to the bits of its own", { skip }, async () => {
  const server = await play(join(SCENES, "break-discs.xml"), "--remote-engine");
  const browser = await openBrowser(server.address);
  try {
    const page = await browser.page();
    await ready(page);
    const seek = async (page, step) => {
      await page.evaluate((step) => {
        globalThis.carom.runner.pause();
        return globalThis.carom.runner.seek(step);
      }, step);
      await until(page, (step) => globalThis.carom.runner.step === step, step);
      return state(page);
    };
    assert.ok(await page.evaluate(() => globalThis.carom.isRemote), "the engine is the remote one");
    await until(page, () => globalThis.carom.runner.step > 20);
    const remote = await seek(page, 1200);
    assert.ok((await pixels(page)).painted > 2000);
    await page.evaluate(() => (location.hash = "given&still"));
    await until(page, () => globalThis.carom.isRemote === false && globalThis.carom.runner.panes[0]?.frame !== undefined);
    const local = await seek(page, 1200);
    assert.deepEqual(local.panes[0].positions, remote.panes[0].positions, "WebAssembly and native code agree");
    assert.deepEqual(browser.complaints, []);
  } finally {
    await browser.close();
    server.stop();
  }
});
