import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings } from './axe.ts';
import { inBrowser, openShop, openTab } from './shared.ts';
import { chat, hostPage, QUESTION, type Shop } from './shop.ts';

/** Everything that a page can do to elements which it does not know. */
const HOSTILE = `
* , *::before, *::after { all: unset !important; display: block !important; color: red !important; font: 3px/9 fantasy !important;
  position: static !important; visibility: hidden !important; opacity: 0.1 !important; transform: rotate(9deg) scale(3) !important;
  pointer-events: none !important; letter-spacing: 2em !important; text-transform: uppercase !important;
  background: lime !important; filter: invert(1) !important; z-index: -1 !important; inset: auto !important; }
html { font-size: 3px !important; --accent: red !important; --ink: red !important; }
body { transform: translate(400px, 400px) !important; overflow: hidden !important; }
parley-chat, parley-chat * { display: none !important; direction: rtl !important; }`;

/** Puts a page on the site, or one with these headers, and opens it. */
async function visit({ pages }: Shop, path: string, html: string, headers: Record<string, string> = {}) {
  pages.pages[path] = (response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
  return openTab(new URL(path, pages.url).href);
}

/** Reads how the chat looks. */
const looks = (page: Page) =>
  page.evaluate(() => {
    const { shadowRoot } = document.querySelector('parley-chat')!;
    return ['.launcher', '.panel', 'header', '.bubble', 'textarea', '.send', 'h2'].map((selector) => {
      const element = shadowRoot!.querySelector(selector)!;
      const { x, y, width, height } = element.getBoundingClientRect();
      const { color, fontSize, fontFamily, backgroundColor, letterSpacing, textTransform, opacity } =
        getComputedStyle(element);
      return {
        selector,
        x,
        y,
        width,
        height,
        color,
        fontSize,
        fontFamily,
        backgroundColor,
        letterSpacing,
        textTransform,
        opacity,
      };
    });
  });

inBrowser('the chat on pages of all kinds', () => {
  test('it works under a strict policy, also with Trusted Types', async () => {
    const shop = await openShop();
    const origin = new URL(shop.gateway).origin;
    await using tab = await visit(shop, '/strict', hostPage(shop.snippet()), {
      'content-security-policy': `default-src 'none'; script-src ${origin}; style-src 'self'; img-src data:; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`,
      'cross-origin-embedder-policy': 'require-corp',
    });
    const w = chat(tab.page);
    await w.open();
    await w.answered();
    expect(await w.answers.first().evaluate((text) => getComputedStyle(text.parentElement!).backgroundColor)).toBe(
      'rgb(241, 243, 246)',
    );
    expect(tab.problems).toEqual([]);
  });

  test('no style of the page changes how it looks', async () => {
    const shop = await openShop();
    const seen = [];
    for (const [path, head] of [
      ['/plain', ''],
      ['/hostile', `<style>${HOSTILE}</style>`],
    ] as const) {
      // What has an id is in `window`, too.
      const snippet = `<div id="parley"></div>${shop.snippet()}`;
      await using tab = await visit(shop, path, hostPage(snippet, { head }));
      const w = chat(tab.page);
      await w.open();
      await w.answered();
      seen.push(await looks(tab.page));
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  test('in a right-to-left page it is on the left, in its language; each message has its own direction', async () => {
    const shop = await openShop();
    await using tab = await visit(shop, '/rtl', hostPage(shop.snippet(), { lang: 'fa-IR', dir: 'rtl' }));
    const { page } = tab;
    const launcher = page.getByRole('button', { name: 'باز کردن گفتگو' });
    await launcher.click();
    const field = page.getByRole('textbox', { name: 'پیام شما' });
    await field.fill(QUESTION);
    await field.press('Enter');
    await page.getByRole('button', { name: 'مفید نبود' }).waitFor();
    const [button, dialog] = [
      await page.locator('.launcher').boundingBox(),
      await page.getByRole('dialog').boundingBox(),
    ];
    expect([button!.x, dialog!.x]).toEqual([20, 20]);
    const direction = (selector: string) =>
      page
        .locator(selector)
        .last()
        .evaluate((e) => getComputedStyle(e).direction);
    expect([await direction('.bubble'), await direction('.question div'), await direction('.text')]).toEqual([
      'rtl',
      'ltr',
      'ltr',
    ]);
    expect(await findings(page)).toEqual([]);
  });

  test.each([
    ['de', 'Chat öffnen'],
    ['fr-CA', 'Ouvrir la discussion'],
    ['es', 'Abrir el chat'],
    ['zh-Hans', '打开聊天'],
    ['nl', 'Open chat'],
  ])('on a page in %s, the button says %s', async (lang, name) => {
    const shop = await openShop();
    await using tab = await visit(shop, `/in-${lang}`, hostPage(shop.snippet(), { lang }));
    await tab.page.getByRole('button', { name, exact: true }).waitFor();
  });

  test('data-lang and data-colour of the tag come before what the page and the owner say', async () => {
    const shop = await openShop();
    const snippet = shop.snippet(undefined, 'data-lang="es" data-colour="#8c1d13"');
    await using tab = await visit(shop, '/own-words', hostPage(snippet));
    const launcher = tab.page.getByRole('button', { name: 'Abrir el chat' });
    expect(await launcher.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe('rgb(140, 29, 19)');
  });

  test('two chats on one page do not disturb each other, and the same one twice is one', async () => {
    const shop = await openShop();
    const other = await shop.another({ title: 'Second' });
    const snippets = [shop.snippet(), shop.snippet(), shop.snippet(other)].join('');
    await using tab = await visit(shop, '/two', hostPage(snippets));
    const { page, problems } = tab;
    const buttons = page.locator('.launcher');
    await buttons.nth(1).waitFor();
    expect(await buttons.count()).toBe(2);
    const boxes = await Promise.all([buttons.nth(0).boundingBox(), buttons.nth(1).boundingBox()]);
    expect(Math.abs(boxes[0]!.x - boxes[1]!.x)).toBeGreaterThanOrEqual(60);

    for (const id of [shop.chatbot.public_id, other.public_id]) {
      await page.evaluate((id) => window.parley!.chat(id)!.open(), id);
      await page.locator('dialog[open] textarea').fill(QUESTION);
      await page.locator('dialog[open] textarea').press('Enter');
      await page.locator('dialog[open]').getByRole('button', { name: 'Not helpful' }).waitFor();
      // Opening one closes the other.
      expect(await page.locator('dialog[open]').count()).toBe(1);
    }
    expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(
      [`parley:${shop.chatbot.public_id}`, `parley:${other.public_id}`].sort(),
    );
    expect(problems).toEqual([]);
  });

  test('a page of another domain is refused, and says so', async () => {
    const shop = await openShop();
    const { port } = new URL(shop.pages.url);
    await using tab = await openTab(`http://localhost:${port}/shop`);
    await chat(tab.page).launcher.click();
    await tab.page.getByText('This chat is not available on this page.').waitFor();
    expect(await chat(tab.page).field.count()).toBe(0);
    const nothing = await shop.another({ allowed_domains: [] });
    await using none = await visit(shop, '/none', hostPage(shop.snippet(nothing)));
    await chat(none.page).launcher.click();
    await none.page.getByText('This chat is not available on this page.').waitFor();
  });

  test('a chatbot that was deleted says so', async () => {
    const shop = await openShop();
    const { id, public_id } = await shop.another();
    await shop.a.api.del(`/chatbot/${id}`);
    await using tab = await visit(shop, '/deleted', hostPage(shop.snippet({ public_id })));
    await chat(tab.page).launcher.click();
    await tab.page.getByText('This chat does not exist any more.').waitFor();
  });

  test('the page can drive it, and learns what happens', async () => {
    const shop = await openShop();
    await using tab = await openTab(`${shop.pages.url}shop`);
    const { page, problems } = tab;
    await chat(page).launcher.waitFor();
    await page.evaluate(() => {
      const { parley } = window;
      const seen: unknown[] = [];
      Object.assign(window, { seen });
      for (const event of ['open', 'close', 'question', 'answer', 'conversation'] as const)
        parley!.on(event, (detail) => seen.push([event, detail]));
      const end = parley!.on('open', () => seen.push('never'));
      end();
      parley!.open();
    });
    const w = chat(page);
    await w.field.waitFor();
    await w.answered();
    await page.evaluate(() => {
      window.parley!.newConversation();
      window.parley!.close();
    });
    expect(await w.dialog.count()).toBe(0);
    const message = 'It costs nine crowns [1]. Children under twelve pay nothing [1].';
    const sources = [{ n: 1, title: 'Fees', url: `${shop.pages.url}fees` }];
    expect(await page.evaluate('seen')).toEqual([
      ['open', undefined],
      ['question', { message: QUESTION }],
      ['answer', { message, sources, confidence: 'high' }],
      ['conversation', undefined],
      ['close', undefined],
    ]);
    expect(problems).toEqual([]);
  });
});
