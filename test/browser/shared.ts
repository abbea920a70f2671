import { describe, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { keep } from '../e2e/keep.ts';
import { executablePath, launch, openTab as openTabIn, type Tab } from './browser.ts';
import { AS_USUAL, type Shop, startShop } from './shop.ts';

const browser = keep('browser', launch, (opened) => opened.close());
const shop = keep('shop', startShop, (opened) => opened.stop());

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
  return openTabIn(await browser(), url, options);
}

/** The shop, whose model does what it usually does. */
export async function openShop(): Promise<Shop> {
  const opened = await shop();
  Object.assign(opened.model, AS_USUAL, { held: Promise.resolve() });
  return opened;
}
