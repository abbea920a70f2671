import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import fc from 'fast-check';
import { parseObject } from '../../http/json.ts';
import { validate } from '../../http/validate.ts';
import { type World, world } from '../../testing/world.ts';
import { updateTicket } from './routes.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const UNKNOWN = randomId();

/** A new form of an account, and a ticket of ours in it. */
async function ticket(key = w.account.key) {
  const { id: assistantId } = (await w.post('/ticket-forms', { title: 'Help' }, { key })).body.data;
  const id = w.conversations.state.open({ account: w.account.id, kind: ThreadKind.TICKET, assistantId });
  return `/ticket-form/${assistantId}/tickets/${id}`;
}

describe('persona_id', () => {
  const persona = async (key: string, more: object = {}): Promise<string> =>
    (await w.post('/personas', { name: 'Nurse Joy', ...more }, { key })).body.data.id;

  test('makes the reply come from that persona', async () => {
    const image_url = 'https://img.example/joy.png';
    const id = await persona(w.account.key, { image_url });
    const path = await ticket();
    expect((await w.post(`${path}/reply`, { message: 'Hi.', persona_id: id.toUpperCase() })).status).toBe(200);
    expect(w.conversations.state.lastPersona).toMatchObject({ id, name: 'Nurse Joy', imageUrl: image_url });
    expect((await w.post(`${path}/reply`, { message: 'Hi.', persona_id: null })).status).toBe(200);
    expect(w.conversations.state.lastPersona).toBeUndefined();
  });

  test('unknown, malformed, deleted or of another account is 400, before anything about the ticket', async () => {
    const path = await ticket();
    const elsewhere = await ticket(w.other.key);
    const deleted = await persona(w.account.key);
    await w.delete(`/persona/${deleted}`);
    for (const persona_id of [UNKNOWN, 'joy', '', 7, [UNKNOWN], deleted, await persona(w.other.key)])
      for (const at of [path, `${path.slice(0, -36)}${UNKNOWN}`, elsewhere])
        expect(await w.post(`${at}/reply`, { message: 'Hi.', persona_id })).toMatchObject({
          status: 400,
          body: { message: expect.stringMatching(/^persona_id (must be|is not) a/) },
        });
    expect((await w.get(path)).body.data.conversation).toHaveLength(1);
  });
});

test('a reply whose answer was lost can be repeated after its persona was deleted; no other reply can use that', async () => {
  const persona_id = (await w.post('/personas', { name: 'Nurse Joy' })).body.data.id;
  const [path, elsewhere] = [await ticket(), await ticket(w.other.key)];
  const reply = (at: string, idempotencyKey: string) =>
    w.post(`${at}/reply`, { message: 'Hi.', persona_id }, { headers: { 'idempotency-key': idempotencyKey } });
  const said = async () => (await w.get(path)).body.data.conversation.length;
  w.conversations.state.losesAnswers = true;
  expect((await reply(path, 'lost')).status).toBe(503);
  w.conversations.state.losesAnswers = false;
  await w.delete(`/persona/${persona_id}`);
  expect(await reply(path, 'lost')).toMatchObject({ status: 200, body: { success: true } });
  expect(await said()).toBe(2);
  for (const [at, key] of [
    [path, 'new'],
    [elsewhere, 'lost'],
  ] as const)
    expect(await reply(at, key)).toMatchObject({ status: key === 'new' ? 400 : 409 });
  expect(await reply(elsewhere, 'newer')).toMatchObject({ status: 400 });
  expect(await said()).toBe(2);
});

test('an update has no other field than these two, whatever it is called', () => {
  const known = ['status', 'priority', '__proto__'];
  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)),
  );
  const value = fc.jsonValue();
  const parsed = (json: object) => validate(updateTicket.body!, parseObject(Buffer.from(JSON.stringify(json))));
  fc.assert(
    fc.property(name, value, (name, value) => {
      fc.pre(!known.includes(name) && name.isWellFormed() && !name.includes('\0'));
      expect(() => parsed({ status: 'open', [name]: value })).toThrow(
        `The body must not have the field ${name}.`.slice(0, 120),
      );
    }),
  );
  expect(() => parsed({ status: 'open', [`x${'y'.repeat(500)}`]: 1 })).toThrow(`x${'y'.repeat(99)}….`);
});
