// The engine in WebAssembly gives the bits of native code: the pinned hashes of the gallery.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SCENES, WEB } from "./support.mjs";

// Steps that are hashed: as in crates/carom/tests/hashes.rs.
const STEPS = 400;

test("every gallery scene has its pinned hash", async () => {
  let panic;
  globalThis.caromPanicked = (message) => (panic = message);
  const { initSync, Session } = await import(join(WEB, "generated/carom_web.js"));
  initSync({ module: readFileSync(join(WEB, "dist/engine.wasm")) });
  const session = new Session();
  const pins = readFileSync(join(SCENES, "hashes.txt"), "utf8").trim().split("\n").map((line) => line.split(" "));
  assert.ok(pins.length >= 20);
  for (const [name, pinned] of pins) {
    const text = readFileSync(join(SCENES, `${name}.xml`), "utf8");
    const bytes = session.handle(JSON.stringify({ do: "hash", text, steps: STEPS }), 1e9);
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const answer = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    assert.equal(answer.hash, pinned, `${name}: ${answer.message ?? panic ?? "other bits than native code"}`);
  }
});
