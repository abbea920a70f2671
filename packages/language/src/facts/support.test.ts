import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { factsOf } from './facts.ts';
import { areFactsIn, searchedText } from './support.ts';

interface Setting {
  question?: string;
  language?: string;
  pageLanguage?: string;
}

/** Returns whether what a sentence says stands on a page, which it cites. */
function isIn(
  sentence: string,
  page: string,
  { question = '', language = 'en', pageLanguage = language }: Setting = {},
) {
  return areFactsIn(factsOf(sentence, language, 'answer'), {
    cited: [factsOf(page, pageLanguage)],
    asked: [factsOf(question, language, 'message')],
    stated: [],
    today: factsOf('2024-05-03', undefined),
    text: searchedText([page, question]),
  });
}

test.each<[string, string, Setting?]>([
  ['1000 people', '1,000 people'],
  ['1.000 Leute', '1,000 people', { language: 'de', pageLanguage: 'en' }],
  ['1 000 personnes', '1000 people', { language: 'fr', pageLanguage: 'en' }],
  ["1'000 Leute", '1000 people'],
  ['1.5 million users', '1,500,000 users'],
  ['a hundred dollars', '$100'],
  ['4,90 Euro', '€4.90', { language: 'de', pageLanguage: 'en' }],
  ['5 EUR', '€5'],
  ['5 euros', '€5'],
  ['8.9 percent', '8.9%'],
  ['8,9 Prozent', '8.9%', { language: 'de', pageLanguage: 'en' }],
  ['8,9 %', '8.9 percent', { language: 'de', pageLanguage: 'en' }],
  ['3 days', 'within three days'],
  ['drei Tage', 'within 3 days', { language: 'de', pageLanguage: 'en' }],
  ['25 years', 'for twenty-five years'],
  ['three weeks', '21 days'],
  ['72 hours', '3 days'],
  ['75 minutes', '75 min'],
  ['1 hour 15 minutes', '75 minutes'],
  ['1.2 kg', '1,200 g'],
  ['۲۴ ساعت', '24 hours', { language: 'fa', pageLanguage: 'en' }],
  ['四十人', '40 people', { language: 'zh', pageLanguage: 'en' }],
  ['三天', '3 days', { language: 'zh', pageLanguage: 'en' }],
  ['9am', '9:00'],
  ['9.00 Uhr', 'at 9 a.m.', { language: 'de', pageLanguage: 'en' }],
  ['17:00', 'until 5 pm'],
  ['5 p.m.', '10-17'],
  ['18 h 30', 'jusqu’à 18:30', { language: 'fr' }],
  ['12:00', 'until noon'],
  ['8:15 pm', 'closes at 21:00; last entry 45 minutes before'],
  ['3 May 2024', 'am 03.05.2024', { pageLanguage: 'de' }],
  ['le 3 mai', 'on May 3rd', { language: 'fr', pageLanguage: 'en' }],
  ['2024-05-03', '3. Mai 2024', { pageLanguage: 'de' }],
  ['5月3日', '3 May', { language: 'zh', pageLanguage: 'en' }],
  ['from 1 June to 14 June', '1-14 June'],
  ['today, 3 May', 'nothing'],
  ['+49 30 1234567', '030 123 45 67'],
  ['(503) 555-0147', '+1 503 555 0147'],
  ['See shop.example/returns', 'https://www.shop.example/returns/'],
  ['Write to a.b@shop.example.', 'Mail: a.b@shop.example'],
  ['Run `git  push -f`', 'git push -f origin'],
  ['a CR-2032', 'battery: CR2032'],
  ['3½ hours', '3.5 hours'],
  ['请访问https://shop.example/returns页面', 'https://shop.example/returns', { language: 'zh', pageLanguage: 'en' }],
  ['写信至a.b@shop.example。', 'a.b@shop.example', { language: 'zh', pageLanguage: 'en' }],
  ['20 m²', '20 square metres'],
  ['100 litres', '100 liters'],
  ['seven days', 'nothing', { question: 'for a week' }],
  ["at 4 o'clock", 'be there 90 minutes before', { question: 'my flight leaves at 5:30 am' }],
  ['four days, from 8 July to 11 July', '8 to 11 July'],
  ['from 27 March to 13 April, more than two weeks', '27 March, 13 April'],
  ['five days come to €13.25', '€2.65 a day'],
  ['for three people €76', '€28 each, €8 off for three'],
])('"%s" stands in "%s"', (...row) => {
  expect(isIn(...row)).toBe(true);
});

test.each<[string, string, Setting?]>([
  ['45 days', '30 days'],
  ['100 litres', '100 ml'],
  ['five days, from 8 July to 11 July', '8 to 11 July'],
  ['five days', '€2.65 a day'],
  ['30 weeks', '30 days'],
  ['30%', '30 days'],
  ['€30', '30 days'],
  ['€30', '$30'],
  ['1,001 people', '1,000 people'],
  ['thirty days', '13 days'],
  ['at eight.', 'at nine'],
  ['10:00', '9:00'],
  ['4 May', '3 May'],
  ['3 June', '3 May'],
  ['3 May 2023', '3 May 2024'],
  ['030 1234576', '030 1234567'],
  ['https://shop.example/return', 'https://shop.example/returns'],
  ['https://shop.example', 'https://shop.example.evil.example'],
  ['info@shop.example', 'noinfo@shop.example'],
  ['`rm -r`', 'rm -rf'],
  ['/etc/hosts', '/etc/hosts.allow'],
  ['version 2.4.1', 'version 2.4.10'],
  ['CR2025', 'CR2032'],
  ['WPA3', 'WPA2'],
])('"%s" does not stand in "%s"', (...row) => {
  expect(isIn(...row)).toBe(false);
});

test.each<[string, string, string]>([
  ['12 people pay €1,320 a year', '€110 a month', 'We are 12 people'],
  ['For 3 nights that is CHF 495', 'CHF 165 per night', '3 nights?'],
  ['2 × €12 + 3 × €6 = €42', 'Adults €12, children €6', 'for 2 adults and 3 children'],
  ['You save €18 (€147 - €129)', 'Monthly €49, quarterly €129', '3 months'],
  ['20% of €420 is €84, so €336', '€420 a year, 20% off', ''],
  ['three times five makes 15 tickets', 'books of five', 'three books'],
  ['That is €118.80 a year', '€9.90 a month', ''],
])('"%s" follows from "%s"', (said, page, question) => {
  expect(isIn(said, page, { question })).toBe(true);
});

test('a wrong number hardly ever follows from those of a page', () => {
  const amount = fc.integer({ min: 2, max: 400 });
  const sites = fc.sample(fc.tuple(fc.array(amount, { minLength: 3, maxLength: 12 }), amount, amount), 1_000);
  const passed = sites.filter(([numbers, wrong, asked]) => {
    const page = numbers.map((number, i) => `Item ${'ABCDEFGHIJKL'[i]}: €${number}`).join('. ');
    return !numbers.includes(wrong) && wrong !== asked && isIn(`€${wrong}`, page, { question: `${asked} people?` });
  });
  expect(passed.length).toBeLessThan(100);
});

test('whatever a text is, its facts stand in it', () => {
  const piece = fc.constantFrom(
    ...[
      '1,000',
      '€5',
      ' ',
      ' days',
      'three',
      ' May',
      ' 2024',
      '9:30',
      ' pm',
      '`npm i`',
      'a@b.example',
      '.',
      '\n',
      '-',
      '0301234567',
      ' kg',
      '三天',
      '½',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join(' ');
      expect(isIn(text, text)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
