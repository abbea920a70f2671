import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { gate } from '@parley/runtime/testing';
import { must } from '../e2e/api.ts';
import type { Chat, Page } from '../e2e/resources.ts';
import type { Stops } from '../e2e/world.ts';
import { startGateway } from '../faults/gateway-process.ts';
import { findings } from './axe.ts';
import { inBrowser, openShop, openTab } from './shared.ts';
import { chat, hostPage, type Shop } from './shop.ts';

const stops: Stops = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** An address in front of a gateway that can change. */
async function movableAddress(target: string) {
  const sockets = new Set<Socket>();
  const address = { url: '', target };
  const server = createServer((client) => {
    const { hostname, port } = new URL(address.target);
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).once('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  address.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return address;
}

/** The only chat of a chatbot, as its owner reads it. */
async function onlyChat({ a }: Shop, chatbot: { id: string }): Promise<Chat> {
  const { items } = must(await a.api.get<Page<Chat>>(`/chatbot/${chatbot.id}/chats`));
  expect(items).toHaveLength(1);
  return must(await a.api.get<Chat>(`/chatbot/${chatbot.id}/chats/${items[0]!.id}`));
}

inBrowser('the chat when something fails', () => {
  /** A page with a chatbot of its own. */
  async function ownPage(gateway?: string) {
    const shop = await openShop();
    const own = await shop.another();
    const snippet = shop.snippet(own);
    const path = `/faults-${own.public_id}`;
    shop.pages.pages[path] = hostPage(gateway ? snippet.replace(shop.gateway, gateway) : snippet);
    const tab = await openTab(new URL(path, shop.pages.url).href);
    return { ...shop, own, ...tab, ...chat(tab.page), [Symbol.asyncDispose]: tab[Symbol.asyncDispose] };
  }

  test('a gateway that is killed in the middle of an answer: another one finishes it, as one call of the model and one turn', async () => {
    const shop = await openShop();
    const doomed = await startGateway(shop, stops);
    const address = await movableAddress(new URL('/', doomed.baseUrl).href);
    await using w = await ownPage(address.url);
    const second = gate();
    w.model.beforePart = (part) => (part === 1 ? second.opened : undefined);
    await w.open();
    const asked = w.model.prompts.length;
    await w.ask();
    await w.answers.getByText('It costs nine crowns').waitFor();
    await doomed.kill();
    // The request is repeated by itself, but nobody listens.
    await w.page.getByText('The connection was interrupted.').waitFor();
    // What was there stays to be read.
    expect(await w.answers.textContent()).toContain('nine crowns');
    address.target = w.gateway;
    second.open();
    await w.page.getByRole('button', { name: 'Try again' }).click();
    await w.page.getByRole('button', { name: 'Not helpful' }).waitFor({ timeout: 30_000 });
    expect(await w.answers.textContent()).toBe('It costs nine crowns 1. Children under twelve pay nothing 1.');
    expect(await w.log.locator('p').allTextContents()).toEqual([
      'It costs nine crowns.',
      'Children under twelve pay nothing.',
    ]);
    expect((await onlyChat(w, w.own)).conversation).toHaveLength(2);
    expect(w.model.prompts.length).toBe(asked + 1);
  });

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
