// Not a test: measures the page and prints numbers. `node tests/measure.mjs [--engine] [words of a
// case]`; --engine leaves the browser out.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, ready, WEB } from "./support.mjs";

/** Discs in a box, moving every which way; `family` is particles or rigid bodies. */
export function discs(count, family, response, dt) {
  const side = Math.ceil(Math.sqrt(count));
  const [lines, size] = [[], side * 0.1];
  let seed = 7;
  const random = () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
  const speed = () => (4 * random() - 2).toFixed(4);
  for (let k = 0; k < count; k++) {
    const [x, y] = [((k % side) + 0.5) * 0.1, (Math.floor(k / side) + 0.5) * 0.1];
    lines.push(
      family === "particles"
        ? `<particle m="1" px="${x.toFixed(3)}" py="${y.toFixed(3)}" vx="${speed()}" vy="${speed()}" fixed="0" radius="0.03"/>`
        : `<rigidbodydisc x="${x.toFixed(3)}" y="${y.toFixed(3)}" radius="0.03" m="1" vx="${speed()}" vy="${speed()}"/>`,
    );
  }
  const middle = size / 2;
  if (family === "particles") {
    return `<scene><duration time="60"/><integrator type="symplectic-euler" dt="${dt}"/><collision type="${response}" COR="1"/><collisiondetection type="contest"/>
      <viewport cx="${middle}" cy="${middle}" size="${middle * 1.04}"/>
      <halfplane px="0" py="0" nx="1" ny="0"/><halfplane px="${size}" py="0" nx="-1" ny="0"/><halfplane px="0" py="0" nx="0" ny="1"/><halfplane px="0" py="${size}" nx="0" ny="-1"/>
      ${lines.join("\n")}</scene>`;
  }
  const corners = [[0, 0], [size, 0], [size, size], [0, size]];
  const vertices = corners.map(([x, y]) => `<rigidbodyvertex x="${x}" y="${y}" m="1"/>`).join("");
  const walls = corners.map((_, k) => `<rigidbody p="${k}" p="${(k + 1) % 4}" vx="0" vy="0" omega="0" r="0.02" fixed="1"/>`).join("");
  return `<scene><simtype type="rigid-body"/><duration time="60"/><rigidbodyintegrator type="symplectic-euler" dt="${dt}"/>
    <rigidbodycollisionhandling detection="all-pairs" response="${response}"/><viewport cx="${middle}" cy="${middle}" size="${middle * 1.04}"/>
    ${vertices}${walls}${lines.join("\n")}</scene>`;
}

/** Boxes of side 1, a little turned, that fall from a loose cube onto a floor and settle. */
export function boxes(count, handling, dt) {
  const side = Math.ceil(Math.cbrt(count));
  let seed = 11;
  const turn = () => (((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648 - 0.5) * 0.1).toFixed(4);
  const lines = [];
  for (let k = 0; k < count; k++) {
    const place = [k % side, Math.floor(k / side) % side, Math.floor(k / side / side)].map((cell, axis) => (1.2 * cell + (axis === 2 ? 0.8 : 0)).toFixed(2));
    lines.push(`<rigidbody3dbox x="${place[0]}" y="${place[1]}" z="${place[2]}" a="1" b="1" c="1" density="1" rx="${turn()}" ry="${turn()}" rz="${turn()}"/>`);
  }
  return `<scene><simtype type="rigid-body-3d"/><duration time="60"/><rigidbody3dintegrator type="symplectic-euler" dt="${dt}"/>
    <rigidbody3dcollisionhandling ${handling}/><rigidbody3dgravityforce fz="-9.81"/><rigidbody3dhalfspace nz="1"/>${lines.join("\n")}</scene>`;
}

/** Discs that fall into a box and settle. */
export function pile(count, handling, dt) {
  return discs(count, "rigid", "lcp", dt)
    .replace(/<rigidbodycollisionhandling[^>]*>/, `<rigidbodycollisionhandling detection="all-pairs" ${handling}/><rigidbodygravityforce fx="0" fy="-9.81"/>`);
}

/**
 * What a scene takes: simulated seconds a second on the clock, and processor time of the engine and
 * of the page, which a busy machine does not change.
 */
async function inPage(browser, text, seconds) {
  const page = await browser.page("#new&still");
  await ready(page);
  const client = await browser.context.newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => Object.fromEntries((await client.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value])).TaskDuration;
  await page.evaluate((text) => globalThis.carom.apply(text, false), text);
  const before = await busy();
  const found = await page.evaluate(
    (seconds) =>
      new Promise((resolve) => {
        const { runner } = globalThis.carom;
        let [frames, engine, draw] = [0, 0, 0];
        const start = performance.now();
        const move = runner.lead.move.bind(runner.lead);
        runner.lead.move = async (...words) => {
          const answer = await move(...words);
          engine += answer.took;
          return answer;
        };
        const paint = runner.lead.draw.bind(runner.lead);
        runner.lead.draw = (...words) => {
          const took = paint(...words);
          draw += took;
          if (took > 0) frames += 1;
          return took;
        };
        runner.play();
        const watch = (now) => {
          const simulated = runner.step * runner.dt;
          if (simulated < seconds && now - start < 1000 * 60 && runner.lead.trouble === undefined) return requestAnimationFrame(watch);
          const clock = now - start;
          runner.pause();
          resolve({ factor: (1000 * simulated) / clock, frames: (1000 * frames) / clock, engineShare: engine / clock, drawShare: draw / clock, drawMs: draw / Math.max(1, frames), simulated, said: document.querySelector(".pace").hidden ? "" : document.querySelector(".pace").textContent, trouble: runner.lead.trouble });
        };
        requestAnimationFrame(watch);
      }),
    seconds,
  );
  const mainThread = ((await busy()) - before) / found.simulated;
  await page.close();
  return { ...found, mainThread };
}

/** The engine alone, the same WebAssembly in node: processor seconds for each simulated second. */
async function engineAlone(text, seconds) {
  const { initSync, Session } = await import(join(WEB, "generated/carom_web.js"));
  initSync({ module: new WebAssembly.Module(readFileSync(join(WEB, "generated/carom_web_bg.wasm"))) });
  const session = new Session();
  const ask = (request) => {
    const bytes = session.handle(JSON.stringify({ id: 1, ...request }), 60_000);
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true))));
    return { ...head, bytes: bytes.length };
  };
  const { dt } = ask({ do: "open", text });
  const start = process.cpuUsage();
  let answer;
  // As the page asks: about sixty answers for each simulated second.
  for (let step = 0; step * dt < seconds; ) {
    step += Math.max(1, Math.round(1 / 60 / dt));
    answer = ask({ do: "advance", to: step });
  }
  const { user, system } = process.cpuUsage(start);
  return { processor: (user + system) / 1e6 / (answer.step * dt), message: answer.bytes, failure: answer.failure };
}

const CASES = {
  "2,000 discs, particles, simple, 1/60": [discs(2000, "particles", "simple", 1 / 60), 4],
  "2,000 discs, rigid, impulse, 1/60": [discs(2000, "rigid", "impulse", 1 / 60), 4],
  "2,000 discs, rigid, gr-lcp, 1/60": [discs(2000, "rigid", "gr-lcp", 1 / 60), 4],
  "5,000 discs, particles, simple, 1/60": [discs(5000, "particles", "simple", 1 / 60), 4],
  "5,000 discs, rigid, impulse, 1/60": [discs(5000, "rigid", "impulse", 1 / 60), 4],
  "5,000 discs settle, tolerance 0.05, 1/60": [pile(5000, 'response="lcp" mu="0.3" tolerance="0.05"', 1 / 60), 2],
  "100 boxes settle, tolerance 0.01, 1/60": [boxes(100, 'response="lcp" mu="0.5" tolerance="0.01"', 1 / 60), 2],
  "300 boxes settle, tolerance 0.01, 1/60": [boxes(300, 'response="lcp" mu="0.5" tolerance="0.01"', 1 / 60), 2],
  "300 boxes settle, exact, 1/60": [boxes(300, 'response="lcp" mu="0.5"', 1 / 60), 1],
};

if (process.argv[1]?.endsWith("measure.mjs")) {
  const wanted = process.argv.slice(2).filter((word) => word !== "--engine");
  const chosen = Object.entries(CASES).filter(([name]) => wanted.every((word) => name.includes(word)));
  if (process.argv.includes("--engine")) {
    for (const [name, [text, seconds]] of chosen) {
      const { processor, message, failure } = await engineAlone(text, seconds);
      console.log(`${name}: engine ${processor.toFixed(2)} processor seconds a simulated second, message ${(message / 1000).toFixed(0)} kB ${failure ?? ""}`);
    }
    process.exit();
  }
  const browser = await openBrowser();
  try {
    for (const hash of ["", "#scene=break-discs"]) {
      const page = await browser.page(hash);
      await (hash ? ready(page) : page.waitForSelector(".cards img"));
      const [painted, there] = await page.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0]?.startTime, performance.now()]);
      console.log(`${hash || "gallery"}: first paint ${painted?.toFixed(0)} ms, there after ${there.toFixed(0)} ms`);
      await page.close();
    }
    for (const [name, [text, seconds]] of chosen) {
      const { processor, message, failure } = await engineAlone(text, seconds);
      const found = await inPage(browser, text, seconds);
      const percent = (share) => `${(100 * share).toFixed(0)} %`;
      console.log(`${name}: ${found.factor.toFixed(2)} of real time on the clock, ${found.frames.toFixed(0)} pictures/s; engine ${percent(found.engineShare)} of the clock, drawing ${percent(found.drawShare)} (${found.drawMs.toFixed(1)} ms each);`);
      console.log(`  processor seconds a simulated second: engine ${processor.toFixed(2)}, page thread ${found.mainThread.toFixed(2)}; message ${(message / 1000).toFixed(0)} kB; ${found.said} ${found.trouble ?? failure ?? ""}`);
    }
    console.log(browser.complaints);
  } finally {
    await browser.close();
  }
}
