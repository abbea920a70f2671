import { afterAll, expect, jest, test } from '@jest/globals';
import { site } from '../e2e/site.ts';
import * as fennel from './fennel-site.ts';
import * as ferry from './ferry-site.ts';
import { oneAddress, written } from './one-address.ts';
import {
  ANSWERABLE,
  type Answerable,
  FOLLOW_UPS,
  TUNED_ANSWERABLE,
  TUNED_UNANSWERABLE,
  UNANSWERABLE,
} from './questions.ts';
import { startChatServer } from './servers.ts';
import { type Asked, startSystem } from './system.ts';
import { createTranscript, type Entry } from './transcript.ts';

/** An answer takes seconds on an idle machine, minutes on a busy one. */
jest.setTimeout(2 * 3_600_000);

interface Manual {
  served: Record<string, string>;
  textOf(path: string): string;
}

const chat = await startChatServer();
const models = await oneAddress({ chat, embeddings: chat });
// The thresholds for evidence are calibrated to this model.
const WITHOUT_MODEL = { EMBEDDINGS: 'local' };
const WITH_MODEL = { ...WITHOUT_MODEL, OPENAI_BASE_URL: models.baseUrl, OPENAI_MODEL: chat.model };
const system = await startSystem(WITHOUT_MODEL);
const sites: AsyncDisposable[] = [];
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  for (const one of sites) await one[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  await chat.stop();
});

const transcript = await createTranscript();
process.stderr.write(`Writing the transcript to ${transcript.file}\n`);

/** A chatbot that knows the pages of a manual. */
async function chatbotOf({ served, textOf }: Manual) {
  const pages = await site(served);
  sites.push(pages);
  const website = await system.account.website(pages.url);
  await system.train(website);
  const chatbot = await system.account.chatbot(website);
  const pathOf = (url: string | null) => new URL(url ?? '', pages.url).pathname;
  return { chatbot, pathOf, textOf };
}

type Bot = Awaited<ReturnType<typeof chatbotOf>>;

/** Asks the same questions without a model and with it. Each sees what was said before. */
async function compared(bot: Bot, answerable: readonly Answerable[], unanswerable: readonly string[]) {
  const ask = async () => {
    const right: Entry[] = [];
    for (const one of answerable) right.push(await entry(bot, one.question, isRight(bot, one)));
    const none: Entry[] = [];
    for (const question of unanswerable) none.push(await entry(bot, question, () => false));
    const counts = {
      right: right.filter(({ verdict }) => verdict === 'right').length,
      refusedFalsely: right.filter(({ verdict }) => verdict === 'refused').length,
      answeredFalsely: none.filter(({ verdict }) => verdict !== 'refused').length,
      unsupported: [...right, ...none].flatMap(({ unsupported }) => unsupported),
    };
    await transcript.line(JSON.stringify(counts));
    return counts;
  };
  await transcript.line('# Without a model');
  await system.restart(WITHOUT_MODEL);
  const extractive = await ask();
  await transcript.line(`# ${chat.model}`);
  await system.restart(WITH_MODEL);
  return { extractive, model: await ask() };
}

const isRight =
  ({ pathOf }: Bot, { says, path }: Answerable) =>
  ({ message, sources }: Asked) =>
    says.every((words) => words.test(answerOf(message))) && sources.some(({ url }) => pathOf(url) === path);

test('on questions that were not used to tune it, a small model says nothing without support, and less that is false', async () => {
  const { extractive, model } = await compared(await chatbotOf(ferry), ANSWERABLE, UNANSWERABLE);
  expect(model.unsupported).toEqual([]);
  expect(model.right).toBeGreaterThanOrEqual(extractive.right);
  expect(model.answeredFalsely).toBeLessThanOrEqual(Math.ceil(extractive.answeredFalsely / 2));
});

test('a follow-up is answered with what it refers to', async () => {
  const bot = await chatbotOf(ferry);
  await system.restart(WITH_MODEL);
  const answered: boolean[] = [];
  for (const followUp of FOLLOW_UPS) {
    const { session } = await system.ask(bot.chatbot, followUp.after);
    const { verdict } = await entry(bot, followUp.question, isRight(bot, followUp), session);
    answered.push(verdict === 'right');
  }
  expect(answered.filter(Boolean).length).toBeGreaterThanOrEqual(1);
});

test('on the questions that it was tuned on, a small model answers from the right page', async () => {
  const { extractive, model } = await compared(await chatbotOf(fennel), TUNED_ANSWERABLE, TUNED_UNANSWERABLE);
  expect(model.unsupported).toEqual([]);
  expect(model.right).toBeGreaterThanOrEqual(14);
  expect(model.answeredFalsely).toBeLessThanOrEqual(Math.ceil(extractive.answeredFalsely / 2));
});

async function entry(
  { chatbot, pathOf, textOf }: Bot,
  question: string,
  isRight: (asked: Asked) => boolean,
  session?: string,
): Promise<Entry> {
  models.exchanges.length = 0;
  const began = performance.now();
  const asked = await system.ask(chatbot, question, session);
  const seconds = (performance.now() - began) / 1000;
  if (asked.status !== 200) throw new Error(`${question} ${asked.status} ${asked.message}`);
  const cited = asked.sources.map(({ url }) => pathOf(url));
  const verdict = cited.length === 0 ? 'refused' : isRight(asked) ? 'right' : 'wrong';
  const answer = answerOf(asked.message);
  const unsupported = verdict === 'refused' ? [] : unsupportedIn(answer, [question, ...cited.map(textOf)].join('\n'));
  const wrote = models.exchanges.map(written);
  const made = { question, verdict, answer, cited, wrote, unsupported, seconds } as const;
  await transcript.entry(made);
  return made;
}

const answerOf = (message: string): string => message.split('\n\nSources:\n')[0]!.replace(/(?:\[\d+\])+/g, '');

/** The numbers, and the words beyond one in five, that are neither on the cited pages nor in the question. */
function unsupportedIn(answer: string, known: string): string[] {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const stems = new Set(words(known).map((word) => word.slice(0, 4)));
  const said = words(answer);
  const missing = said.filter((word) => !stems.has(word.slice(0, 4)));
  return missing.length > said.length / 5 ? missing : missing.filter((word) => /\d/.test(word));
}
