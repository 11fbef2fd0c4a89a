// The widget in the frames that VS Code puts around a notebook's output, built here from its
// source: `webview/browser/pre/index.html` and
// `notebook/browser/view/renderers/backLayerWebView.ts`. VS Code itself is no part of the tests.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { openBrowser, SCENES, WEB } from "./support.mjs";

/** The page of a webview: it may only show frames of its own host. */
const OUTER = `<!doctype html><html lang=en><head><title>A webview</title><link rel=icon href='data:,'>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; frame-src 'self'; style-src 'unsafe-inline'; img-src data:">
</head><body><script type=module src=/host.js></script></body></html>`;

/** Opens an empty frame of its own host and writes the notebook's page into it. */
const HOST = `const frame = document.createElement("iframe");
frame.sandbox = "allow-same-origin allow-pointer-lock allow-scripts allow-downloads allow-forms";
frame.allow = "cross-origin-isolated; autoplay; clipboard-read; clipboard-write;";
frame.src = "./fake.html";
frame.style.cssText = "position: absolute; width: 100%; height: 100%; border: 0";
frame.onload = async () => {
  frame.onload = null;
  frame.contentDocument.open();
  frame.contentDocument.write(await (await import("/notebook.js")).notebook(location.hash));
  frame.contentDocument.close();
};
document.body.append(frame);`;

/**
 * What VS Code sets on notebooks under `notebook.experimental.enableCsp`; as it comes, it sets
 * nothing.
 */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="
  default-src 'none';
  script-src 'self' https://*.vscode-cdn.net 'unsafe-inline' 'unsafe-eval';
  style-src 'self' https://*.vscode-cdn.net 'unsafe-inline';
  img-src 'self' https://*.vscode-cdn.net https: http: data:;
  font-src 'self' https://*.vscode-cdn.net https:;
  connect-src https:;
  child-src https: data:;">`;

/** Stricter than VS Code: text is no code at all. WebAssembly has a word of its own. */
const NO_EVAL = POLICY.replace("'unsafe-eval'", "'wasm-unsafe-eval'");

const NOTEBOOK = `export const notebook = (policy) => \`<html lang=en><head><meta charset=utf-8><base href="https://file+.vscode-resource.vscode-cdn.net/notebooks/">
\${${JSON.stringify({ "": "", "#strict": POLICY, "#no-eval": NO_EVAL })}[policy]}<script>window.parent = window; window.frameElement = null;</script></head>
<body class="vscode-dark"><div id=cell></div></body></html>\`;`;

const live = readFileSync(join(WEB, "../python/carom/live.js"), "utf8");
let server;
let browser;
const asked = [];

before(async () => {
  const files = { "/": OUTER, "/fake.html": "<!doctype html><html lang=en><title>Fake</title></html>", "/host.js": HOST, "/notebook.js": NOTEBOOK };
  server = createServer((request, response) => {
    asked.push(request.url);
    const type = request.url.endsWith(".js") ? "text/javascript" : "text/html";
    response.writeHead(request.url in files ? 200 : 404, { "content-type": type }).end(files[request.url] ?? "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await openBrowser(`http://127.0.0.1:${server.address().port}/`);
});
after(async () => {
  await browser.close();
  server.close();
});

/** Loads the widget into the notebook's frame and shows a scene, without a network from then on. */
async function shown(policy, scene) {
  await browser.context.setOffline(false);
  const page = await browser.page(policy);
  const cell = page.mainFrame().childFrames()[0];
  await cell.waitForFunction(() => document.getElementById("cell") !== null);
  await browser.context.setOffline(true);
  const link = deflateRawSync(readFileSync(join(SCENES, `${scene}.xml`))).toString("base64url");
  const packed = gzipSync(readFileSync(join(WEB, "generated/notebook.html"))).toString("base64");
  await cell.evaluate(async (text) => {
    // As anywidget loads it: a module from a blob. Under the policy that is refused to every
    // widget; a script of the page is not.
    const script = Object.assign(document.createElement("script"), { type: "module" });
    const strict = document.querySelector("meta[http-equiv]") !== null;
    if (strict) script.textContent = text.replace("export default", "globalThis.widget =");
    else globalThis.widget = (await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })))).default;
    document.head.append(script);
  }, live);
  await cell.waitForFunction(() => globalThis.widget !== undefined);
  await cell.evaluate(async ([packed, link]) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const values = { _page: new DataView(bytes.buffer), _packed: link, controls: "play,time,knobs", height: 400, autoplay: false, state: {}, refused: "" };
    const heard = {};
    globalThis.values = values;
    globalThis.tell = (words) => heard["msg:custom"](words);
    const model = { get: (name) => values[name], set: (name, value) => (values[name] = value), save_changes: () => undefined, on: (name, act) => (heard[name] = act) };
    await globalThis.widget.render({ model, el: document.getElementById("cell") });
  }, [packed, link]);
  return { page, cell };
}

for (const [name, policy] of [["as it comes", ""], ["under its strict policy", "#strict"], ["without eval", "#no-eval"]]) {
  for (const scene of ["newtons-cradle", "dice"]) {
    test(`${scene} runs in a notebook of VS Code ${name}, offline, and its controls answer`, { timeout: 120_000 }, async () => {
      const { page, cell } = await shown(policy, scene);
      const until = (what) => cell.waitForFunction(what, undefined, { timeout: 60_000 });
      await until(() => globalThis.values.state.planned > 0);
      const inside = cell.childFrames()[0];
      // by hand
      await inside.getByRole("button", { name: "Run" }).click();
      await until(() => globalThis.values.state.step > 20);
      await inside.getByRole("button", { name: "Pause" }).click();
      await until(() => !globalThis.values.state.playing);
      // by the kernel
      await cell.evaluate(() => globalThis.tell({ carom: "seek", step: 10 }));
      await until(() => globalThis.values.state.step === 10 && !globalThis.values.state.playing);
      await cell.evaluate(() => globalThis.tell({ carom: "dance" }));
      await until(() => globalThis.values.refused !== "");
      const size = await inside.locator("canvas.stage").first().boundingBox();
      assert.ok(size.width > 200 && size.height > 100, `the scene is drawn: ${JSON.stringify(size)}`);
      // The frame is VS Code's, and Chromium has an opinion on it.
      const ours = browser.complaints.filter((words) => !words.includes("can escape its sandboxing"));
      assert.deepEqual(ours, [], "the console is free of errors, and of what a policy refuses");
      await page.close();
    });
  }
}

test("the policies refuse what they say", { timeout: 120_000 }, async () => {
  for (const policy of ["", "#strict", "#no-eval"]) {
    const { page, cell } = await shown(policy, "newtons-cradle");
    const refused = await cell.evaluate(async () => {
      // Not at once: what a debugger runs may evaluate.
      const evaluated = () => { try { return (0, eval)("1") !== 1; } catch { return true; } };
      const evaluation = await new Promise((resolve) => setTimeout(() => resolve(evaluated())));
      const blob = URL.createObjectURL(new Blob(["export default 1"], { type: "text/javascript" }));
      return [evaluation, await import(blob).then(() => false, () => true)];
    });
    assert.deepEqual(refused, [policy === "#no-eval", policy !== ""], `eval, and a module from a blob: ${policy}`);
    await page.close();
  }
});

test("nothing was asked of a network", () => {
  assert.deepEqual([...new Set(asked)].sort(), ["/", "/fake.html", "/host.js", "/notebook.js"]);
});
