import { expect, test } from '@jest/globals';
import { cpuMs } from '@parley/runtime/testing';
import fc from 'fast-check';
import { LANGUAGES } from './language.ts';
import { noEvidence, talkAnswer } from './own-words.ts';
import { SENTENCES } from './sentences.ts';
import { talkOf } from './talk.ts';
import { PHRASES } from './talk-phrases.ts';

test.each([
  ['Hello!', 'greeting', 'en'],
  ['hi there :)', 'greeting', 'en'],
  ['Heyyy, good morning!!', 'greeting', 'en'],
  ['Thank you so much for your help.', 'thanks', 'en'],
  ['ok thanks, bye', 'farewell', 'en'],
  ['Hi! Who are you?', 'identity', 'en'],
  ['Am I talking to a real person?', 'identity', 'en'],
  ["What's your name?", 'identity', 'en'],
  ['what can you do for me', 'identity', 'en'],
  ['Guten Tag', 'greeting', 'de'],
  ['Vielen Dank für die Hilfe!', 'thanks', 'de'],
  ['Bist du ein Mensch?', 'identity', 'de'],
  ['Bonjour, qui êtes-vous ?', 'identity', 'fr'],
  ["Qu'est-ce que tu peux faire ?", 'identity', 'fr'],
  ['Merci !', 'thanks', 'fr'],
  ['¡Hola, buenos días!', 'greeting', 'es'],
  ['¿Eres un robot?', 'identity', 'es'],
  ['Obrigada', 'thanks', 'pt'],
  ['Ciao', 'greeting', 'it'],
  ['Wie ben je?', 'identity', 'nl'],
  ['Hej', 'greeting', 'sv'],
  ['Dziękuję bardzo!', 'thanks', 'pl'],
  ['Teşekkür ederim', 'thanks', 'tr'],
  ['Привет!', 'greeting', 'ru'],
  ['Что ты умеешь?', 'identity', 'ru'],
  ['Дякую', 'thanks', 'uk'],
  ['سلام، شما کی هستید؟', 'identity', 'fa'],
  ['چه کار می‌توانید بکنید؟', 'identity', 'fa'],
  ['چه كار مي‌توانيد بكنيد؟', 'identity', 'fa'],
  ['شكراً جزيلاً', 'thanks', 'ar'],
  ['من أنت؟', 'identity', 'ar'],
  ['नमस्ते', 'greeting', 'hi'],
  ['你好，你是机器人吗？', 'identity', 'zh'],
  ['ありがとうございました。', 'thanks', 'ja'],
  ['안녕하세요!', 'greeting', 'ko'],
])('%j is %s in %s', (message, kind, language) => {
  expect(talkOf(message)).toEqual({ kind, language });
});

test.each([
  'Hello, how do I install git?',
  'Thanks, and how do I remove it?',
  'Who are you hiring?',
  'What can you do with a kernel module?',
  'What is your name server?',
  'hello world in Python',
  'How are you licensed?',
  'good',
  'ok',
  'no',
  '',
  ' ?! ',
  'Tagesgeld',
  'Hallo, was kostet der Versand?',
  '你好，退款要多久？',
  'x'.repeat(5_000),
  'hi '.repeat(100),
])('%j asks something, or says nothing', (message) => {
  expect(talkOf(message)).toBeUndefined();
});

test('a message with any word that is in no phrase is a question', () => {
  const phrases = Object.values(PHRASES).flatMap(({ greeting, thanks }) => [
    ...greeting.split('|'),
    ...thanks.split('|'),
  ]);
  fc.assert(
    fc.property(
      fc.constantFrom(...phrases),
      fc.constantFrom('refund', 'Versand', 'доставка', '退款'),
      (phrase, word) => {
        expect(talkOf(`${phrase} ${word}`)).toBeUndefined();
        expect(talkOf(`${word} ${phrase}`)).toBeUndefined();
      },
    ),
  );
});

test('every phrase of every language is understood as such', () => {
  for (const phrases of Object.values(PHRASES))
    for (const kind of ['greeting', 'thanks', 'farewell', 'identity'] as const)
      for (const phrase of phrases[kind].split('|'))
        expect([phrase, talkOf(phrase)?.kind]).not.toEqual([phrase, undefined]);
});

test('hostile messages take no time', () => {
  for (const message of ['hi '.repeat(50), 'who are '.repeat(18), '你'.repeat(150), '́'.repeat(150), "'".repeat(10_000)])
    expect(cpuMs(() => talkOf(message))).toBeLessThan(500);
});

const settings = { greeting: null, tone: null, no_evidence_message: null, faq_first: false };

test('small talk is answered in its language, and a greeting with that of the assistant if it has one', () => {
  const greeting = { kind: 'greeting', language: 'fr' } as const;
  expect(talkAnswer(greeting, settings)).toMatchObject({ message: 'Bonjour ! Que souhaitez-vous savoir ?', cited: [] });
  expect(talkAnswer(greeting, { ...settings, greeting: 'Welcome.' }).message).toBe('Welcome.');
  const thanks = { kind: 'thanks', language: 'en' } as const;
  expect(talkAnswer(thanks, { ...settings, greeting: 'Welcome.' }).message).toMatch(/^You're welcome/);
});

test('without evidence, the reply is in the language of the question or in the words of the owner', () => {
  expect(noEvidence(settings, 'de').message).toMatch(/^Darauf habe ich/);
  expect(noEvidence(settings, undefined).message).toMatch(/^I could not find/);
  expect(noEvidence({ ...settings, no_evidence_message: 'Call us.' }, 'de').message).toBe('Call us.');
});

test('every language has all sentences, none of which ends with a colon or looks like a citation', () => {
  for (const language of LANGUAGES)
    for (const sentence of Object.values(SENTENCES[language])) expect(sentence).toMatch(/^[^[\]]{5,300}[.!?。？؟।]$/u);
});
