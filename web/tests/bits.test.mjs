// The engine in WebAssembly gives the bits of native code: the pinned hashes of the gallery. With
// CAROM_MATRIX, a folder that `cargo xtask matrix` fills, also those of 200 random worlds, in node
// and in the browser.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openBrowser, SCENES, WEB } from "./support.mjs";

// Steps that are hashed: as in crates/carom/tests/hashes.rs, and in crates/carom/examples/bits.rs.
const STEPS = 400;
const MATRIX_STEPS = 60;
const MATRIX = process.env.CAROM_MATRIX;

const table = (path) => readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(" "));

async function nodeEngine() {
  const seen = {};
  globalThis.caromPanicked = (message) => (seen.panic = message);
  const { initSync, Session } = await import(join(WEB, "generated/carom_web.js"));
  initSync({ module: readFileSync(join(WEB, "dist/engine.wasm")) });
  const session = new Session();
  return (text, steps) => {
    const bytes = session.handle(JSON.stringify({ do: "hash", text, steps }), 1e9);
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const answer = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    return answer.hash ?? answer.message ?? seen.panic;
  };
}

test("every gallery scene has its pinned hash", async () => {
  const hash = await nodeEngine();
  const pins = table(join(SCENES, "hashes.txt"));
  assert.ok(pins.length >= 20);
  for (const [name, pinned] of pins) {
    const text = readFileSync(join(SCENES, `${name}.xml`), "utf8");
    assert.equal(hash(text, STEPS), pinned, `${name}: other bits than native code`);
  }
});

const skip = MATRIX && existsSync(join(MATRIX, "hashes.txt")) ? false : "only for `cargo xtask matrix`";

test("node has the bits of every scene and world of the matrix", { skip }, async () => {
  const hash = await nodeEngine();
  const rows = table(join(MATRIX, "hashes.txt"));
  const wrong = rows.filter(([name, wanted]) => hash(readFileSync(join(MATRIX, `${name}.xml`), "utf8"), MATRIX_STEPS) !== wanted);
  assert.deepEqual(wrong, []);
  console.log(`node: ${rows.length} hashes, 0 differ`);
});

test("Chromium has the bits of every scene and world of the matrix", { skip, timeout: 3_600_000 }, async () => {
  const browser = await openBrowser(process.env.CAROM_PAGE);
  try {
    const page = await browser.page("#compare");
    await page.waitForFunction(() => globalThis.caromCompare);
    const rows = table(join(MATRIX, "hashes.txt"));
    const wrong = [];
    for (const [name, wanted] of rows) {
      const text = readFileSync(join(MATRIX, `${name}.xml`), "utf8");
      const got = await page.evaluate(
        async ([text, steps]) => {
          const answer = await globalThis.caromCompare.link.ask({ do: "hash", text, steps }, 1e9);
          return answer.hash ?? answer.message;
        },
        [text, MATRIX_STEPS],
      );
      if (got !== wanted) wrong.push([name, got]);
    }
    assert.deepEqual(wrong, []);
    console.log(`Chromium: ${rows.length} hashes, 0 differ`);
  } finally {
    await browser.close();
  }
});
