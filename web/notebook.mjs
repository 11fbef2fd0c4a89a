// The page as one file that needs no host: generated/notebook.html, for widgets of notebooks.
// Scripts and engine are inside, packed.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** Stands in the file where the widget says what it asks for: `globalThis.caromSearch`. */
const ASKED = "<!--asked-->";

/**
 * Unpacks, and hands the page what it would fetch from a host. The base makes relative addresses
 * valid; nothing is fetched from it. Hosts may forbid blobs (the policy that VS Code can set on
 * notebooks does), and a page from a file has no origin whose blobs a worker could start from: so
 * the script stands in the page, and the worker comes from its text.
 */
const START = `
const packed = JSON.parse(document.getElementById("packed").textContent);
const unpacked = (name) => {
  const bytes = Uint8Array.from(atob(packed[name]), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
};
const [main, worker, engine] = await Promise.all([unpacked("main.js").text(), unpacked("worker.js").text(), unpacked("engine.wasm").blob()]);
const OwnWorker = Worker;
globalThis.Worker = class extends OwnWorker {
  constructor(url, options) { super(String(url).endsWith("/worker.js") ? "data:text/javascript," + encodeURIComponent(worker) : url, options); }
};
const fetchFrom = fetch;
globalThis.fetch = (what, how) => {
  const url = new URL(what instanceof Request ? what.url : what, document.baseURI).href;
  if (url.endsWith("/engine.wasm")) return Promise.resolve(new Response(engine, { headers: { "content-type": "application/wasm" } }));
  // there is no host: what is not inside is not there
  return url.startsWith(document.baseURI) ? Promise.resolve(new Response("", { status: 404 })) : fetchFrom(what, how);
};
const script = document.createElement("script");
script.type = "module";
script.textContent = main;
document.head.append(script);
`;

/** Writes generated/notebook.html; the other files of dist are there already. */
export async function notebook(common) {
  const whole = await build({ ...common, entryPoints: ["src/main.ts"], write: false });
  const icon = `"data:image/svg+xml;base64,${readFileSync("src/icon.svg").toString("base64")}"`;
  const main = Buffer.from(whole.outputFiles[0].text.replaceAll('"icon.svg"', icon));
  const packed = Object.fromEntries(
    [["main.js", main], ["worker.js", readFileSync("dist/worker.js")], ["engine.wasm", readFileSync("dist/engine.wasm")]]
      .map(([name, bytes]) => [name, gzipSync(bytes, { level: 9 }).toString("base64")]),
  );
  const style = readFileSync("dist/style.css", "utf8").replaceAll("</style", "<\\/style");
  const body = /<body>[\s\S]*<\/body>/.exec(readFileSync("src/page.html", "utf8"))[0];
  const head = `<meta charset="utf-8" /><meta name="color-scheme" content="light dark" /><title>Carom</title><base href="https://page.invalid/" />`;
  const data = `<script type="application/json" id="packed">${JSON.stringify(packed)}</script>`;
  writeFileSync(
    "generated/notebook.html",
    `<!doctype html><html lang="en"><head>${head}${ASKED}<style>${style}</style></head>${body.replace("</body>", "")}${data}<script type="module">${START}</script></body></html>\n`,
  );
}
