import { expect, test } from '@jest/globals';
import { conversationsOf } from './conversations.ts';
import { question } from './testing/results.ts';

const turns = ['first', 'second', 'third'].map((ask, i, all) => question({ ask, before: all.slice(0, i) }));

test('the turns of a conversation are asked together, other questions alone', () => {
  const [alone, other] = [question({ ask: 'alone' }), question({ ask: 'other' })];
  expect(conversationsOf([alone, ...turns, other])).toEqual([[alone], turns, [other]]);
});

test('a turn whose earlier ones are not wanted stands alone', () => {
  expect(conversationsOf([turns[2]!])).toEqual([[turns[2]]]);
  expect(conversationsOf([turns[0]!, turns[2]!])).toEqual([[turns[0], turns[2]]]);
});
