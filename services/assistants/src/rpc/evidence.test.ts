import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { Confidence, type EvidenceSchema, Outcome } from '@parley/proto/conversations/v1/conversations_service_pb';
import { PassageSchema } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Answerer } from '../answerer/answerer.ts';
import { createExtractiveAnswerer } from '../answerer/extractive.ts';
import { type CitedAnswer, cite, NO_EVIDENCE } from '../domain/cite.ts';
import { ask, conversations, knowledge, shop, startAssistants } from '../testing/assistants.ts';
import { OPENING_HOURS } from '../testing/knowledge.ts';
import { evidenceMessage } from './evidence-message.ts';

const hours = { ...OPENING_HOURS, knowledgeId: 'item 1', id: 'chunk 1' };
const parking = { ...hours, knowledgeId: 'item 2', id: 'chunk 2', title: 'Parking', url: '', score: 0.75 };
const weak = { ...hours, id: 'chunk 3', evidence: 0.01 };

const offered = [
  { knowledgeId: 'item 1', passageId: 'chunk 1', title: 'Opening hours', url: OPENING_HOURS.url, score: 1 },
  { knowledgeId: 'item 2', passageId: 'chunk 2', title: 'Parking', url: '', score: 0.75 },
];

type Sent = [rpc: 'answer' | 'fail', evidence: MessageInitShape<typeof EvidenceSchema> | undefined];

/** Asks a replica with this answerer, and returns the evidence that it gave to the conversations service. */
async function evidenceOf(
  answerer: Answerer,
  passages: (typeof hours)[],
): Promise<{ sent: Sent[]; asked: Promise<unknown> }> {
  const place = await shop();
  const sent: Sent[] = [];
  const recording: typeof conversations = {
    ...conversations,
    answerQuestion(request, options) {
      sent.push(['answer', request.evidence]);
      return conversations.answerQuestion(request, options);
    },
    failQuestion(request, options) {
      sent.push(['fail', request.evidence]);
      return conversations.failQuestion(request, options);
    },
    // The setup of this file closes the shared client.
    [Symbol.asyncDispose]: async () => {},
  };
  const replica = await startAssistants(answerer, {}, { conversations: recording });
  knowledge.passages = passages;
  const asked = ask(place, { replica });
  await asked.catch(() => {});
  knowledge.passages = [OPENING_HOURS];
  return { sent, asked };
}

const answering = (answer: Answerer['answer']): Answerer => ({ name: 'test/7', answer });

test('an answer is stored with its answerer, the passages offered and those that it cites', async () => {
  const { sent } = await evidenceOf(createExtractiveAnswerer(), [hours, weak, parking]);
  expect(sent).toEqual([
    [
      'answer',
      { outcome: Outcome.ANSWERED, answerer: 'extractive/4', offered, cited: [1], confidence: Confidence.HIGH },
    ],
  ]);
});

test('positions count what was offered, not the sources of the answer', async () => {
  const second = answering(async ({ passages }) => cite([{ text: 'Behind it.', passages: [passages[1]!] }]));
  const { sent } = await evidenceOf(second, [hours, parking]);
  expect(sent).toEqual([
    ['answer', { outcome: Outcome.ANSWERED, answerer: 'test/7', offered, cited: [2], confidence: Confidence.HIGH }],
  ]);
});

test('a refusal has no citations, whether or not there was anything to answer from', async () => {
  const refusing = answering(async () => NO_EVIDENCE);
  const refusal = { outcome: Outcome.NO_EVIDENCE, answerer: 'test/7', cited: [], confidence: Confidence.UNSPECIFIED };
  expect((await evidenceOf(refusing, [hours, parking])).sent).toEqual([['answer', { ...refusal, offered }]]);
  expect((await evidenceOf(refusing, [weak])).sent).toEqual([['answer', { ...refusal, offered: [] }]]);
});

test('a failure has what was offered, and nothing of the error', async () => {
  const failing = answering(async () => {
    throw new Error('secret detail');
  });
  const { sent, asked } = await evidenceOf(failing, [hours, parking]);
  await expect(asked).rejects.toMatchObject({ code: Code.Unavailable });
  expect(sent).toEqual([
    ['fail', { outcome: Outcome.FAILED, answerer: 'test/7', offered, cited: [], confidence: Confidence.UNSPECIFIED }],
  ]);
});

test('evidence is bounded: 50 passages, long titles are cut, what is no web address is left out', () => {
  const passage = (url: string) =>
    create(PassageSchema, { knowledgeId: 'k', id: 'c', title: 'x'.repeat(5_000), url, score: 1 });
  const passages = [
    passage(`https://long.example/${'a'.repeat(5_000)}`),
    passage('javascript:alert(1)'),
    ...Array.from({ length: 58 }, () => passage('https://short.example/')),
  ];
  const answer: CitedAnswer = { ...NO_EVIDENCE, cited: [passages[1]!, passages[59]!], confidence: 'high' };
  const evidence = evidenceMessage('😀'.repeat(300), passages, answer);
  expect(evidence.offered).toHaveLength(50);
  expect(evidence.offered!.map(({ url }) => url).slice(0, 3)).toEqual(['', '', 'https://short.example/']);
  expect(evidence.offered!.every(({ title }) => title!.length === 300)).toBe(true);
  expect(evidence.cited).toEqual([2]);
  expect(evidence.answerer).toBe('😀'.repeat(200));
});
