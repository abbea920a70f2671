import { expect, test } from '@jest/globals';
import { cpuMs } from '@parley/runtime/testing';
import fc from 'fast-check';
import { languageOf } from './language.ts';

test.each([
  ['How do I install git?', 'en'],
  ['Can I run Debian on my old PC with 64 MB of memory?', 'en'],
  ['Wie viel kostet das?', 'de'],
  ['Was mache ich, wenn das Paket kaputt ist', 'de'],
  ['Quels sont les horaires ?', 'fr'],
  ['Comment installer un paquet', 'fr'],
  ['¿Cuánto cuesta?', 'es'],
  ['donde puedo pagar', 'es'],
  ['Quanto custa o envio?', 'pt'],
  ['Quanto costa la spedizione?', 'it'],
  ['Hoe laat gaat de winkel open?', 'nl'],
  ['Hur mycket kostar frakten?', 'sv'],
  ['Ile kosztuje wysyłka?', 'pl'],
  ['Kargo ücreti ne kadar?', 'tr'],
  ['Сколько стоит доставка?', 'ru'],
  ['Скільки коштує доставка?', 'uk'],
  ['هزینه ارسال چقدر است؟', 'fa'],
  ['آيا مي‌توان آن را برگرداند', 'fa'],
  ['كم تكلفة الشحن؟', 'ar'],
  ['डिलीवरी में कितना खर्च आता है?', 'hi'],
  ['配送费多少钱？', 'zh'],
  ['送料はいくらですか', 'ja'],
  ['apt コマンドの使い方', 'ja'],
  ['배송비는 얼마예요?', 'ko'],
])('%j is in %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

test.each(['', '   ', '42', 'apt-get', 'Kubernetes 1.35?', 'refund policy', '🙂'])(
  '%j is in no language that shows',
  (text) => {
    expect(languageOf(text)).toBeUndefined();
  },
);

test('any text has a language or none, in bounded time', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void languageOf(text)));
  expect(cpuMs(() => languageOf('how the '.repeat(200_000)))).toBeLessThan(500);
});
