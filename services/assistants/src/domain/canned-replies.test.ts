import { expect, test } from '@jest/globals';
import { languageOf } from '@parley/language';
import { cpuMs } from '@parley/runtime/testing';
import fc from 'fast-check';
import { answerSettings } from './answer-settings.ts';
import replies from './canned-replies.json' with { type: 'json' };
import { LANGUAGES, lowConfidence, noEvidence, seeAlso, talkAnswer, talkOf } from './canned-replies.ts';

test.each([
  ['Hello!', 'greeting', 'en'],
  ['hi there :)', 'greeting', 'en'],
  ['HEYYY!!', 'greeting', 'en'],
  ['Thank you so much.', 'thanks', 'en'],
  ['Guten Tag', 'greeting', 'de'],
  ['Dankeschoen'.replace('oe', 'ö'), 'thanks', 'de'],
  ['Bonjour !', 'greeting', 'fr'],
  ['Mérci', 'thanks', 'fr'],
  ['¡Buenos dias!', 'greeting', 'es'],
  ['Muchas gracias 🙏', 'thanks', 'es'],
  ['سلام', 'greeting', 'fa'],
  ['خيلي ممنون', 'thanks', 'fa'],
  ['你好！', 'greeting', 'zh'],
  ['谢谢', 'thanks', 'zh'],
])('%j is %s in %s', (message, kind, language) => {
  expect(talkOf(message)).toMatchObject({ kind });
  expect(talkOf(message)?.languages).toContain(language);
});

test.each([
  'Hello, how do I install git?',
  'Thanks, and how do I remove it?',
  'Who are you?',
  'help',
  'ok',
  'no',
  'bye',
  '',
  ' ?! ',
  '👋',
  'Tagesgeld',
  '你好，退款要多久？',
  'hi '.repeat(100),
])('%j is for the knowledge to answer', (message) => {
  expect(talkOf(message)).toBeUndefined();
});

const phrases = Object.values(replies).flatMap((each) =>
  'phrases' in each ? Object.entries(each.phrases).flatMap(([kind, all]) => all.map((phrase) => [kind, phrase])) : [],
) as [kind: string, phrase: string][];

test('every phrase is understood as what it is, whatever its case and punctuation, and nothing else may stand beside it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...phrases),
      fc.constantFrom('refund', 'Versand', 'доставка', '退款'),
      (known, word) => {
        const [kind, phrase] = known;
        expect(talkOf(` ${phrase.toUpperCase()} !?`)).toMatchObject({ kind });
        expect(talkOf(`${phrase} ${word}`)).toBeUndefined();
        expect(talkOf(`${word}, ${phrase}`)).toBeUndefined();
      },
    ),
    { numRuns: 300 },
  );
});

test('hostile messages take no time', () => {
  for (const message of [
    'hi '.repeat(20),
    '你'.repeat(60),
    '\u0301'.repeat(60),
    "'".repeat(20_000),
    '\ufdfa'.repeat(60),
  ])
    expect(cpuMs(() => talkOf(message))).toBeLessThan(50);
});

const settings = answerSettings({});

test('small talk is answered in the language of the visitor, if that has such words, or of the phrase', () => {
  const hello = talkOf('Hello!')!;
  expect(talkAnswer(hello, settings)).toMatchObject({
    message: 'Hello! What would you like to know?',
    confidence: null,
  });
  expect(talkAnswer(hello, settings, 'fr').message).toBe('Bonjour ! Que souhaitez-vous savoir ?');
  expect(talkAnswer(talkOf('Merci')!, settings, 'en').message).toMatch(/^Je vous en prie/);
});

test('a greeting is answered with that of the assistant if it has one, and thanks are not', () => {
  const own = { ...settings, greeting: 'Welcome.' };
  expect(talkAnswer(talkOf('hi')!, own).message).toBe('Welcome.');
  expect(talkAnswer(talkOf('thx')!, own).message).toMatch(/^You're welcome/);
});

test('without an answer, or a sure one, it speaks the language of the question, or the words of the owner', () => {
  expect(noEvidence(settings, 'de').message).toMatch(/^Darauf habe ich/);
  expect(noEvidence(settings).message).toMatch(/^I could not find/);
  expect(noEvidence(settings, 'xx').message).toMatch(/^I could not find/);
  expect(noEvidence(answerSettings({ no_evidence_message: 'Call us.' }), 'de').message).toBe('Call us.');
  expect(lowConfidence(null, 'en')).toBe("I'm not sure this answers your question. The closest I found:");
  expect(lowConfidence(null, 'de')).toMatch(/^Ich bin nicht sicher/);
  expect(lowConfidence('Perhaps:', 'de')).toBe('Perhaps:');
  expect([seeAlso(), seeAlso('fr')]).toEqual(['See also', 'Voir aussi']);
});

test('every language has all sentences, in that language, and none looks like a citation', () => {
  expect(LANGUAGES).toHaveLength(18);
  for (const [language, own] of Object.entries(replies)) {
    const { greeting, thanks, noEvidence, lowConfidence, seeAlso } = own;
    for (const sentence of [greeting, thanks, noEvidence]) expect(sentence).toMatch(/^[^[\]]{5,300}[.!?。？؟।]$/u);
    expect(lowConfidence).toMatch(/^[^[\]]{5,300}[:：]$/u);
    expect(seeAlso).toMatch(/^[^[\]:]{3,40}$/u);
    expect([language, languageOf(`${noEvidence} ${lowConfidence}`)]).toEqual([language, language]);
  }
});
