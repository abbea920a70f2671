import { expect, test } from '@jest/globals';
import type { KafkaMessage } from 'kafkajs';
import { toKafka, toReceived } from './message.ts';

const fetched = (over: Partial<KafkaMessage>): KafkaMessage => ({
  key: Buffer.from('k'),
  value: Buffer.from('v'),
  headers: {},
  timestamp: '0',
  attributes: 0,
  offset: '7',
  ...(over as object),
});

test('a message comes back without its id among the headers', () => {
  const { headers } = toKafka({ key: 'k', id: 'i', value: Buffer.from('v'), headers: { a: 'b' } });
  const received = toReceived(fetched({ headers }), 2);
  expect(received).toEqual({ key: 'k', id: 'i', value: Buffer.from('v'), headers: { a: 'b' }, attempt: 2 });
});

test('a header that is named like a property of every object comes back unchanged', () => {
  // As kafkajs represents it.
  const headers = { constructor: [Object, Buffer.from('it')] as never };
  expect(toReceived(fetched({ headers }), 1).headers).toEqual({ constructor: 'it' });
});

test('a message of another program, without key, value or id, is still received', () => {
  const received = toReceived(fetched({ key: null, value: null }), 1);
  expect(received).toEqual({ key: '', id: '7', value: Buffer.alloc(0), headers: {}, attempt: 1 });
});
