import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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

/** Undefined if this machine has none. */
export const [executablePath] = NAMES.flatMap(onPath);

export const launch = (): Promise<Browser> =>
  // Chromium refuses its sandbox to root.
  chromium.launch({ executablePath: executablePath!, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });

export interface Tab extends AsyncDisposable {
  page: Page;
  /** Errors that the page reports, such as violations of a policy. */
  problems: string[];
  /** URLs of its requests. */
  requests: string[];
}

const DESKTOP = { width: 1440, height: 900 };
/** A page that takes longer than this is broken; Playwright would wait for half a minute. */
const WITHIN_MS = 10_000;

/** A page of a visitor who was never here before. */
export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(WITHIN_MS);
  const page = await context.newPage();
  const [problems, requests]: [string[], string[]] = [[], []];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url);
  return { page, problems, requests, [Symbol.asyncDispose]: () => context.close() };
}
