import { expect, test } from '@jest/globals';
import { superlinear } from '@parley/runtime/testing';
import fc from 'fast-check';
import { createAnalyzer, questionAnalyzer } from './analyze.ts';
import { foldWord, normaliseText } from './normalise.ts';
import { LISTED_LANGUAGES } from './stop-words.ts';

test.each([
  [
    'case, punctuation and inflection',
    'Installing PACKAGES: (the installer, installs)!',
    ['instal', 'packag', 'instal', 'instal'],
  ],
  ['compatibility forms', 'ﬁle ＡＰＴ', ['file', 'apt']],
  ['stop words and the words of a question', "How do I get what's theirs?", ['get']],
  [
    'letters of every script, and digits; accents are folded',
    'Größe café Привет 2026',
    ['grosse', 'cafe', 'привет', '2026'],
  ],
  ['words where a script has no spaces', '返金方法と軟體手機', ['返金', '方法', 'と', '軟體', '手機']],
  ['words of both, where scripts are mixed', 'iPhone手机', ['iphon', '手机']],
  ['pairs in Korean', '환불은 PDF를', ['환불', '불은', 'pdf', '를']],
  ['encoded data', 'x'.repeat(65), []],
  ['nothing', ' \n', []],
])('%s', (_, text, terms) => {
  expect(createAnalyzer()(text)).toEqual(terms);
});

test.each([
  ['de', 'Wie installiere ich Pakete?', 'Ein Paket wird so installiert'],
  ['de', 'Was kostet das für größere Häuser?', 'Die Kosten großer Haeuser und eines Hauses'],
  ['fr', "Comment puis-je installer l'imprimante ?", "L'installation des imprimantes"],
  ['es', '¿Cómo puedo instalar las impresoras?', 'Instalacion de la impresora'],
  ['it', 'Come si installano i pacchetti?', 'Installazione: il pacchetto installato'],
  ['pt', 'Como posso instalar as impressoras?', 'Para instalar a impressora'],
  ['nl', 'Hoe kan ik de printers installeren?', 'Een printer kunt u zo installeren'],
  ['ru', 'Как установить пакеты?', 'Установить можно любой пакет'],
  ['fa', 'چگونه کتاب‌های خود را بخوانم؟', 'خود کتاب را بخوانم'],
  ['fa', 'كتابهاى من', 'کتاب'],
  ['ar', 'كيف أقرأ الكِتَاب؟', 'أقرأ كتاب'],
  ['zh', '如何安装软件包？', '如何安装软件包'],
  ['ja', 'パッケージをインストールするには？', 'パッケージをインストールするには'],
])('%s: every word of "%s" is found in "%s"', (language, question, text) => {
  const terms = new Set(createAnalyzer()(text, language));
  const words = questionAnalyzer(question, [language])(question);
  expect(words.length).toBeGreaterThan(0);
  for (const word of words) expect(terms).toContain(word[0]);
});

test('in the same language, the words of a question are exactly the terms of the same text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.lorem(),
    fc.constantFrom(
      'Die Größe der Häuser',
      'می‌خواهم كتاب',
      'İstanbul’da ne var',
      'Ёлка и пакеты',
      '中文和 English 混合',
    ),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom(...LISTED_LANGUAGES), (text, language) => {
      const words = questionAnalyzer(text, [language])(text).map(([term]) => term);
      expect(new Set(words)).toEqual(new Set(createAnalyzer()(text, language)));
    }),
    { numRuns: 500 },
  );
});

test('normalising a text and folding a word are idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = normaliseText(text);
      expect(normaliseText(once)).toBe(once);
      expect(foldWord(foldWord(once))).toBe(foldWord(once));
    }),
    { numRuns: 2000 },
  );
});

test('a question over texts of two languages has the terms of both, and loses the stop words of its own alone', () => {
  const question = 'Was kostet die Installation?';
  const words = questionAnalyzer(question, ['en', 'de'])(question);
  expect(words).toEqual([
    ['kostet', 'kos'],
    ['instal', 'installatio'],
  ]);
});

test('the particles of a Korean word do not hide it', () => {
  const terms = createAnalyzer()('환불을 받으려면 영수증이 필요합니다', 'ko');
  expect(terms).toEqual(expect.arrayContaining(questionAnalyzer('환불', ['ko'])('환불').flat()));
});

test.each(['a', 'y', 'ß', '水', '환', 'می', 'م', '9', ' ', '(', '_', 'ación', "l'", '\u0301', 'ー'])(
  'the time for 20,000 characters of "%s" is in proportion to its length',
  async (part) => {
    const analyze = createAnalyzer();
    expect(await superlinear((text) => analyze(text, 'es'), [part])).toBeUndefined();
  },
);
