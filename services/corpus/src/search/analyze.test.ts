import { expect, test } from '@jest/globals';
import { createAnalyzer } from './analyze.ts';

test.each([
  [
    'case, punctuation and inflection',
    'Installing PACKAGES: (the installer, installs)!',
    ['instal', 'packag', 'instal', 'instal'],
  ],
  ['compatibility forms', 'ﬁle ＡＰＴ', ['file', 'apt']],
  ['stop words and the words of a question', "How do I get what's theirs?", ['get']],
  ['letters of every script, accents and digits', 'Größe café Привет 2026', ['größe', 'café', 'привет', '2026']],
  ['pairs where a script has no spaces', '返金は可', ['返金', '金は', 'は可']],
  ['encoded data', 'x'.repeat(65), []],
  ['nothing', ' \n', []],
])('%s', (_, text, terms) => {
  expect(createAnalyzer()(text)).toEqual(terms);
});
