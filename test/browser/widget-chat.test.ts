import { expect, test } from '@jest/globals';
import { gate } from '@parley/runtime/testing';
import { must } from '../e2e/api.ts';
import type { Chat, Page } from '../e2e/resources.ts';
import { inBrowser, openShop, openTab } from './shared.ts';
import { COLOUR, chat, hostPage, QUESTION } from './shop.ts';

inBrowser('the chat on a page', () => {
  const shopPage = async () => {
    const shop = await openShop();
    const tab = await openTab(`${shop.pages.url}shop`);
    return { ...shop, ...tab, ...chat(tab.page), [Symbol.asyncDispose]: tab[Symbol.asyncDispose] };
  };

  test('until it is opened, it has sent one request, stored nothing and moved nothing', async () => {
    await using w = await shopPage();
    await w.launcher.waitFor();
    const shifts = await w.page.evaluate<number>(`new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().length)).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(0), 100);
    })`);
    expect(shifts).toBe(0);
    expect(w.requests.filter((url) => url.startsWith(w.gateway))).toEqual([`${w.gateway}widget.js`]);
    expect(await w.page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    expect(await w.launcher.getAttribute('aria-expanded')).toBe('false');
    expect(w.problems).toEqual([]);
  });

  test('an answer appears as it is written, its sources are links, and its sentences are heard one by one', async () => {
    await using w = await shopPage();
    const second = gate();
    w.model.beforePart = (part) => (part === 1 ? second.opened : undefined);
    await w.open();
    await w.ask();
    await w.answers.getByText('It costs nine crowns').waitFor();
    expect(await w.answers.textContent()).not.toContain('Children');
    expect(await w.page.getByRole('button', { name: 'Stop' }).isVisible()).toBe(true);
    second.open();
    await w.answers.getByText('Children under twelve pay nothing').waitFor();
    await w.page.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
    expect(await w.log.locator('p').allTextContents()).toEqual([
      'It costs nine crowns.',
      'Children under twelve pay nothing.',
    ]);

    const links = w.dialog.getByRole('link');
    const shown = await links.evaluateAll((all) =>
      (all as HTMLAnchorElement[]).map(({ href, target, rel }) => [href, target, rel]),
    );
    expect(shown).toEqual(Array(3).fill([`${w.pages.url}fees`, '_blank', 'noopener noreferrer']));
    expect(await links.first().getAttribute('aria-label')).toBe('Source 1: Fees');
    expect(w.problems).toEqual([]);
  });

  test('an answer that is uncertain says so', async () => {
    await using w = await shopPage();
    w.model.chat = 'It costs a hundred dollars [1].';
    await w.open();
    await w.answered();
    expect(await w.page.getByText('This may not answer your question.').isVisible()).toBe(true);
    expect(await w.answers.textContent()).toContain('nine crowns');
  });

  test('Stop ends an answer; the next question goes on with the same conversation', async () => {
    await using w = await shopPage();
    await w.open();
    await w.answered();
    const second = gate();
    w.model.beforePart = (part) => (part === 1 ? second.opened : undefined);
    await w.ask();
    await w.answers.nth(1).getByText('It costs nine crowns').waitFor();
    await w.page.getByRole('button', { name: 'Stop' }).click();
    await w.page.getByText('Stopped.').waitFor();
    second.open();
    await w.answered();
    expect(await w.answers.count()).toBe(3);
    expect(await w.answers.nth(1).textContent()).not.toContain('Children');
  });

  test('the conversation is there after a reload, until a new one is begun', async () => {
    await using w = await shopPage();
    await w.open();
    await w.answered();
    await w.page.getByRole('button', { name: 'Helpful', exact: true }).click();
    expect(await w.page.evaluate('Object.keys(localStorage)')).toEqual([`parley:${w.chatbot.public_id}`]);
    const before = await w.answers.allTextContents();
    await w.page.reload();
    await w.open();
    await w.answers.first().waitFor();
    expect(await w.answers.allTextContents()).toEqual(before);
    expect(await w.page.locator('.question').textContent()).toContain(QUESTION);
    const up = w.page.getByRole('button', { name: 'Helpful', exact: true });
    expect(await up.getAttribute('aria-pressed')).toBe('true');

    await w.page.getByRole('button', { name: 'New conversation' }).click();
    await w.page.locator('.question').waitFor({ state: 'detached' });
    expect(await w.page.evaluate('localStorage.length')).toBe(0);
    await w.page.reload();
    await w.open();
    expect(await w.answers.count()).toBe(0);
    expect(w.problems).toEqual([]);
  });

  test('its owner sees what a visitor thinks of an answer, and why', async () => {
    const shop = await openShop();
    const own = await shop.another();
    shop.pages.pages['/votes'] = hostPage(shop.snippet(own));
    await using tab = await openTab(`${shop.pages.url}votes`);
    const w = { ...tab, ...chat(tab.page) };
    await w.open();
    await w.answered();
    await w.page.getByRole('button', { name: 'Not helpful' }).click();
    await w.page.getByRole('textbox', { name: 'What was wrong?' }).fill('Which crowns?');
    await w.dialog.locator('.feedback').getByRole('button', { name: 'Send' }).click();
    await w.page.getByText('Thank you for your feedback.').waitFor();
    const chats = must(await shop.a.api.get<Page<Chat>>(`/chatbot/${own.id}/chats?vote=down`)).items;
    expect(chats).toMatchObject([{ votes: [{ vote: 'down', reason: 'Which crowns?' }] }]);
  });

  test('it has the title, the greeting, the questions and the colour of the owner, as text', async () => {
    const shop = await openShop();
    const markup = '<img src=x onerror="alert(1)">';
    const appearance = { title: `A ${markup}`, greeting: `Hi ${markup}`, suggestions: [`${QUESTION} ${markup}`] };
    const own = await shop.another(appearance);
    shop.pages.pages['/own'] = hostPage(shop.snippet(own));
    await using tab = await openTab(`${shop.pages.url}own`);
    const { page, problems } = tab;
    const w = chat(page);
    shop.model.chat = [`It costs nine crowns ${markup} [1].`];
    await w.open();
    expect(await w.dialog.getAttribute('aria-label')).toBe(appearance.title);
    expect(await page.getByText(appearance.greeting).isVisible()).toBe(true);
    await page.getByRole('button', { name: appearance.suggestions[0]! }).click();
    await page.getByRole('button', { name: 'Not helpful' }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    const colour = await page.locator('.launcher').evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(colour).toBe(`rgb(${[1, 3, 5].map((at) => Number.parseInt(COLOUR.slice(at, at + 2), 16)).join(', ')})`);
    expect(problems).toEqual([]);
  });
});
