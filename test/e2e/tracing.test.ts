import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { startTracing } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import { must } from './api.ts';
import { type CollectedSpan, startCollector } from './collector.ts';
import { modelServer } from './model-server.ts';
import { system } from './system.ts';

const model = await modelServer();
const collector = await startCollector();
const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
Object.assign(process.env, tracing);
const endTracing = await startTracing(process.env);
for (const name of Object.keys(tracing)) delete process.env[name];
const variables = {
  ...tracing,
  ...model.variables,
};
const { a, stop } = await system({ embeddings: 'openai', variables });
afterAll(async () => {
  await stop();
  await endTracing?.();
  await collector[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** A client's own trace. */
function clientTrace() {
  const [trace, root] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { trace, root, headers: { traceparent: `00-${trace}-${root}-01` } };
}

/** The spans that lead from the root to each of this name, the root's child first; of those that all have arrived. */
function waysTo(name: string, spans: readonly CollectedSpan[], root: string): string[][] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  return spans
    .filter((span) => span.name === name)
    .flatMap((last) => {
      const way: string[] = [];
      let parent = '';
      for (let span: CollectedSpan | undefined = last; span; span = byId.get(parent)) {
        way.unshift(span.name);
        parent = span.parentSpanId ?? '';
      }
      return parent === root ? [way] : [];
    });
}

const wayTo = (...given: Parameters<typeof waysTo>): string[] | undefined => waysTo(...given)[0];

const collected = async (trace: string, last: string) =>
  until(
    async () => collector.spansOf(trace),
    (spans) => spans.some(({ name }) => name === last),
  );

test('one trace leads from an uploaded document to its published build and to those who hear of it, and one from a message to its checked answer', async () => {
  const uploading = clientTrace();
  const { headers } = uploading;
  const type = { file_type: 'text/plain', file_name: 'visits.txt' };
  const made = must(await a.api.post<{ id: string; upload_url: string }>('/knowledge/document', type, headers));
  const body = 'A visit to the observatory costs nine crowns.\n';
  expect((await fetch(made.upload_url, { method: 'PUT', body, headers })).status).toBe(200);
  must(await a.api.post(`/knowledge/${made.id}/finalize`, undefined, headers));
  must(await a.api.request('PUT', `/knowledge/${made.id}/train`, { headers }));
  expect(await a.settled(made)).toMatchObject({ training_failed_with: null });
  const built = await collected(uploading.trace, 'outbox trainingCompleted');
  const request = 'PUT /v1/knowledge/:id/train';
  const call = 'parley.knowledge.v1.KnowledgeService/TrainKnowledgeItem';
  expect(wayTo('outbox trainingCompleted', built, uploading.root)).toEqual([
    ...[request, call, call, 'training', 'outbox trainingCompleted'],
  ]);
  expect(wayTo('embeddings', built, uploading.root)).toEqual([request, call, call, 'training', 'embeddings']);
  expect(wayTo('outbox trainingQueued', built, uploading.root)).toEqual([request, call, call, 'outbox trainingQueued']);
  const names = (spans: readonly CollectedSpan[]) => spans.map(({ name }) => name);
  expect(names(built)).toEqual(
    expect.arrayContaining(['POST /v1/knowledge/document', 'findAndModify knowledge_items']),
  );
  // Over the bus, to whoever hears of the build: over Kafka, where this runs on the stack.
  const heard = [request, call, call, 'training', 'outbox trainingCompleted', 'handle parley.knowledge'];
  await until(
    () => waysTo('handle parley.knowledge', collector.spansOf(uploading.trace), uploading.root),
    (ways) => ways.some((way) => isDeepStrictEqual(way, heard)),
  );

  const chatbot = await a.chatbot(made);
  model.chat = 'It costs nine crowns [1].';
  const asking = clientTrace();
  const message = 'How many crowns does a visit to the observatory cost?';
  const { message: answer } = must(
    await a.api.post<{ message: string }>(`/chatbot/${chatbot.id}/reply`, { message }, asking.headers),
  );
  expect(answer).toContain('nine crowns');
  const asked = 'POST /v1/chatbot/:id/reply';
  const answered = await collected(asking.trace, asked);
  const reply = 'parley.assistants.v1.AssistantsService/Reply';
  for (const step of ['model', 'check'])
    expect(wayTo(step, answered, asking.root)).toEqual([asked, reply, reply, step]);
  const search = 'parley.knowledge.v1.KnowledgeService/Search';
  expect(wayTo('embeddings', answered, asking.root)).toEqual([
    ...[asked, reply, reply, 'search', search, search, 'embeddings'],
  ]);
  expect(model.traces).toEqual(expect.arrayContaining([expect.stringContaining(asking.trace)]));

  const { account } = must(await a.api.get<{ account: { id: string } }>('/me'));
  for (const text of ['observatory', 'sk-of-this-test', a.key, account.id, made.id, 'visits.txt', 'signature='])
    expect(collector.received()).not.toContain(text);
});
