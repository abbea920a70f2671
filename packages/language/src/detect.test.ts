import { expect, test } from '@jest/globals';
import { cpuMs } from '@parley/runtime/testing';
import fc from 'fast-check';
import { languageOf, primaryTag } from './detect.ts';

test.each([
  ['en', 'How do I reset my password?'],
  ['de', 'Wie kann ich Pakete installieren?'],
  ['fr', 'Comment installer un paquet ?'],
  ['es', '¿Cómo instalo un paquete?'],
  ['it', 'Come si installa un pacchetto?'],
  ['pt', 'Como instalar um pacote?'],
  ['nl', 'Hoe installeer ik een pakket?'],
  ['sv', 'Hur installerar jag ett paket?'],
  ['pl', 'Jak zainstalować pakiet?'],
  ['cs', 'Jak nainstaluji balíček?'],
  ['tr', 'Paket nasıl kurulur?'],
  ['ru', 'Как установить пакет?'],
  ['uk', 'Як встановити пакет?'],
  ['fa', 'چگونه بسته نصب کنم؟'],
  ['ar', 'كيف أثبت الحزمة؟'],
  ['ur', 'پیکیج کیسے انسٹال کریں؟'],
  ['hi', 'मैं पैकेज कैसे स्थापित करूँ?'],
  ['zh', '如何安装软件包？'],
  ['ja', '返金方法は？'],
  ['ko', '환불은 어떻게 하나요?'],
  ['de', 'öffnungszeiten samstag'],
  ['fr', "horaires d'ouverture samedi"],
  ['es', 'a quien llamo si se estropea la calefaccion'],
  ['it', 'tempi di consegna'],
  ['pt', 'esqueci a minha senha'],
  ['nl', 'levertijd'],
  ['uk', 'забув пароль'],
  ['ja', '犬を連れて行けますか'],
  ['zh', '忘记密码'],
  ['th', 'เปิดกี่โมง'],
  ['he', 'מתי אתם פתוחים?'],
  ['el', 'Πώς εγκαθιστώ ένα πακέτο;'],
])('a question in %s: %s', (language, question) => {
  expect(languageOf(question)).toBe(language);
});

test.each(['', '42', 'git rebase', 'refund', '???', 'https://example.com/a?b=c'])(
  'the language of "%s" does not show: what its source declares decides',
  (text) => {
    expect(languageOf(text)).toBeUndefined();
    expect(languageOf(text, 'de-AT')).toBe('de');
  },
);

const GERMAN = 'Wenn Sie das Paket nicht mehr brauchen, können Sie es mit einem Befehl wieder entfernen. '.repeat(3);

test('a page in another script, or plainly in another language, than its template declares is what it is', () => {
  expect(languageOf('چگونه رمز عبور خود را تغییر دهم؟', 'en')).toBe('fa');
  expect(languageOf(GERMAN, 'en-US')).toBe('de');
});

test('a few foreign words do not outweigh what a page declares', () => {
  expect(languageOf('Wie geht das?', 'en')).toBe('en');
  expect(languageOf(`${'apt install foo bar baz qux '.repeat(20)} und the and`, 'fr')).toBe('fr');
});

test('a text in several languages is in the one of most of its parts, or else in what its page declares', () => {
  const french = 'Si vous n’avez plus besoin de ce paquet, vous pouvez le supprimer avec une commande. '.repeat(3);
  const spanish = 'Si ya no necesita el paquete, puede volver a quitarlo con una sola orden del sistema. '.repeat(3);
  expect(languageOf(GERMAN + french + GERMAN, 'en')).toBe('de');
  expect(languageOf(GERMAN + french + spanish, 'en')).toBe('en');
  expect(languageOf(GERMAN + french + spanish)).toBeUndefined();
});

test.each([
  ['de-AT', 'de'],
  ['EN_us', 'en'],
  [' pt-BR ', 'pt'],
  ['no', 'nb'],
  ['zh-Hant-TW', 'zh'],
  ['', undefined],
  ['english', undefined],
  ['<script>', undefined],
  [null, undefined],
])('the language of the tag %s is %s', (tag, language) => {
  expect(primaryTag(tag)).toBe(language);
});

test('any text has a language that can be stored, or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 20 }), (text, hint) => {
      expect(languageOf(text, hint) ?? 'xx').toMatch(/^[a-z]{2,3}$/);
    }),
  );
});

test('detection takes a bounded part of a long text into account', () => {
  const long = GERMAN.repeat(40_000);
  expect(cpuMs(() => expect(languageOf(long)).toBe('de'))).toBeLessThan(1_000);
});
