import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutQuotes } from './cut-quotes.ts';

/** Lines that neither quote nor sign. */
const word = fc.constantFrom('lamp', 'the', 'flickers', 'Ünder', '日本', 'why?', '12', '€', '👩‍🔧', 'yes.', 'a>b');
const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
const lines = fc.array(line, { minLength: 1, maxLength: 6 }).map((all) => all.join('\n'));
const quote = lines.map((text) => text.replace(/^/gm, '> '));
const attribution = fc.constantFrom(
  'On Mon, Jan 5, 2026 at 10:00 AM Support <s@parley.example> wrote:',
  'Am Mo., 5. Jan. 2026 um 10:00 Uhr schrieb Support <s@parley.example>:',
  'Le lun. 5 janv. 2026 à 10:00, Support <s@parley.example> a écrit :',
  'El lun, 5 ene 2026 a las 10:00, Support <s@parley.example> escribió:',
);

test('what stands above a quoted history is the text, and the history is kept', () => {
  fc.assert(
    fc.property(lines, attribution, quote, (own, header, history) => {
      expect(cutQuotes(`${own}\n\n${header}\n${history}\n`)).toEqual({ text: own, quoted: `${header}\n${history}` });
    }),
  );
});

test('what stands below a quote is the text, too', () => {
  fc.assert(
    fc.property(quote, lines, (history, own) => {
      expect(cutQuotes(`${history}\n\n${own}\n`)).toEqual({ text: own, quoted: history });
    }),
  );
});

test('answers between quotes stay with what they answer', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(quote, lines), { minLength: 2, maxLength: 4 }), (answers) => {
      const text = answers.map((answer) => answer.join('\n')).join('\n');
      expect(cutQuotes(text)).toEqual({ text, quoted: '' });
    }),
  );
});

test('a text without quotes stays as it is', () => {
  fc.assert(
    fc.property(fc.array(lines, { minLength: 1, maxLength: 5 }), (paragraphs) => {
      const text = paragraphs.join('\n\n');
      expect(cutQuotes(text.replace(/\n/g, '\r\n'))).toEqual({ text, quoted: '' });
    }),
  );
});

test('whatever the message, nothing of it is lost or moved, and it does not become empty', () => {
  const any = fc.oneof(
    line,
    quote,
    attribution,
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '',
      '-- ',
      '--',
      '>',
      '> > old',
      '____',
      'Sent from my phone',
      'Cheers,',
      'From: A <a@b.example>',
      '\t',
    ),
  );
  const squeezed = (text: string) => text.replace(/\s+/gu, '');
  fc.assert(
    fc.property(fc.array(any, { maxLength: 25 }), (parts) => {
      const message = parts.join('\n').toWellFormed();
      const { text, quoted } = cutQuotes(message);
      const [whole, own, rest] = [message, text, quoted].map(squeezed) as [string, string, string];
      const places = [...Array(whole.length + 1).keys()].filter((at) => whole.startsWith(own, at));
      expect(places.map((at) => whole.slice(0, at) + whole.slice(at + own.length))).toContain(rest);
      expect(own === '').toBe(whole === '');
    }),
    { numRuns: 300 },
  );
});

test('a text that is as long as can be is cut in time that grows with its length only', () => {
  const history = `On Mon, Support <s@parley.example> wrote:\n${'> Why?\n'.repeat(60_000)}`;
  expect(cutQuotes(`Because.\n\n${history}`).text).toBe('Because.');
});
