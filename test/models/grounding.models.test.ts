import { afterAll, expect, jest, test } from '@jest/globals';
import { site } from '../e2e/site.ts';
import { served, textOf } from './fennel-site.ts';
import { oneAddress, written } from './one-address.ts';
import { ANSWERABLE, UNANSWERABLE } from './questions.ts';
import { startChatServer } from './servers.ts';
import { type Asked, startSystem } from './system.ts';
import { createTranscript, type Entry } from './transcript.ts';

/** Seconds an answer on an idle machine, minutes on a busy one. */
jest.setTimeout(2 * 3_600_000);

const chat = await startChatServer();
const models = await oneAddress({ chat, embeddings: chat });
const manual = await site(served);
const system = await startSystem({
  OPENAI_BASE_URL: models.baseUrl,
  OPENAI_MODEL: chat.model,
  // What evidence is, is known on the scale of this model.
  EMBEDDINGS: 'local',
});
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await manual[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  await chat.stop();
});
const website = await system.account.website(manual.url);
await system.train(website);
const chatbot = await system.account.chatbot(website);

const transcript = await createTranscript();
process.stderr.write(`The transcript grows in ${transcript.file}\n`);

test('a small model answers what the pages say, cites the page that says it, and makes little up', async () => {
  await transcript.line(`# ${chat.model} on ${ANSWERABLE.length} answerable questions`);
  const answerable: Entry[] = [];
  for (const { question, says, path } of ANSWERABLE) {
    const isRight = ({ message, sources }: Asked) =>
      says.every((words) => words.test(answerOf(message))) && sources.some(({ url }) => pathOf(url) === path);
    answerable.push(await entry(question, isRight));
  }
  await transcript.line(`# ...and on ${UNANSWERABLE.length} that the pages do not answer`);
  const unanswerable: Entry[] = [];
  for (const question of UNANSWERABLE) unanswerable.push(await entry(question, () => false));

  const counts = {
    right: answerable.filter(({ verdict }) => verdict === 'right').length,
    refusedFalsely: answerable.filter(({ verdict }) => verdict === 'refused').length,
    refusedRightly: unanswerable.filter(({ verdict }) => verdict === 'refused').length,
    unfounded: [...answerable, ...unanswerable].flatMap(({ unfounded }) => unfounded).length,
  };
  await transcript.line(JSON.stringify(counts));
  expect(counts.unfounded).toBe(0);
  expect(counts.right).toBeGreaterThanOrEqual(14);
  expect(counts.refusedRightly).toBeGreaterThanOrEqual(4);
});

async function entry(question: string, isRight: (asked: Asked) => boolean): Promise<Entry> {
  models.exchanges.length = 0;
  const began = performance.now();
  const asked = await system.ask(chatbot, question);
  const seconds = (performance.now() - began) / 1000;
  if (asked.status !== 200) throw new Error(`${question} ${asked.status} ${asked.message}`);
  const quotes = lastQuotes();
  const cited = asked.sources.map(({ url }) => pathOf(url));
  const verdict = cited.length === 0 ? 'refused' : isRight(asked) ? 'right' : 'wrong';
  const unfounded = cited.filter((path) => !quotes.some((quote) => holds(textOf(path), quote)));
  const made = { question, verdict, answer: answerOf(asked.message), cited, quotes, unfounded, seconds } as const;
  await transcript.entry(made);
  return made;
}

const pathOf = (url: string | null): string => new URL(url ?? '', manual.url).pathname;
const answerOf = (message: string): string => message.split('\n\nSources:\n')[0]!;

/** What the model itself quoted when it was last asked, read off the wire; nothing where it was not asked. */
function lastQuotes(): string[] {
  const last = models.exchanges.findLast(({ path, status }) => path === '/v1/chat/completions' && status === 200);
  const text = last ? written(last) : '{}';
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)).quotes ?? [];
}

/** Whatever became of case, spaces and punctuation. */
const holds = (text: string, quote: string): boolean => bare(quote) !== '' && bare(text).includes(bare(quote));
const bare = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
