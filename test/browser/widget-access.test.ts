import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings } from './axe.ts';
import { inBrowser, openShop, openTab } from './shared.ts';
import { chat, focused, hostPage } from './shop.ts';

/** The page of the shop, at this size. */
async function shopAt(width: number, height: number, path = 'shop') {
  const shop = await openShop();
  const tab = await openTab(`${shop.pages.url}${path}`, { viewport: { width, height } });
  return { ...shop, ...tab, ...chat(tab.page), [Symbol.asyncDispose]: tab[Symbol.asyncDispose] };
}

/** Returns whether nothing is cut off at the sides, the field is on the screen, and there is room to read. */
const fits = (page: Page) =>
  page.evaluate(() => {
    const panel = document.querySelector('parley-chat')!.shadowRoot!.querySelector('.panel')!;
    const controls = [...panel.querySelectorAll('button, textarea, h2')].map((element) =>
      element.getBoundingClientRect(),
    );
    return (
      panel.scrollWidth <= panel.clientWidth &&
      document.documentElement.scrollWidth <= innerWidth &&
      controls.every(({ left, right }) => left >= 0 && right <= innerWidth) &&
      panel.querySelector('textarea')!.getBoundingClientRect().bottom <= innerHeight &&
      panel.querySelector('.scroller')!.clientHeight >= 100
    );
  });

const TABLE =
  '| Day | Hours | Who may come, and what else there is to know |\n|---|---|---|\n| Monday | nine crowns | everybody [1] |\n';

inBrowser('the chat for everybody', () => {
  test('axe finds nothing: closed, opened, with all that an answer can have, and on a telephone', async () => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await using w = await shopAt(width, height);
      await w.launcher.waitFor();
      expect(await findings(w.page)).toEqual([]);
      await w.open();
      expect(await findings(w.page)).toEqual([]);
      w.model.chat = [`It costs nine crowns [1].\n\n`, `- **Children** under twelve pay nothing [1].\n\n${TABLE}`];
      await w.answered();
      w.model.chat = 'It costs a hundred dollars [1].';
      await w.answered();
      await w.page.getByRole('button', { name: 'Not helpful' }).last().click();
      await w.page.getByRole('textbox', { name: 'What was wrong?' }).waitFor();
      await w.page.context().setOffline(true);
      await w.ask();
      await w.page.getByRole('button', { name: 'Try again' }).waitFor();
      expect(await findings(w.page)).toEqual([]);
    }
  });

  test.each(['#ffe000', '#9aa0a6', '#00c2ff', '#111111', '#ff5a5f'])(
    'axe finds nothing with the colour %s',
    async (colour) => {
      const shop = await openShop();
      const own = await shop.another({ colour, suggestions: ['When?'] });
      shop.pages.pages[`/colour-${colour.slice(1)}`] = hostPage(shop.snippet(own));
      await using w = await shopAt(1440, 900, `colour-${colour.slice(1)}`);
      await w.open();
      expect(await findings(w.page)).toEqual([]);
      await w.answered();
      expect(await findings(w.page)).toEqual([]);
    },
  );

  test('the keyboard opens it, goes in, comes out with Escape, and back to the button', async () => {
    await using w = await shopAt(1440, 900);
    await w.launcher.waitFor();
    await w.launcher.focus();
    await w.page.keyboard.press('Enter');
    await w.field.waitFor();
    await w.page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.tagName === 'TEXTAREA');
    expect(await w.page.locator('.launcher').getAttribute('aria-expanded')).toBe('true');
    expect(await w.dialog.getAttribute('aria-label')).toBe('Observatory');
    await w.page.keyboard.press('Escape');
    expect(await w.dialog.count()).toBe(0);
    expect(await focused(w.page)).toBe('Open chat');
    expect(await w.launcher.getAttribute('aria-expanded')).toBe('false');
  });

  test('keys that are pressed in it do not reach the page', async () => {
    await using w = await shopAt(1440, 900);
    await w.page.evaluate(() => {
      const pressed: string[] = [];
      Object.assign(window, { pressed });
      window.addEventListener('keydown', ({ key }) => pressed.push(key));
    });
    await w.open();
    await w.field.press('s');
    await w.field.press('Escape');
    expect(await w.page.evaluate('pressed')).toEqual([]);
  });

  test.each([
    ['320 pixels', 320, 640],
    ['a telephone', 390, 844],
    ['a telephone on its side', 844, 390],
    ['1280 pixels at 200 %', 640, 512],
    ['1280 pixels at 400 %', 320, 256],
  ])('on a screen of %s, nothing is cut off', async (_, width, height) => {
    await using w = await shopAt(width, height);
    await w.open();
    w.model.chat = [`It costs nine crowns [1].\n\n`, TABLE];
    await w.answered();
    expect(await fits(w.page)).toBe(true);
  });

  test('where it takes the whole screen, the focus stays in it', async () => {
    await using w = await shopAt(390, 844);
    await w.open();
    const seen = new Set<unknown>();
    for (let i = 0; i < 12; i++) {
      await w.page.keyboard.press('Tab');
      seen.add(await focused(w.page));
    }
    // Between the last and the first, the focus is at the browser.
    expect([...seen].sort()).toEqual(['BODY', 'Close chat', 'Conversation', 'Send', 'Your message'].sort());
    // On a wider screen, the page beside it can be used.
    await w.page.setViewportSize({ width: 1440, height: 900 });
    await w.page.waitForFunction(() => !document.querySelector('parley-chat')!.shadowRoot!.querySelector(':modal'));
    expect(await w.field.isVisible()).toBe(true);
  });

  test('nothing moves for those who do not want it', async () => {
    const moving = (page: Page) =>
      page.evaluate(() => document.querySelector('parley-chat')!.shadowRoot!.getAnimations().length);
    const shop = await openShop();
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      await using tab = await openTab(`${shop.pages.url}shop`, { reducedMotion });
      await chat(tab.page).open();
      shop.model.held = new Promise(() => {});
      await chat(tab.page).ask();
      await tab.page.locator('.waiting').waitFor();
      expect((await moving(tab.page)) > 0).toBe(reducedMotion === 'no-preference');
    }
  });
});
