import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Tab } from './browser.ts';
import { inBrowser, openShop, openTab } from './shared.ts';
import type { Shop } from './shop.ts';

const WIDTHS = { desktop: 1280, phone: 390 };

/** One page for all tests, in order: loading it takes longer than all that they do. */
inBrowser('/docs in a browser', () => {
  let shop: Shop;
  let key: string;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    shop = await openShop();
    ({ key } = await shop.account('Cyd'));
    tab = await openTab(shop.gateway, { viewport: { width: WIDTHS.desktop, height: 900 } });
    page = tab.page;
    await page.locator('.opblock-summary').first().waitFor();
  });
  afterAll(async () => {
    await tab?.[Symbol.asyncDispose]();
  });

  test('opening / leads there', () => {
    expect(page.url()).toBe(`${shop.gateway}docs`);
  });

  test('with a pasted key, requests can be sent and their answers seen', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const field = page.getByRole('textbox', { name: 'auth-bearer-value' });
    const form = page.locator('.auth-container form', { has: field });
    await field.fill(key);
    await form.locator('.authorize').click();
    await page.locator('.btn-done').first().click();

    expect(await send('createChatbot')).toMatchObject({ success: true, data: { title: 'Help' } });
    expect(await send('listChatbots')).toMatchObject({ success: true, data: [{ title: 'Help' }] });
  });

  /** Sends the example of an operation, and returns the answer that the page shows. */
  async function send(operation: string): Promise<unknown> {
    const block = page.locator(`.opblock[id$="-${operation}"]`);
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.getByRole('button', { name: 'Execute' }).click();
    const shown = block.locator('.live-responses-table .highlight-code code').first();
    return JSON.parse(await shown.innerText());
  }

  // The operations that the test before has opened are still open.
  test.each(Object.entries(WIDTHS))('nothing is wider than the screen of a %s', async (_, width) => {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  test('the page has reported no error and has asked no other server', () => {
    expect(tab.problems).toEqual([]);
    expect(tab.requests.filter((url) => !url.startsWith(shop.gateway) && !url.startsWith('data:'))).toEqual([]);
  });
});
