// `carom validate` in the page: a button, and numbers that hold in WebAssembly as they do in the
// program.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, shoot } from "./support.mjs";

// The quick ones; CAROM_VALIDATE_ALL=1 runs every case, for minutes.
const CASES = process.env.CAROM_VALIDATE_ALL ? [""] : ["two-masses", "bernoulli", "cradle", "painleve", "precession"];

let browser;
before(async () => {
  browser = await openBrowser(process.env.CAROM_PAGE);
});
after(() => browser.close());

test("the gallery leads to the validation", async () => {
  const page = await browser.page();
  await page.getByRole("link", { name: "validate the engine" }).click();
  await page.getByRole("button", { name: "Validate", exact: true }).waitFor();
  assert.match(await page.title(), /Validate/);
  await page.close();
});

for (const name of CASES) {
  test(`every number holds in the browser: ${name || "all cases"}`, { timeout: 3_600_000 }, async () => {
    const page = await browser.page(`#validate=${name}`);
    await page.getByRole("button", { name: "Validate", exact: true }).click();
    const isDone = () => /numbers hold/.test(document.querySelector(".validate [role=status]")?.textContent ?? "");
    await page.waitForFunction(isDone, undefined, { timeout: 3_600_000 });
    const said = await page.locator(".validate [role=status]").textContent();
    const [, held, count] = /([\d,]+) of ([\d,]+) numbers hold/.exec(said);
    const broken = await page.locator(".validate tr[data-holds=no]").allTextContents();
    assert.deepEqual(broken, []);
    assert.equal(held, count);
    assert.ok(await page.locator(".validate tr[data-holds=yes]").count() >= 1, said);
    await shoot(page, `validate-${name || "all"}`);
    if (process.env.CAROM_VALIDATE_ALL) console.log(said);
    await page.close();
  });
}

test("the console stayed silent", () => assert.deepEqual(browser.complaints, []));
