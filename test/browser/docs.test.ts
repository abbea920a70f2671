import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type World, world } from '../e2e/world.ts';

/** Debian's browser, or another Chromium on the PATH. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

function onPath(name: string): string[] {
  const files = (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, name));
  return files.filter((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const [executablePath] = NAMES.flatMap(onPath);
const WIDTHS = { desktop: 1280, phone: 390 };

if (executablePath) describe('/docs in a browser', () => inBrowser(executablePath));
else {
  process.stderr.write('Skipping the tests of /docs: they need Chromium (apt-get install chromium).\n');
  test.todo('/docs in a browser (needs Chromium: apt-get install chromium)');
}

/** One page for all tests, in order: loading it takes longer than all that they do. */
function inBrowser(executablePath: string) {
  let system: World;
  let browser: Browser;
  let page: Page;
  /** Errors that the page reports, such as violations of its policy, and requests to other servers. */
  const problems: string[] = [];

  beforeAll(async () => {
    system = await world({ embeddings: 'none' });
    // Chromium refuses its sandbox to root.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath, args });
    page = await browser.newPage({ viewport: { width: WIDTHS.desktop, height: 900 } });
    const { baseUrl } = system.parley;
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(baseUrl) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await page.goto(baseUrl);
    await page.locator('.opblock-summary').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  test('opening / leads there', () => {
    expect(page.url()).toBe(`${system.parley.baseUrl}/docs`);
  });

  test('with a pasted key, requests can be sent and their answers seen', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.auth-container input').fill(system.a.key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();

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
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  test('the page has reported no error and has asked no other server', () => {
    expect(problems).toEqual([]);
  });
}
