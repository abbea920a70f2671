import { expect, test } from '@jest/globals';
import { problemsOf } from './check.ts';
import type { Question } from './questions.ts';
import { question } from './testing/results.ts';

const table = '<table><tr><td>Standard</td><td>£4</td></tr><tr><td>Express</td><td>£9</td></tr></table>';
const pages = new Map([
  ['page.html', `<h2 id="a">First</h2><p>alpha <b>beta</b>, gamma</p>${table}<h2 id="b">Second</h2><p>delta</p>`],
]);

test.each<[string, Partial<Question>]>([
  ["page.html#a doesn't hold delta", { facts: [['alpha'], ['delta']] }],
  ["page.html#b doesn't hold alpha", { sections: ['page.html#a', 'page.html#b'] }],
  ['there is no page.html#c', { sections: ['page.html#c'] }],
  ['it has no facts or no section', { facts: [] }],
  ['it asks nothing', { ask: ' ' }],
  ['no page has "beta alpha"', { needs: ['beta alpha'] }],
])('a question that would measure nothing is found: %s', (problem, fields) => {
  expect(problemsOf({ pages, questions: [question(fields)] })).toEqual([`a/b/1: ${problem}`]);
});

test.each([['alpha beta, gamma'], ['Standard | £4'], ['Standard | £4 Express | £9'], ['delta']])(
  'what a reader needs may be text or rows: %s',
  (need) => {
    expect(problemsOf({ pages, questions: [question({ needs: [need] })] })).toEqual([]);
  },
);
