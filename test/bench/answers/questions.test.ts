import { expect, test } from '@jest/globals';
import { KINDS, type Kind, outlineOf, problemsOf, type Question, readQuestions } from './questions.ts';
import { SOURCES } from './sources.ts';

const all = await Promise.all(
  SOURCES.map(async (source) => ({ ...source, questions: await readQuestions(source.name) })),
);

test.each([
  ['en', { answerable: 120, two: 30, followUp: 30, near: 60, foreign: 20, talk: 10 }],
  ['de', { answerable: 30, two: 3, followUp: 5, near: 10, foreign: 5, talk: 2 }],
  ['ru', { answerable: 20, two: 3, followUp: 4, near: 6, foreign: 3, talk: 2 }],
] as [string, Record<Kind, number>][])(
  'there are enough questions of every kind to measure by: %s',
  (language, least) => {
    const questions = all.filter((source) => source.language === language).flatMap((source) => source.questions);
    for (const kind of KINDS)
      expect(questions.filter((question) => question.kind === kind).length).toBeGreaterThanOrEqual(least[kind]);
  },
);

test('no question is asked twice of a source', () => {
  for (const { questions } of all) {
    const asked = questions.map(({ before, ask }) => JSON.stringify([...before, ask]));
    expect(asked.filter((each, i) => asked.indexOf(each) !== i)).toEqual([]);
  }
});

const outline = outlineOf(
  new Map([['page.html', '<h2 id="a">First</h2><p>alpha beta</p><h2 id="b">Second</h2><p>gamma</p>']]),
);
const asked = (question: Partial<Question>): Question => ({
  ...{ id: 'a/b/1', source: 'a', kind: 'answerable', before: [], ask: 'How?' },
  ...{ sections: ['page.html#a'], facts: [['alpha']], ...question },
});

test.each<[string, Partial<Question>]>([
  ['no section holds gamma', { facts: [['alpha'], ['gamma']] }],
  ['there is no page.html#c', { sections: ['page.html#c'] }],
  ['it has no facts or no section', { facts: [] }],
  ['it follows nothing', { kind: 'followUp' }],
  ['it needs two sections', { kind: 'two' }],
  [
    'one section holds every fact',
    { kind: 'two', sections: ['page.html#a', 'page.html#b'], facts: [['alpha'], ['beta']] },
  ],
  ['it is not answered, so it has no section', { kind: 'near' }],
])('a question that would measure nothing is found: %s', (problem, question) => {
  expect(problemsOf([asked(question)], outline)).toEqual([`a/b/1: ${problem}`]);
});

test('a question whose facts stand where it says is sound', () => {
  const two = { kind: 'two', sections: ['page.html#a', 'page.html#b'], facts: [['beta'], ['gamma']] } as const;
  const fine = [asked({}), asked({ ...two, sections: [...two.sections], facts: two.facts.map((fact) => [...fact]) })];
  expect(problemsOf(fine, outline)).toEqual([]);
});
