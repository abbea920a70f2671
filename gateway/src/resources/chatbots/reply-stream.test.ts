import { create } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import { StreamReplyResponseSchema } from '@parley/proto/assistants/v1/assistants_service_pb';
import { eventsOf, eventsOfWhole } from './reply-stream.ts';

const whole = (message: string, titles: string[]) => ({
  id: 'a',
  session_id: 'b',
  message,
  sources: titles.map((title, i) => ({ n: i + 1, title, url: null })),
  confidence: null,
});

test.each([
  ['the list of its sources', 'Yes. [1][2]\n\nSources:\n[1] A\n[2] B', ['A', 'B'], 'Yes. [1][2]'],
  ['a list with a heading in another language', 'Ja. [1]\n\nQuellen:\n[1] A - https://a.example/', ['A'], 'Ja. [1]'],
  ['nothing without sources', 'I do not know.\n\n[1] A', [], 'I do not know.\n\n[1] A'],
  ['nothing if it has no list', 'Yes. [1]', ['A'], 'Yes. [1]'],
  ['only the list, not a list of the answer', '1:\n\n[1] A\n\nSources:\n[1] A', ['A'], '1:\n\n[1] A'],
])('the text of a complete reply is its message without %s', (_, message, titles, text) => {
  const events = eventsOfWhole(whole(message, titles));
  expect(events.at(-1)).toEqual({ event: 'token', data: { text } });
  expect(events.map(({ event }) => event)).toEqual(titles.length > 0 ? ['sources', 'token'] : ['token']);
});

test('a stream that ends without its last message is a failure', async () => {
  async function* cutShort() {
    yield create(StreamReplyResponseSchema, { event: { case: 'text', value: 'Yes' } });
  }
  const events = eventsOf(cutShort());
  expect(await events.next()).toEqual({ done: false, value: { event: 'token', data: { text: 'Yes' } } });
  await expect(events.next()).rejects.toThrow('without the reply');
});
