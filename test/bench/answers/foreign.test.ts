import { expect, test } from '@jest/globals';
import { foreignTo } from './foreign.ts';
import { ground, question } from './testing/results.ts';

const site = (name: string, fields: { owner: string; language?: string }) =>
  ground({ name, questions: [question({ ask: name }), question({ ask: 'When open?', anywhere: true })], ...fields });

test('questions about owners of another kind in the same language are foreign, unless anyone could answer them', () => {
  const shop = site('shop', { owner: 'shop' });
  const others = [
    site('clinic', { owner: 'clinic', language: 'en-GB' }),
    site('other shop', { owner: 'shop' }),
    site('praxis', { owner: 'clinic', language: 'de' }),
  ];
  const found = foreignTo(shop, [shop, ...others]);
  expect(found.map(({ ask, kind, sections, facts }) => ({ ask, kind, sections, facts }))).toEqual([
    { ask: 'clinic', kind: 'foreign', sections: [], facts: [] },
  ]);
});
