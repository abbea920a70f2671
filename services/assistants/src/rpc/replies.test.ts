import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { AssistantKind, type StreamReplyResponse } from '@parley/proto/assistants/v1/assistants_service_pb';
import { Confidence } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { gate, until } from '@parley/runtime/testing';
import type { AnswerSink } from '../answerer/answerer.ts';
import { type CitedAnswer, createCitations } from '../domain/cite.ts';
import { assistants, call, knowledge, model, QUESTION, shop, threadDocs, transcript } from '../testing/assistants.ts';
import { OPENING_HOURS } from '../testing/knowledge.ts';

type Place = Awaited<ReturnType<typeof shop>>;

function stream({ account, chatbot }: Place, operation = randomId(), signal?: AbortSignal) {
  const { contextValues, timeoutMs } = call({ account, operation }).onward();
  const request = { kind: AssistantKind.CHATBOT, assistantId: chatbot.id, sessionId: '', message: QUESTION };
  return assistants.streamReply(
    { reply: request },
    { contextValues: contextValues!, timeoutMs: timeoutMs!, ...(signal && { signal }) },
  );
}

async function eventsOf(responses: AsyncIterable<StreamReplyResponse>) {
  const events: StreamReplyResponse['event'][] = [];
  for await (const { event } of responses) events.push(event);
  return events;
}

const kinds = (events: StreamReplyResponse['event'][]) => events.map((event) => event.case);
const textOf = (events: StreamReplyResponse['event'][]) =>
  events.map((event) => (event.case === 'text' ? event.value : '')).join('');

/** A model that says two sentences, the second one when it is let go. */
async function twoSentences(sink: AnswerSink | undefined, next: Promise<unknown>): Promise<CitedAnswer> {
  const citations = createCitations();
  const mark = citations.mark(OPENING_HOURS);
  sink?.sources(citations.sources());
  sink?.text(`At nine ${mark}.`);
  await next;
  sink?.text(` Closed on Sundays ${mark}.`);
  return citations.answer(`At nine ${mark}. Closed on Sundays ${mark}.`, 'high');
}

test('each part of an answer arrives while the rest is written, its source before it, and the whole reply at the end', async () => {
  const place = await shop();
  const isRead = gate();
  model.answer = (_question, _signal, sink) => twoSentences(sink, isRead.opened);
  const events: StreamReplyResponse['event'][] = [];
  for await (const { event } of stream(place)) {
    events.push(event);
    if (event.case === 'text') isRead.open();
  }
  expect(kinds(events)).toEqual(['sources', 'text', 'text', 'done']);
  const done = events.at(-1)!.value as { message: string; id: string; confidence: Confidence };
  expect(done).toMatchObject({ confidence: Confidence.HIGH, sources: [{ n: 1, title: OPENING_HOURS.title }] });
  expect(done.message).toBe(`${textOf(events)}\n\nSources:\n[1] Opening hours - ${OPENING_HOURS.url}`);
  expect((await transcript(place.account, place.chatbot.id, done.id))[1]).toBe(`assistant: ${done.message}`);
});

test('a quote, small talk and a refusal come as one text', async () => {
  const place = await shop();
  expect(kinds(await eventsOf(stream(place)))).toEqual(['sources', 'text', 'done']);
  knowledge.passages = [];
  const events = await eventsOf(stream(place)).finally(() => {
    knowledge.passages = [OPENING_HOURS];
  });
  expect(kinds(events)).toEqual(['text', 'done']);
  expect(textOf(events)).toMatch(/^I could not find/);
  expect(events.at(-1)!.value).toMatchObject({ confidence: Confidence.UNSPECIFIED });
});

test('a reply goes on when its reader hangs up; the same operation gets the whole of it, and the model is asked once', async () => {
  const place = await shop();
  const late = gate();
  let asked = 0;
  model.answer = (_question, _signal, sink) => {
    asked++;
    return twoSentences(sink, late.opened);
  };
  const [operation, disconnect] = [randomId(), new AbortController()];
  await expect(async () => {
    for await (const { event } of stream(place, operation, disconnect.signal))
      if (event.case === 'text') disconnect.abort();
  }).rejects.toMatchObject({ code: Code.Canceled });
  late.open();
  await until(async () => (await threadDocs.countDocuments({ account: place.account, 'last.by': 'ai' })) === 1);
  const events = await eventsOf(stream(place, operation));
  expect(kinds(events)).toEqual(['sources', 'text', 'done']);
  expect(textOf(events)).toBe('At nine [1]. Closed on Sundays [1].');
  expect(asked).toBe(1);
});

test('an answer that fails after its first part ends the stream with an error, and may be asked for again', async () => {
  const place = await shop();
  const operation = randomId();
  model.answer = (_question, _signal, sink) => twoSentences(sink, Promise.reject(new Error('secret detail')));
  const events: StreamReplyResponse['event'][] = [];
  await expect(async () => {
    for await (const { event } of stream(place, operation)) events.push(event);
  }).rejects.toMatchObject({ code: Code.Unavailable, rawMessage: expect.not.stringContaining('secret') });
  expect(kinds(events)).toEqual(['sources', 'text']);
  model.answer = (_question, _signal, sink) => twoSentences(sink, Promise.resolve());
  expect(kinds(await eventsOf(stream(place, operation)))).toEqual(['sources', 'text', 'text', 'done']);
});

test('a stream without a request is refused', async () => {
  const { account } = await shop();
  await expect(eventsOf(assistants.streamReply({}, call({ account }).onward()))).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});
