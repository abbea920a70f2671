/** Kinds of text that make a careless pattern or loop look at all of it again for each of its characters. */
export const AWKWARD: readonly string[] = [
  ...[' ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\u3000', '\u200b', '\u00ad', ' \n', '\n \n'],
  ...['a', 'A', 'z', 'aA', 'Zz ', 'a ', 'ab ', 'a. ', 'A. ', 'é', '1', '0', '12 ', '1,', '1.', '1-', '+1 '],
  ...['(', ')', '[', ']', '{', '<', '>', '()', '[[', '[](', '![', '[a](b) ', '[1]', '&', '&amp;', '<!--'],
  ...[
    '<a>',
    '<a ',
    '</',
    '<b>',
    '<div>',
    '<li>',
    '<table><tr><td>',
    '<blockquote type="cite">',
    '<a id="divRplyFwdMsg">',
  ],
  ...[
    '\u0301',
    'e\u0301',
    'a\u0300\u0301\u0302',
    '字',
    '。',
    'あ',
    'ア ',
    'ا',
    'ไ',
    '한',
    '👍',
    '👩\u200d👩',
    '\ud800',
  ],
  ...[
    '.',
    ',',
    ':',
    ';',
    '!',
    '?',
    '. ',
    '-',
    '--',
    '- ',
    '_',
    '*',
    '**',
    '* ',
    '#',
    '# ',
    '"',
    "'",
    '`',
    '```\n',
    '~~~',
    '> ',
    '\n>',
  ],
  ...[
    '/',
    '//',
    '\\',
    '@',
    'a@',
    'a@a.',
    '.a',
    'a.',
    'www.',
    'http://',
    'https://a.b/',
    '=',
    'a=',
    '=20',
    '%',
    '%20',
    '$',
    '$1 ',
  ],
  ...['|', '|a', '00:', '0:0 --> ', ':00', 'x:', 'a: b\n', 'a,b\n', '"a",', 'a;', '\0'],
];

const kept = new Map<string, string[]>();

/** Two texts of about this length: the unit, over and over, and either something that ends no match or something before it. */
export function textsOf(unit: string, length: number): string[] {
  const key = `${length} ${unit}`;
  const run = unit.repeat(Math.ceil(length / unit.length));
  const texts = kept.get(key) ?? [`${run}\u0001`, `x${run}`];
  kept.set(key, texts);
  return texts;
}
