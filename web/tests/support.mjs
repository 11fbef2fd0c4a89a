// A server for web/dist, a browser, and what tests ask of a page.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const WEB = join(dirname(fileURLToPath(import.meta.url)), "..");
export const DIST = join(WEB, "dist");
export const SCENES = join(WEB, "../scenes");

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".gif": "image/gif",
  ".png": "image/png",
  ".webp": "image/webp",
  ".webmanifest": "application/manifest+json",
  ".xml": "application/xml",
};

/** Starts the program named in CAROM_PLAY and gives the address that it prints. */
export async function play(...words) {
  const program = spawn(process.env.CAROM_PLAY, ["play", "--no-open", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    let said = "";
    program.stdout.on("data", (data) => {
      said += data;
      const found = /at (http:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    program.on("exit", (code) => reject(new Error(`carom play ended with ${code}: ${said}`)));
  });
  return { address, stop: () => program.kill("SIGINT") };
}

/** Serves the page: `carom play` where it is named, else as any static host would. */
export async function serve() {
  if (process.env.CAROM_PLAY) {
    const { address, stop } = await play();
    return { address: new URL("/", address).href, stop };
  }
  return serveStatic();
}

/** Serves the page as any static host would. */
export async function serveStatic() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)).replace(/^(\.\.[/\\])+/, "");
    const file = join(DIST, path === "/" ? "index.html" : path);
    if (!file.startsWith(DIST) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}

function browserProgram() {
  const named = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = named.find((path) => path && existsSync(path));
  assert.ok(found, "no Chromium: install it or name its program in CHROMIUM");
  return found;
}

/**
 * A browser over the served page. `page()` opens a tab; whatever its console complains about is in
 * `complaints`.
 */
export async function openBrowser(address) {
  const own = address ? undefined : await serve();
  const profile = mkdtempSync(join(tmpdir(), "carom-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserProgram(),
    headless: true,
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader"],
  });
  const complaints = [];
  return {
    address: address ?? own.address,
    complaints,
    context,
    async page(hash = "", size) {
      const page = await context.newPage();
      if (size) await page.setViewportSize(size);
      page.on("console", (message) => {
        // Reading pixels of WebGL is slow, says the driver; it is the tests that read them.
        // A tab that goes while Chromium fetches the icon of the manifest breaks that download off;
        // that the icons are there and are pictures is a test of its own.
        const expected = /GPU stall due to ReadPixels|icon from the Manifest/.test(message.text());
        if (["error", "warning"].includes(message.type()) && !expected) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await page.goto(`${address ?? own.address}${hash}`);
      return page;
    },
    async close() {
      await context.close();
      own?.stop();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** The state of the player, as the page itself has it. */
export function state(page) {
  return page.evaluate(() => {
    const { runner } = globalThis.carom;
    return {
      step: runner.step,
      playing: runner.playing,
      planned: runner.planned,
      panes: runner.panes.map((pane) => ({
        response: pane.opened?.response,
        integrator: pane.opened?.integrator,
        step: pane.frame?.step,
        trouble: pane.trouble ?? null,
        samples: pane.series.samples.length,
        positions: Array.from(pane.frame?.positions ?? []).slice(0, 60),
      })),
    };
  });
}

/** Waits until the player is there and its first frame is drawn. */
export async function ready(page) {
  await page.waitForFunction(() => globalThis.carom?.runner.panes[0]?.frame !== undefined || globalThis.carom?.runner.panes[0]?.trouble !== undefined, undefined, { timeout: 20_000 });
}

/** Waits until something about the page holds. */
export function until(page, what, argument) {
  return page.waitForFunction(what, argument, { timeout: 20_000 });
}

/**
 * Waits until nothing is under way and the last frame is drawn, and stays so for two more pictures:
 * a frame changes words around the canvas after it was drawn, and only the picture after that one
 * sees that the canvas has another size now.
 */
export async function calm(page) {
  const settled = () => globalThis.carom.runner.settled;
  await until(page, settled);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await until(page, settled);
}

/** Lets the page draw so many pictures: what stands still after them stands still. */
export function drawn(page, pictures) {
  return page.evaluate(async (count) => {
    for (let k = 0; k < count; k++) await new Promise((done) => requestAnimationFrame(done));
  }, pictures);
}

/**
 * Pixels of a canvas: how many differ from the corner, and a sum that changes when the picture
 * does.
 */
export function pixels(page, selector = "canvas.stage", index = 0) {
  return page.evaluate(
    ([selector, index]) => {
      const canvas = document.querySelectorAll(selector)[index];
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext("2d");
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      let [painted, sum] = [0, 0];
      for (let k = 0; k < data.length; k += 4) {
        const difference = Math.abs(data[k] - data[0]) + Math.abs(data[k + 1] - data[1]) + Math.abs(data[k + 2] - data[2]);
        if (difference > 24) painted += 1;
        sum = (sum * 31 + data[k] + 3 * data[k + 1] + 7 * data[k + 2]) % 2147483647;
      }
      return { painted, sum, width: copy.width, height: copy.height };
    },
    [selector, index],
  );
}

/** Keeps a picture where a person looks at it: CAROM_SHOTS names the folder. */
export async function shoot(page, name) {
  const folder = process.env.CAROM_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
