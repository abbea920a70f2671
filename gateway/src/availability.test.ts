import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { gate } from './testing/gate.ts';
import { world } from './testing/world.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

test('an unavailable service gives 503 on its own routes only, and leaves the gateway ready', async () => {
  const w = await world();
  await w.stopService('knowledge');
  const away = await w.get('/knowledge');
  expect(away).toMatchObject({ status: 503, body: { success: false, message: expect.any(String) } });
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await w.get('/chatbots')).status).toBe(200);
  expect((await w.get('/me')).status).toBe(200);
  expect((await w.call('GET', '/readyz', { key: undefined })).status).toBe(200);
  await w.stopService('auth');
  expect((await w.get('/me', { key: 'parley_unseen' })).status).toBe(503);
  await w.end();
});

test('a service that does not answer in time gives 503', async () => {
  const w = await world({ requestMs: 300 });
  w.knowledge.state.beforeCreate = () => new Promise(() => {});
  expect((await w.post('/knowledge/faq', { title: 'T' })).status).toBe(503);
  await w.end();
});

test("without the gateway's own database only requests with an Idempotency-Key are refused", async () => {
  const nobody = createServer().listen(0, '127.0.0.1');
  await until(() => nobody.listening);
  const { port } = nobody.address() as { port: number };
  await new Promise((resolve) => nobody.close(resolve));
  const uri = `mongodb://127.0.0.1:${port}/?serverSelectionTimeoutMS=200`;
  const w = await world({}, { mongodb: { uri, database: 'away' } });
  expect((await w.post('/knowledge/faq', { title: 'T' })).status).toBe(200);
  const refused = await w.post('/knowledge/faq', { title: 'T' }, { headers: { 'idempotency-key': 'k' } });
  expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('Idempotency-Key') } });
  expect((await w.call('GET', '/readyz', { key: undefined })).status).toBe(200);
  await w.end();
});

test('a client that hangs up ends the call on its behalf', async () => {
  const w = await world();
  const held = gate();
  w.assistants.state.beforeReply = held.pass;
  const { id } = (await w.post('/chatbots', { title: 'Bot' })).body.data;
  const client = new AbortController();
  const reply = w.post(`/chatbot/${id}/reply`, { message: 'Hello?' }, { signal: client.signal });
  await held.entered;
  client.abort();
  await expect(reply).rejects.toThrow();
  await until(() => w.assistants.state.aborted === 1);
  held.open();
  await w.end();
});

test('a gateway that is about to stop keeps serving, and asks its clients to close their connections', async () => {
  const w = await world({}, { lingerMs: 500 });
  expect((await w.get('/me')).headers.get('connection')).toBe('keep-alive');
  const stopped = w.gateway.stop();
  const last = await w.get('/me');
  expect({ status: last.status, connection: last.headers.get('connection') }).toEqual({
    status: 200,
    connection: 'close',
  });
  await stopped;
  await w.end();
});

test('stopping finishes the requests in flight and accepts no new ones', async () => {
  const w = await world();
  const held = gate();
  w.knowledge.state.beforeCreate = held.pass;
  const running = w.post('/knowledge/faq', { title: 'T' });
  await held.entered;
  const stopped = w.gateway.stop();
  await until(() =>
    w.get(`/knowledge/${NIL}`).then(
      () => false,
      () => true,
    ),
  );
  held.open();
  expect((await running).status).toBe(200);
  await stopped;
  await w.end();
});
