import fc from 'fast-check';

const MIB = 1024 * 1024;

/** Texts that have broken parsers, stores, patterns and pages elsewhere. */
const NOTORIOUS = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\ufeff',
  '\uffff',
  '\u202e\u2066',
  'e\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦',
  'İıſK',
  "'",
  '"',
  '\\',
  '$where',
  '$$NOW',
  '{"$gt":""}',
  'a.b.$c',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '%00',
  '%',
  '%2e%2e%2f',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '0x10',
  '９',
  '<script>alert(1)</script>',
  '{{7*7}}',
  'a\r\nSet-Cookie: a=b',
  'http://[',
  'http://127.0.0.1:27017/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '*.*.*',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  'x'.repeat(10_001),
];

const NUMBERS = [0, -0, -1, 0.1, 1e-300, 101, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308];

/** Texts of every length up to a few dozen, and the notorious ones. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NOTORIOUS),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.uuid(),
);

/** About as long as a body may be, or a little longer. */
const longTexts = fc
  .tuple(fc.constantFrom('x', '"', '\\', '🙂', '\u0001'), fc.integer({ min: MIB / 2, max: MIB + 1 }))
  .map(([unit, bytes]) => unit.repeat(Math.ceil(bytes / JSON.stringify(unit).length)));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: texts },
    {
      weight: 2,
      arbitrary: fc.oneof(fc.constantFrom(...NUMBERS), fc.double({ noNaN: true, noDefaultInfinity: true })),
    },
    { weight: 2, arbitrary: fc.constantFrom(null, true, false) },
    { weight: 1, arbitrary: fc.array(tie('value')) },
    { weight: 1, arbitrary: fc.dictionary(texts, tie('value')) },
  ),
}));

/** JSON of every kind, and now and then a text of a mebibyte. */
export const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 40, arbitrary: value },
  { weight: 1, arbitrary: longTexts },
);
