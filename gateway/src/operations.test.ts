import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import { openFiles } from './open-files.ts';
import { type World, world } from './testing/world.ts';

let w: World;
let ops: string;
beforeAll(async () => {
  const port = await freePort();
  ops = `http://127.0.0.1:${port}`;
  w = await world({}, { ops: { host: '127.0.0.1', port } });
});
afterAll(() => w.end());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await until(() => server.listening);
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('metrics are on the operations port, not on the public one', async () => {
  await w.get('/knowledge/00000000-0000-0000-0000-000000000000');
  const metrics = await fetch(`${ops}/metrics`);
  expect(await metrics.text()).toContain('parley_http_seconds_count{method="GET",route="/v1/knowledge/:id"');
  expect(metrics.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await w.call('GET', '/metrics', { key: undefined })).status).toBe(401);
  expect((await w.call('GET', '/metrics')).status).toBe(404);
  for (const path of ['/healthz', '/readyz']) expect((await fetch(ops + path)).status).toBe(200);
});

test('the public readiness gives no reason; the log does, once', async () => {
  const lines: object[] = [];
  const log = Object.assign(createLog('test', 'silent'), { warn: (line: object) => lines.push(line) });
  const reasons = ['mongodb: connect ECONNREFUSED 10.0.0.7:27017'];
  const files = openFiles({
    description: () => '{}',
    unready: async () => reasons,
    findChatbot: async () => undefined,
    findForm: async () => undefined,
    config: {},
    log,
  });
  const ready = files.find(({ path }) => path === '/readyz')!;
  expect(await ready.call({}, {})).toMatchObject({ status: 503, content: 'not ready\n' });
  await ready.call({}, {});
  expect(lines).toEqual([{ reasons: reasons[0] }]);
});
