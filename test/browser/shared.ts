import { afterAll, describe, test } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { executablePath, launch, openTab as openTabIn, type Tab } from './browser.ts';
import { AS_USUAL, type Shop, startShop } from './shop.ts';

/** What the tests of a run share: one browser, and one system with a site. */

let browser: Promise<Browser> | undefined;
let shop: Promise<Shop> | undefined;
afterAll(async () => {
  await (await browser)?.close();
  await (await shop)?.stop();
});

/** The tests of `body`, if there is a browser to run them in. */
export function inBrowser(name: string, body: () => void): void {
  if (executablePath) {
    describe(name, body);
    return;
  }
  process.stderr.write(`Skipping ${name}: it needs Chromium (apt-get install chromium).\n`);
  test.todo(`${name} (needs Chromium: apt-get install chromium)`);
}

/** A page of a visitor who was never here before. */
export async function openTab(url: string, options?: BrowserContextOptions): Promise<Tab> {
  browser ??= launch();
  return openTabIn(await browser, url, options);
}

/** The shop, whose model does what it usually does. */
export async function openShop(): Promise<Shop> {
  shop ??= startShop();
  const opened = await shop;
  Object.assign(opened.model, AS_USUAL, { held: Promise.resolve() });
  return opened;
}
