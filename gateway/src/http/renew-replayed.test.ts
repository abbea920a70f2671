import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type World, world } from '../testing/world.ts';
import { UPLOAD_ADDRESS_MS } from './upload-address.ts';

const { now } = Date;
let aheadMs = 0;
let w: World;
beforeAll(async () => {
  // The gateway takes its clock at start.
  Date.now = () => now() + aheadMs;
  w = await world();
});
afterAll(async () => {
  Date.now = now;
  await w.end();
});

const create = (key: string, body: object) =>
  w.post('/knowledge/document', body, { headers: { 'idempotency-key': key } });
const upload = (url: string) => w.call('PUT', url.slice(url.indexOf('/v1/')), { key: undefined, body: 'Prices' });

test('a document that is created again with its Idempotency-Key has an upload_url that has not expired', async () => {
  const first = await create('late', { file_type: 'text/plain' });
  aheadMs = UPLOAD_ADDRESS_MS + 1_000;
  expect((await upload(first.body.data.upload_url)).status).toBe(403);
  const again = await create('late', { file_type: 'text/plain' });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  const { upload_url } = again.body.data;
  expect(again.body).toEqual({ ...first.body, data: { ...first.body.data, upload_url } });
  expect((await upload(upload_url)).status).toBe(200);
});

test('a refusal is repeated as it was', async () => {
  const [first, again] = [await create('wrong', { file_type: 'x' }), await create('wrong', { file_type: 'x' })];
  expect(again).toMatchObject({ status: 400, body: first.body });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});
