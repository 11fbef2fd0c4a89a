// The page into dist/: bundles, the engine, the scenes and their pictures. Run by `cargo xtask web`
// after the glue is written.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { notebook } from "./notebook.mjs";

// What all parts may take together, compressed by gzip; a first visit loads a part of them, and a
// test counts it.
const LARGEST = 1_600_000;

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist/scenes", { recursive: true });

const common = { bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", logLevel: "warning", loader: { ".html": "text", ".xml": "text" } };
await build({ ...common, entryPoints: { main: "src/main.ts" }, outdir: "dist", splitting: true, chunkNames: "part-[name]-[hash]" });
await build({ ...common, entryPoints: { worker: "src/engine/worker.ts" }, outdir: "dist" });
await build({ ...common, entryPoints: { style: "src/style.css" }, outdir: "dist" });
cpSync("src/page.html", "dist/index.html");
for (const file of ["icon.svg", "icon-192.png", "icon-512.png", "opened-as-file.js", "manifest.webmanifest"]) cpSync(join("src", file), join("dist", file));
cpSync("generated/carom_web_bg.wasm", "dist/engine.wasm");

// The gallery: every scene with its sentence, a moving picture (xtask gallery) and still ones,
// light and dark (tests/posters.mjs).
const sentences = /<description\s+text=(?:"([^"]*)"|'([^']*)')/;
const unescape = (text) => text.replace(/&quot;/g, '"').replace(/&apos;/g, "'").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
const isThere = (path) => statSync(path, { throwIfNoEntry: false }) !== undefined;
const gallery = [];
for (const file of readdirSync("../scenes").filter((name) => name.endsWith(".xml")).sort()) {
  const text = readFileSync(join("../scenes", file), "utf8");
  const found = sentences.exec(text);
  const name = file.replace(/\.xml$/, "");
  cpSync(join("../scenes", file), join("dist/scenes", file));
  const pictures = [`${name}.gif`, `${name}.webp`, `${name}-dark.webp`].filter((picture) => isThere(join("../docs/gallery", picture)));
  for (const picture of pictures) cpSync(join("../docs/gallery", picture), join("dist/scenes", picture));
  gallery.push({ name, moving: pictures.includes(`${name}.gif`), still: pictures.filter((picture) => picture.endsWith(".webp")).length === 2, text: unescape(found?.[1] ?? found?.[2] ?? "") });
}
writeFileSync("dist/gallery.json", JSON.stringify(gallery));

// What works offline: all but pictures, under a version that is the hash of it all.
const files = (folder) => readdirSync(join("dist", folder)).map((name) => join(folder, name)).filter((path) => statSync(join("dist", path)).isFile());
const kept = [...files("."), ...files("scenes").filter((path) => path.endsWith(".xml"))].sort();
const version = createHash("sha256");
for (const path of kept) version.update(path).update(readFileSync(join("dist", path)));
const words = { __VERSION__: JSON.stringify(version.digest("hex").slice(0, 12)), __FILES__: JSON.stringify(["./", ...kept.filter((path) => path !== "index.html")]) };
await build({ ...common, format: "iife", entryPoints: { offline: "src/offline.ts" }, outdir: "dist", define: words });

// Packed beside each file, for servers that send them so (carom play does).
let total = 0;
for (const path of [...files("."), ...files("scenes")].sort()) {
  if (/\.(gif|webp|png)$/.test(path)) continue;
  const bytes = readFileSync(join("dist", path));
  const packed = gzipSync(bytes, { level: 9 });
  const small = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: 22 } });
  writeFileSync(join("dist", `${path}.gz`), packed);
  writeFileSync(join("dist", `${path}.br`), small);
  if (path.startsWith("scenes")) continue;
  total += packed.length;
  const kB = (size) => `${String(Math.ceil(size / 1000)).padStart(5)} kB`;
  console.log(`${path.padEnd(32)} ${kB(bytes.length)}, gzip ${kB(packed.length)}, brotli ${kB(small.length)}`);
}
// Not in dist: it holds everything once more, and no visitor loads it. The Python package does.
await notebook(common);
console.log(`${"together".padEnd(32)}           gzip ${String(Math.ceil(total / 1000)).padStart(5)} kB`);
if (total > LARGEST) {
  console.error(`the page takes ${total} bytes compressed, more than ${LARGEST}`);
  process.exit(1);
}
