// The widget of notebooks: the page from one file, without a host, steered by messages. The model
// is that of anywidget, in small.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { openBrowser, SCENES, WEB } from "./support.mjs";

let server;
let browser;
const asked = [];

before(async () => {
  const widget = readFileSync(join(WEB, "../python/carom/live.js"));
  const packed = gzipSync(readFileSync(join(WEB, "generated/notebook.html")));
  server = createServer((request, response) => {
    asked.push(request.url);
    const send = (type, body) => response.writeHead(200, { "content-type": type }).end(body);
    if (request.url === "/live.js") send("text/javascript", widget);
    else if (request.url === "/page.gz") send("application/octet-stream", packed);
    else send("text/html", "<!doctype html><html lang=en><title>A notebook</title><link rel=icon href='data:,'><div id=cell style='width:700px'></div></html>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await openBrowser(`http://127.0.0.1:${server.address().port}/`);
});
after(async () => {
  await browser.close();
  server.close();
});

test("a scene runs in a cell, offline, and tells its state", { timeout: 120_000 }, async () => {
  const page = await browser.page("");
  const text = readFileSync(join(SCENES, "newtons-cradle.xml"));
  const link = deflateRawSync(text).toString("base64url");
  await page.evaluate(async (link) => {
    const { default: widget } = await import("/live.js");
    const bytes = await (await fetch("/page.gz")).arrayBuffer();
    const values = { _page: new DataView(bytes), _packed: link, controls: "play,time,layers", height: 400, autoplay: false, state: {}, refused: "" };
    const heard = {};
    globalThis.values = values;
    globalThis.tell = (words) => heard["msg:custom"](words);
    const model = { get: (name) => values[name], set: (name, value) => (values[name] = value), save_changes: () => undefined, on: (name, act) => (heard[name] = act) };
    globalThis.close = await widget.render({ model, el: document.getElementById("cell") });
  }, link);
  await page.waitForFunction(() => globalThis.values.state.planned > 0, undefined, { timeout: 60_000 });
  const start = await page.evaluate(() => globalThis.values.state);
  assert.deepEqual([start.step, start.playing], [0, false]);
  await page.evaluate(() => globalThis.tell({ carom: "play" }));
  await page.waitForFunction(() => globalThis.values.state.step > 20, undefined, { timeout: 60_000 });
  await page.evaluate(() => globalThis.tell({ carom: "seek", step: 10 }));
  await page.waitForFunction(() => globalThis.values.state.step === 10 && !globalThis.values.state.playing, undefined, { timeout: 30_000 });
  await page.evaluate(() => globalThis.tell({ carom: "dance" }));
  await page.waitForFunction(() => globalThis.values.refused !== "", undefined, { timeout: 30_000 });
  const frame = page.frameLocator("iframe");
  assert.ok(await frame.getByRole("button", { name: "Run" }).isVisible());
  assert.ok(await frame.locator("canvas").first().isVisible());
  assert.ok(await frame.locator("#top").isHidden());
  assert.deepEqual(asked, ["/", "/live.js", "/page.gz"], "nothing else is fetched");
  assert.deepEqual(browser.complaints, [], "the console is free of errors");
  await page.evaluate(() => globalThis.close());
});

test("the page runs from a file, as scene.play() opens it", { timeout: 120_000 }, async () => {
  // a worker from a blob did not start there
  const folder = mkdtempSync(join(tmpdir(), "carom-page-"));
  const link = deflateRawSync(readFileSync(join(SCENES, "newtons-cradle.xml"))).toString("base64url");
  const asked = `<script>globalThis.caromSearch = "?embed=1&controls=play,time"; location.hash = "s=${link}";</script>`;
  const page = await browser.page("");
  try {
    const file = join(folder, "scene.html");
    writeFileSync(file, readFileSync(join(WEB, "generated/notebook.html"), "utf8").replace("<!--asked-->", asked));
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction(() => /[1-9]/.test(/([\d.]+) s/.exec(document.body.innerText)?.[1] ?? ""), undefined, { timeout: 60_000 });
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.deepEqual(browser.complaints, [], "the console is free of errors");
});
