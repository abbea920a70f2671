import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import Koa from 'koa';
import type { State } from '../http/state.ts';
import { type VisitorsOptions, visitors } from './visitors.ts';

test('a connection for a reply ends in time, however slowly the reply is written or read', async () => {
  const { stay } = visitors({
    limits: { replyMs: 100, bodyMs: 100 },
    visitorLimits: { reply: () => ({ [Symbol.dispose]() {} }) },
    addressOf: () => '203.0.113.1',
  } as unknown as VisitorsOptions);
  const app = new Koa<State>()
    .use((ctx, next) => {
      ctx.state.found = { route: { access: 'visitor', timeout: 'replyMs' } } as State['found'];
      return next();
    })
    .use(stay)
    .use(async ({ res }) => {
      res.write('event: token\n');
      await once(res, 'close');
    });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stream = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(stream.text()).rejects.toThrow();
  server.close();
});
