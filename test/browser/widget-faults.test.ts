import { expect, test } from '@jest/globals';
import { gate } from '@parley/runtime/testing';
import { must } from '../e2e/api.ts';
import { findings } from './axe.ts';
import { onlyChat, ownPage } from './own-page.ts';
import { inBrowser } from './shared.ts';

inBrowser('the chat when something fails', () => {
  test('a visitor who is blocked in the middle of a chat is told so, also after a reload', async () => {
    await using w = await ownPage();
    await w.open();
    await w.answered();
    const { id } = await onlyChat(w, w.own);
    must(await w.a.api.put(`/chatbot/${w.own.id}/chats/${id}/block`));
    await w.ask('And now?');
    await w.page.getByText('You can no longer write here.').waitFor();
    expect(await w.field.count()).toBe(0);
    expect(await w.page.getByRole('button', { name: 'New conversation' }).count()).toBe(0);
    expect((await onlyChat(w, w.own)).conversation).toHaveLength(2);
    expect(await findings(w.page)).toEqual([]);
    await w.page.reload();
    await w.launcher.click();
    await w.page.getByText('You can no longer write here.').waitFor();
  });

  test('a question that was asked offline is answered once the browser is online again', async () => {
    await using w = await ownPage();
    await w.open();
    const context = w.page.context();
    await context.setOffline(true);
    await w.ask();
    await w.page.getByText('The connection was interrupted.').waitFor();
    await context.setOffline(false);
    await w.page.getByRole('button', { name: 'Not helpful' }).waitFor();
    expect(await w.page.getByText('The connection was interrupted.').count()).toBe(0);
    expect((await onlyChat(w, w.own)).conversation).toHaveLength(2);
  });

  test('a page that is left before its first answer shows it when the visitor comes back', async () => {
    await using w = await ownPage();
    const second = gate();
    w.model.beforePart = (part) => (part === 1 ? second.opened : undefined);
    await w.open();
    await w.ask();
    await w.answers.getByText('It costs nine crowns').waitFor();
    await w.page.reload();
    second.open();
    await w.open();
    await w.page.getByRole('button', { name: 'Not helpful' }).waitFor({ timeout: 30_000 });
    expect(await w.answers.textContent()).toContain('Children under twelve');
    expect((await onlyChat(w, w.own)).conversation).toHaveLength(2);
  });

  test('where the chat cannot be loaded, the button says so, and works later', async () => {
    await using w = await ownPage();
    await w.launcher.waitFor();
    await w.page.context().setOffline(true);
    await w.launcher.click();
    await w.page.getByText('The chat could not be loaded. Please try again.').waitFor();
    expect(await w.launcher.getAttribute('aria-expanded')).toBe('false');
    await w.page.context().setOffline(false);
    await w.open();
    await w.answered();
  });

  test('a model that fails leaves the question, which can be asked again', async () => {
    await using w = await ownPage();
    w.model.chat = 503;
    await w.open();
    await w.ask();
    const retry = w.page.getByRole('button', { name: 'Try again' });
    await retry.waitFor({ timeout: 30_000 });
    await w.page.getByText('The assistant is not available right now.').waitFor();
    w.model.chat = 'It costs nine crowns [1].';
    await retry.click();
    await w.page.getByRole('button', { name: 'Not helpful' }).waitFor();
    expect((await onlyChat(w, w.own)).conversation).toHaveLength(2);
  });
});
