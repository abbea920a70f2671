import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resolveFollowUp } from './follow-up.ts';
import { askedTerms } from './question.ts';

const BEFORE = ['Do you have a premium plan for teams?'];

test.each([
  'and how much does it cost?',
  'How much does it cost?',
  'Why?',
  'What about Windows?',
  'And in French?',
  'Is it free?',
  'How long?',
  'Why is that?',
  'Can I cancel it later?',
  'What happens after that?',
  'And how do I turn it off again?',
  'How do I undo that?',
  'Are there limits?',
  'what else?',
  'Can you show me an example?',
  'What happens if I lose them?',
  'How do I get rid of it again?',
  'How much disk space does it need?',
  'Is there one for developers, too?',
  'Which one is cheaper?',
  'Why should I use it?',
  'What can I change there?',
  'Und was kostet das?',
  'Wie lange dauert das?',
  'Muss er sich danach neu anmelden?',
  'Wie kann ich ihn kündigen?',
  'Geht das auch für Schulen?',
  'Et combien ça coûte ?',
  '¿Y cuánto cuesta eso?',
  'А сколько это стоит?',
  'و قیمت آن چقدر است؟',
])('a question that cannot be understood alone is searched with the one before: %s', (question) => {
  const searched = `${BEFORE[0]}\n${question}`;
  expect(resolveFollowUp(question, BEFORE)).toEqual({ searched, question, earlier: BEFORE });
});

test.each([
  'How do I find out which package a file belongs to?',
  'What is dpkg?',
  'What is the Debian Social Contract?',
  'Can I run Debian on my old PC with 64 MB of memory?',
  'How do I install packages?',
  'Is it possible to upgrade without a reboot?',
  'Is it safe to delete the WAL file?',
  'How do I undo the last commit?',
  'How do I get help with Debian?',
  'If a branch was deleted, can it be restored?',
  'Which people maintain Debian?',
  'Which port does the server listen on?',
  'Does git store the whole history on every machine, or only what changed since the clone, and can I limit it?',
  'Why does fetchmail say that the server is busy?',
  'What does http.postBuffer really do?',
  'How can I take a string and turn it into epoch seconds?',
  'Why is the received date on all my messages the same?',
  'Wie installiere ich ein Paket?',
  'Was ist dpkg?',
  'Wo finde ich die Quellen der Pakete?',
])('a question that stands alone is searched as it is: %s', (question) => {
  expect(resolveFollowUp(question, BEFORE)).toEqual(resolveFollowUp(question, []));
  expect(resolveFollowUp(question, BEFORE).searched).toBe(question);
});

test('a chain of follow-ups goes back to the question that they are about, and no further', () => {
  const context = ['Where is your office in Lisbon?', ...BEFORE, 'and how much does it cost?', 'Thanks!'];
  const { searched } = resolveFollowUp('And per year?', context);
  expect(searched).toContain('premium plan');
  expect(searched).not.toContain('Lisbon');
  expect(searched).toContain('cost');
});

test('without earlier questions, and with empty ones, a follow-up is searched as it is', () => {
  for (const context of [[], ['', ' ', '!?']])
    expect(resolveFollowUp('Why is that?', context).searched).toBe('Why is that?');
});

test('words of earlier questions count half, words of the question itself in full, even if they were said before', () => {
  const terms = askedTerms('And the plan?', BEFORE);
  expect(terms.get('plan')?.share).toBe(1);
  expect(terms.get('premium')).toMatchObject({ written: 'premium', share: 0.5 });
});

test('what is searched is bounded, however long the question and what was said before', () => {
  const long = fc.string({ maxLength: 30, unit: 'grapheme' }).map((text) => `${text} `.repeat(300).slice(0, 2_500));
  fc.assert(
    fc.property(long, fc.array(long, { maxLength: 14 }), (question, context) => {
      const { searched, earlier } = resolveFollowUp(question, context);
      expect(searched.endsWith(question)).toBe(true);
      expect(searched.length).toBeLessThan(question.length + 10 * 301 + 24 * 70);
      expect(askedTerms(question, earlier).size).toBeLessThanOrEqual(100);
    }),
    { numRuns: 50 },
  );
});
