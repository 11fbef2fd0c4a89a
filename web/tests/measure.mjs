// Not a test: measures the page and prints numbers. `node tests/measure.mjs`
import { gzipSync } from "node:zlib";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DIST, openBrowser, ready } from "./support.mjs";

/** Two thousand discs in a box, moving every which way; `family` is particles or rigid bodies. */
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

async function frameRate(page, text) {
  await page.evaluate((text) => globalThis.carom.apply(text), text);
  await page.evaluate(() => globalThis.carom.runner.play());
  await page.waitForTimeout(1500);
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const { runner } = globalThis.carom;
        const [start, step] = [performance.now(), runner.step];
        let frames = 0;
        const count = (now) => {
          frames += 1;
          if (now - start < 4000) requestAnimationFrame(count);
          else {
            const seconds = (now - start) / 1000;
            const { draw, engine } = runner.timing;
            resolve({ trouble: runner.lead.trouble, frames: (frames / seconds).toFixed(1), draw: draw.toFixed(2), engine: engine.toFixed(2), simulated: (((runner.step - step) * runner.dt) / seconds).toFixed(3) });
          }
        };
        requestAnimationFrame(count);
      }),
  );
}

if (process.argv[1]?.endsWith("measure.mjs")) {
  const browser = await openBrowser();
  try {
    let page = await browser.page();
    await page.waitForSelector(".cards img");
    for (const hash of ["", "#scene=break-discs"]) {
      await page.close();
      page = await browser.page(hash);
      await (hash ? ready(page) : page.waitForSelector(".cards img"));
      const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
      const drawn = await page.evaluate(() => performance.now());
      console.log(`${hash || "gallery"}: first paint ${painted?.toFixed(0)} ms, there after ${drawn.toFixed(0)} ms`);
    }
    const cases = [
      ["particles", "simple", 1 / 60],
      ["particles", "continuous-time", 1 / 60],
      ["rigid", "impulse", 1 / 60],
      ["rigid", "gr-lcp", 1 / 60],
      ["rigid", "gr-lcp", 1 / 240],
    ];
    for (const [family, response, dt] of cases) {
      console.log(`2,000 ${family} ${response} dt ${dt.toFixed(4)}:`, JSON.stringify(await frameRate(page, discs(2000, family, response, dt))));
    }
    let total = 0;
    for (const file of readdirSync(DIST).filter((name) => !/\.(br|gz)$/.test(name))) if (statSync(join(DIST, file)).isFile()) total += gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length;
    console.log(`page compressed: ${(total / 1000).toFixed(0)} kB`);
    console.log(browser.complaints);
  } finally {
    await browser.close();
  }
}
