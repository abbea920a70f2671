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

test('what is asked in the language of another site is foreign there', () => {
  const asked = question({
    kind: 'otherLanguage',
    ask: '¿A qué hora tengo que pedir para que lo envíen el mismo día?',
  });
  const shop = ground({ questions: [asked] });
  const [campsite, hotel] = [ground({ owner: 'campsite', language: 'es' }), ground({ owner: 'hotel', language: 'fr' })];
  expect(foreignTo(campsite, [shop, campsite]).map(({ ask }) => ask)).toEqual([asked.ask]);
  expect(foreignTo(hotel, [shop, hotel])).toEqual([]);
});
