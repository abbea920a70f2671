import { readdir, readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { endsWithColon } from '../bench/answers/score.ts';
import { DISTRIBUTION_PAGES } from './distribution-pages.ts';
import { shared } from './shared-embeddings.ts';
import { site } from './site.ts';

const HANDBOOK = new URL('../../deploy/embedded/demo-site/', import.meta.url);
const files = (await readdir(HANDBOOK)).filter((name) => name.endsWith('.html'));
const read = async (name: string) => [`/${name}`, await readFile(new URL(name, HANDBOOK), 'utf8')] as const;
const handbookPages = Object.fromEntries(await Promise.all(files.map(read)));
const handbookSite = await site({ ...handbookPages, '/': handbookPages['/index.html']! });
const distributionSite = await site(DISTRIBUTION_PAGES);

const { a, handbook, distribution } = await shared(async ({ a }) => {
  const trained = async (url: string) => {
    const website = await a.website(url);
    expect(await a.train(website)).toMatchObject({ training_failed_with: null });
    return a.chatbot(website);
  };
  return { handbook: await trained(handbookSite.url), distribution: await trained(distributionSite.url) };
});
afterAll(async () => {
  await handbookSite[Symbol.asyncDispose]();
  await distributionSite[Symbol.asyncDispose]();
});

/** The answer to the last question of a conversation. Whatever is asked, nothing may end with a colon. */
async function answer(chatbot: { id: string }, ...questions: string[]) {
  let reply = await a.ask(chatbot, questions[0]!);
  for (const question of questions.slice(1)) reply = await a.ask(chatbot, question, reply.session_id);
  expect(endsWithColon(reply.message)).toBe(false);
  return { message: reply.message, pages: reply.sources.map(({ url }) => new URL(url!).pathname) };
}

test('a command comes with the sentence that announces it', async () => {
  const { message, pages } = await answer(distribution, 'How do I find out which package a file belongs to?');
  expect(message).toContain('dpkg --search foo');
  expect(pages).toContain('/tools.html');
});

test('a passage that says what a term means is cited before one that shares a word with it', async () => {
  const { message, pages } = await answer(distribution, 'What is the Debian Social Contract?');
  expect(message).toMatch(/entirely free software|problems are not hidden/);
  expect(['/basics.html', '/helping.html']).toContain(pages[0]);
  expect(message.split('\n')[0]).not.toContain('trusted organizations');
});

test('where another section may be the one that answers, it is linked', async () => {
  const { message, pages } = await answer(distribution, 'What are the names of Debian releases taken from?');
  expect(message).toMatch(/Toy Story|\nSee also:\n(- .*\n)*- .*archives\.html#names/);
  expect(pages).toContain('/archives.html');
});

test('a number with another unit, and words of the question elsewhere, are no sure answer', async () => {
  const { message } = await answer(distribution, 'Can I run Debian on my old PC with 64 MB of memory?');
  expect(message).toMatch(/^I('m not sure| could not find)/);
});

test('a sentence answers a question although its page is about other things', async () => {
  const { message } = await answer(handbook, 'How do I start over from nothing?');
  expect(message).toMatch(/remove that directory|\nSee also:\n(- .*\n)*- .*Moving the data folder/);
});

test('a question without its subject is about that of the question before', async () => {
  const { message } = await answer(distribution, 'What is Debian GNU/Linux?', 'and how much does it cost?');
  expect(message).toMatch(/costs nothing|to pay/);
});
