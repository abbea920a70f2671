import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Marked, type Token, type Tokens } from 'marked';
import { cite } from './cite.ts';
import { plainAddress, plainBody, plainTitle } from './markup.ts';

test.each([
  'a < b and c > d, a <= b, x << 2',
  'Use arr[0], matrix[i][j], map["key"] and list[1:2].',
  '__init__ and snake_case_name, 2 * 3 * 4, ~/.bashrc',
  'C:\\Users\\me\\file.txt or /etc/parley/config.yaml',
  'tar -xzf app.tar.gz && cd app | grep "x" > out.txt',
  'curl https://get.example.com/install.sh | sh',
  'Run `npm install` first.\n\n    npm start --port 8080\n\nThen wait.',
  'for item in items[0]: print(item)',
  'An array of zeros is [0], an empty one []; [x] is checked, [ ] is not.',
  'See RFC 2119 (https://www.rfc-editor.org/rfc/rfc2119).',
  '# Setup\n- first\n- second\n1. third\n> quoted',
  'if (a && !b) { return c ? d : e; } // “done” – naïve — 日本語',
])('text of documentation stays as it is: %j', (text) => {
  expect(plainBody(text)).toBe(text);
});

test.each([
  ['git clone <your-repository> <directory>', 'git clone < your-repository> < directory>'],
  ['A List<String>, #include <stdio.h>', 'A List< String>, #include < stdio.h>'],
  ['handlers[0](event) and table[i](x)(y)', 'handlers[0] (event) and table[i] (x)(y)'],
  ['Use the <b> tag or </b>, <!-- note -->', 'Use the < b> tag or < /b>, < !-- note -->'],
  ['auto f = [x](int y) { return x; };', 'auto f = [x] (int y) { return x; };'],
])('what markdown or HTML would take for markup is readable still: %j', (text, plain) => {
  expect(plainBody(text)).toBe(plain);
});

test.each([
  ['See [the guide](https://evil.example/a(b)c "x").', 'See the guide.'],
  ['![logo](https://evil.example/x.png)Welcome', 'Welcome'],
  ['[![logo](./x.png)](https://evil.example)', ''],
  ['[run](javascript:alert(1)) [d](data:text/html;base64,xx)', 'run d'],
  ['<https://docs.example/> <help@docs.example>', 'https://docs.example/ help@docs.example'],
  ['<javascript:alert(1)>', '< javascript:alert(1)>'],
  ['<img src=x onerror=alert(1)>', '< img src=x onerror=alert(1)>'],
  ['[evil]: https://evil.example\n[^1]: note', '[evil] : https://evil.example\n[^1] : note'],
  ['Type:\n```sh\nnpm start\n```\nDone.', 'Type:\nnpm start\nDone.'],
  ['~~~ still open\ntext', '~~ still open\ntext'],
  ['Known. [2][3] More [１] and ［1］ or ([1]) [[1]]', 'Known. More [１] and or ((1)) [(1)]'],
  ['True.\n\nSources:\n[1] Evil - https://evil.example', 'True.\n\n Evil - https://evil.example'],
  ['pass\u200bword \u202egnp.exe\u2069 \u{e0041}\u0007x\u00a0y', 'password gnp.exe x y'],
  ['one\r\ntwo\u2028three\rfour', 'one\ntwo\nthree\nfour'],
])('markup that a page wrote is gone, its words stay: %j', (text, plain) => {
  expect(plainBody(text)).toBe(plain);
});

test.each([
  ['[click](http://evil.example)', 'click'],
  ['![](http://evil.example/x.png)', ''],
  ['Guide\n\nSources:\n[1] Evil - https://evil.example', 'Guide Sources: Evil - evil.example'],
  ['[2] Other - https://evil.example/x', 'Other - evil.example/x'],
  ['hthttps://tps:/https:////evil.example', expect.not.stringContaining('://')],
  ['www.evil.example', 'www. evil.example'],
  ['`code` of __init__ and arr[0]', "'code' of __init__ and arr[0]"],
  ['x'.repeat(400), `${'x'.repeat(299)}…`],
])('a title is one line without marks and addresses: %j', (title, plain) => {
  expect(plainTitle(title)).toEqual(plain);
});

test.each([
  ['https://docs.example/a/b?c=d&e#f', 'https://docs.example/a/b?c=d&e#f'],
  ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
  ['https://en.example/wiki/A_(b)', 'https://en.example/wiki/A_%28b%29'],
  [
    'https://docs.example/a b?c=`|^{}[]\\*\'"<>\n#[x]',
    'https://docs.example/a%20b?c=%60%7C%5E%7B%7D%5B%5D%5C%2A%27%22%3C%3E#%5Bx%5D',
  ],
  ['https://me:secret@docs.example/', 'https://docs.example/'],
  ['https://docs.example/https://www.evil.example/@me', 'https://docs.example/https%3A//%77ww.evil.example/%40me'],
  ['javascript:alert(1)', ''],
  ['data:text/html,x', ''],
  ['//docs.example/', ''],
  ['https://', ''],
  [`https://docs.example/${'x'.repeat(2_048)}`, ''],
])('an address of the list of sources is http, and encoded: %j', (url, plain) => {
  expect(plainAddress(url)).toBe(plain);
});

/** Pieces of markup, in any order and between any words. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '[',
      ']',
      '(',
      ')',
      '](',
      ']:',
      '][',
      '![',
      '<',
      '>',
      '</',
      '<!--',
      '-->',
      '`',
      '```',
      '~~~',
      '\n',
      '\n\n',
      ' ',
      '    ',
    ],
    ...[
      '\t',
      '\\',
      '"',
      "'",
      '#',
      '- ',
      '> ',
      '1. ',
      '*',
      '_',
      ':',
      '!',
      '^',
      '|',
      '&lt;',
      '&#60;',
      '=',
      '---',
      '\u200b',
      '\u202e',
    ],
    ...[
      'http://evil.example',
      'https://evil.example/p.png',
      'www.evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
    ],
    ...['img src=x onerror=alert(1)', 'a href="x"', 'script', '/script>', 'br/', '?php', '!DOCTYPE x', '![CDATA[', 'p'],
    ...[
      '[click](http://evil.example)',
      '![](https://evil.example/p.png)',
      '<img src=x onerror=alert(1)>',
      '[evil]: /evil',
    ],
    ...['Sources:', '\n\nSources:\n[1] ', '[1]', '[2]', '(1)', 'word', 'x', '\r', '\u2028', '\u00a0'],
  ),
  fc.string({ maxLength: 4, unit: 'binary' }),
);
const written = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const url = fc.oneof(
  fc.constantFrom('', 'https://docs.example/', 'http://docs.example/a?b=c'),
  written.map((text) => `https://docs.example/${text}`),
  written,
);
const statement = fc.record({
  text: written,
  passages: fc.array(fc.record({ title: written, url }), { minLength: 1, maxLength: 3 }),
});

const BREAKING = new Set(['image', 'html', 'def', 'tag']);

/** Links, images, raw HTML, definitions and fences that a renderer finds in a message. */
function markupOf(message: string, gfm: boolean): Token[] {
  const marked = new Marked({ gfm });
  const found: Token[] = [];
  const tokens = marked.lexer(message);
  marked.walkTokens(tokens, (token) => {
    const isFence = token.type === 'code' && token['codeBlockStyle'] !== 'indented';
    if (BREAKING.has(token.type) || token.type === 'link' || isFence) found.push(token);
  });
  if (Object.keys(tokens.links).length > 0) throw new Error('a definition survived');
  return found;
}

test('no link, image, HTML, fence or definition in any text, title or address survives in a message', () => {
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 3 }), (statements) => {
      const { message } = cite(statements);
      expect(markupOf(message, false)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('a renderer that links bare addresses links only addresses in the text, and in the list of sources only ours', () => {
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 3 }), (statements) => {
      const { message, sources } = cite(statements);
      const list = message.slice(message.lastIndexOf('Sources:\n[1] '));
      for (const token of markupOf(message, true)) {
        const { type, raw, text, href } = token as Tokens.Link;
        expect([type, text]).toEqual(['link', raw]);
        expect(href).toMatch(/^(https?|ftp|mailto):/);
      }
      for (const { raw } of markupOf(list, true))
        expect(sources.some((source) => source.url.startsWith(raw))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('the list of sources has one line per source, whatever their titles and addresses contain', () => {
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 3 }), (statements) => {
      const { message, sources } = cite(statements);
      const [body, list = ''] = message.split(/(?:^|\n\n)Sources:\n/);
      expect(list.split('\n').map((line) => /^\[(\d+)\] \S/.exec(line)?.[1])).toEqual(sources.map(({ n }) => `${n}`));
      for (const [mark] of body!.matchAll(/(?<![\p{L}\p{N}_$\]})])\[\d{1,3}\]/gu))
        expect(['[0]', ...sources.map(({ n }) => `[${n}]`)].some((ours) => mark === ours)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('hostile text takes time in proportion to its length', () => {
  const time = (text: string) => {
    // The processor time, and the least of three: other work on the machine is not its own.
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      plainBody(text);
      plainTitle(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    return Math.min(...times);
  };
  time('warm');
  for (const unit of [
    '[',
    '![',
    '[a](',
    '](',
    '<',
    '<a',
    '`',
    '~~~',
    '> ',
    '1.',
    ' ',
    '[1]',
    'a:',
    '\n',
    'a@',
    '[a](x(y)',
    ']:',
    'a[',
  ]) {
    const small = Math.max(time(unit.repeat(10_000)), 20);
    expect([unit, time(unit.repeat(40_000)) / small < 12]).toEqual([unit, true]);
  }
});
