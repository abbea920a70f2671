import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newSecret, signedHeaders } from './signature.ts';

const message = (body = '{"type":"chat.begun"}') => ({
  ...{ id: '3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34', body },
  timestamp: Math.floor(Date.now() / 1_000),
});

test('the library of Standard Webhooks verifies what is signed, with either secret of a rotation', () => {
  const [current, previous, other] = [newSecret(), newSecret(), newSecret()];
  const signed = message('{"text":"Grüße 🦜"}');
  const headers = signedHeaders(signed, [current, previous]);
  for (const secret of [current, previous])
    expect(new Webhook(secret).verify(signed.body, headers)).toEqual({ text: 'Grüße 🦜' });
  expect(() => new Webhook(other).verify(signed.body, headers)).toThrow();
});

test('a changed body, id or time is refused, and so is an old message', () => {
  const secret = newSecret();
  const signed = message();
  const headers = signedHeaders(signed, [secret]);
  const webhook = new Webhook(secret);
  expect(() => webhook.verify('{"type":"chat.ended"}', headers)).toThrow();
  for (const [name, value] of [
    ['webhook-id', 'another'],
    ['webhook-timestamp', String(signed.timestamp + 1)],
  ])
    expect(() => webhook.verify(signed.body, { ...headers, [name!]: value! })).toThrow();
  const old = { ...signed, timestamp: signed.timestamp - 3_600 };
  expect(() => webhook.verify(old.body, signedHeaders(old, [secret]))).toThrow(/too old/);
});
