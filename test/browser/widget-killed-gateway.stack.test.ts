import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { gate } from '@parley/runtime/testing';
import type { Stops } from '../e2e/world.ts';
import { startGateway } from '../faults/gateway-process.ts';
import { onlyChat, ownPage } from './own-page.ts';
import { inBrowser, openShop } from './shared.ts';

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

inBrowser('the chat while a gateway dies', () => {
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
});
