// The page into dist/: bundles, the engine, the scenes and their pictures. Run by `cargo xtask web` after the glue is written.
import { build } from "esbuild";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

// What a first visit may load at most, compressed; pictures of the gallery come as they are looked at.
const LARGEST = 1_500_000;

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist/scenes", { recursive: true });

const common = { bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", logLevel: "warning" };
await build({ ...common, entryPoints: { main: "src/main.ts" }, outdir: "dist", splitting: true, chunkNames: "part-[name]-[hash]" });
await build({ ...common, entryPoints: { worker: "src/engine/worker.ts" }, outdir: "dist" });
await build({ ...common, entryPoints: { style: "src/style.css" }, outdir: "dist" });
cpSync("src/page.html", "dist/index.html");
cpSync("src/icon.svg", "dist/icon.svg");
cpSync("generated/carom_web_bg.wasm", "dist/engine.wasm");

// The gallery: every scene with its sentence.
const sentences = /<description\s+text=(?:"([^"]*)"|'([^']*)')/;
const unescape = (text) => text.replace(/&quot;/g, '"').replace(/&apos;/g, "'").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
const gallery = [];
for (const file of readdirSync("../scenes").filter((name) => name.endsWith(".xml")).sort()) {
  const text = readFileSync(join("../scenes", file), "utf8");
  const found = sentences.exec(text);
  const name = file.replace(/\.xml$/, "");
  cpSync(join("../scenes", file), join("dist/scenes", file));
  const picture = join("../docs/gallery", `${name}.gif`);
  const pictured = statSync(picture, { throwIfNoEntry: false }) !== undefined;
  if (pictured) cpSync(picture, join("dist/scenes", `${name}.gif`));
  gallery.push({ name, pictured, text: unescape(found?.[1] ?? found?.[2] ?? "") });
}
writeFileSync("dist/gallery.json", JSON.stringify(gallery));

let total = 0;
for (const file of readdirSync("dist").sort()) {
  const path = join("dist", file);
  if (!statSync(path).isFile()) continue;
  const bytes = readFileSync(path);
  const packed = gzipSync(bytes, { level: 9 }).length;
  total += packed;
  console.log(`${file.padEnd(32)} ${String(Math.ceil(bytes.length / 1000)).padStart(5)} kB, compressed ${String(Math.ceil(packed / 1000)).padStart(4)} kB`);
}
console.log(`${"together".padEnd(32)}           compressed ${String(Math.ceil(total / 1000)).padStart(4)} kB`);
if (total > LARGEST) {
  console.error(`the page takes ${total} bytes compressed, more than ${LARGEST}`);
  process.exit(1);
}
