import { expect, test } from '@jest/globals';
import { FAQ_SOURCES, faqOf } from './faq-pages.ts';
import { outlineOf, problemsOf, readQuestions } from './questions.ts';
import { readPages } from './site.ts';
import { SOURCES } from './sources.ts';

test.each(SOURCES.map((source) => [source.name, source] as const))(
  'every fact of the questions about %s stands in its section of the real pages',
  async (name, source) => {
    const questions = await readQuestions(name);
    expect(questions.length).toBeGreaterThan(0);
    expect(problemsOf(questions, outlineOf(await readPages(source)))).toEqual([]);
  },
);

test('the real FAQs are read whole', async () => {
  const counts = FAQ_SOURCES.map(async (name) => {
    const pages = await readPages(SOURCES.find((source) => source.name === name)!);
    return [name, faqOf(name, pages).length];
  });
  expect(Object.fromEntries(await Promise.all(counts))).toEqual({ git: 20, sqlite: 27, fetchmail: 117, python: 175 });
});
