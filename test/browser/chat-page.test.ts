import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { inBrowser, openShop, openTab } from './shared.ts';
import { chat, QUESTION } from './shop.ts';

inBrowser('the page of a chatbot', () => {
  test('it answers, without a word to another server, and keeps its policy', async () => {
    const shop = await openShop();
    await using tab = await openTab(`${shop.gateway}chat/${shop.chatbot.public_id}`, { locale: 'en-GB' });
    const { page, problems, requests } = tab;
    const w = chat(page);
    await w.field.waitFor();
    expect(await page.title()).toBe('Observatory');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Observatory');
    await w.answered();
    expect(await w.answers.textContent()).toContain('It costs nine crowns');
    await page.reload();
    await page.getByText(QUESTION).waitFor();
    await w.answers.waitFor();
    // What its policy says, the browser holds it to.
    await expect(
      page.evaluate(() => {
        document.body.innerHTML = '<p>x</p>';
      }),
    ).rejects.toThrow('TrustedHTML');
    expect(requests.filter((url) => !url.startsWith(shop.gateway) && !url.startsWith('data:'))).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('TrustedHTML'))).toEqual([]);
  });

  test('it speaks the language of the browser', async () => {
    const shop = await openShop();
    await using tab = await openTab(`${shop.gateway}chat/${shop.chatbot.public_id}`, { locale: 'fa-IR' });
    await tab.page.getByRole('textbox', { name: 'پیام شما' }).waitFor();
    expect(await tab.page.evaluate(() => document.documentElement.lang)).toBe('fa');
  });

  test('it works for a chatbot that no page may embed, and only allowed pages may frame it', async () => {
    const shop = await openShop();
    const alone = await shop.another({ allowed_domains: [] });
    await using tab = await openTab(`${shop.gateway}chat/${alone.public_id}`);
    await chat(tab.page).field.waitFor();
    await chat(tab.page).answered();

    for (const [{ public_id }, isShown] of [
      [shop.chatbot, true],
      [alone, false],
    ] as const) {
      shop.pages.pages['/frame'] = `<iframe src="${shop.gateway}chat/${public_id}" width="600" height="600"></iframe>`;
      await using outer = await openTab(`${shop.pages.url}frame`);
      const field = outer.page.frameLocator('iframe').getByRole('textbox', { name: 'Your message' });
      if (isShown) await field.waitFor();
      else await until(async () => outer.problems.some((problem) => problem.includes('frame-ancestors')));
      expect(await field.count()).toBe(isShown ? 1 : 0);
    }
  });
});
