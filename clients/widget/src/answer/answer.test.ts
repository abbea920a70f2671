import { expect, test } from '@jest/globals';
import { superlinear } from '@parley/runtime/testing';
import fc from 'fast-check';
import { type ComponentChildren, isValidElement } from 'preact';
import { Answer, type Source } from './answer.tsx';

/** As long as an answer may be. */
const LONGEST = 10_000;
const ALLOWED = 'p br strong code pre ol ul li div table thead tbody tr th td span sup a'.split(' ');
const sources: Source[] = [
  { n: 1, title: 'Opening <b>hours</b>', url: 'https://www.example.com/hours' },
  { n: 2, title: 'A list', url: null },
  { n: 3, title: 'A script', url: 'javascript:alert(1)' },
];

interface Element {
  tag: string;
  props: Record<string, unknown>;
}

interface Rendered {
  elements: Element[];
  text: string;
}

/** Renders it as a browser would: the elements in order, and the text nodes joined. */
function rendered(text: string): Rendered {
  const out: Rendered = { elements: [], text: '' };
  const walk = (node: ComponentChildren): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (isValidElement(node)) {
      const { type, props } = node as { type: unknown; props: Record<string, unknown> };
      if (typeof type === 'string') out.elements.push({ tag: type, props });
      if (type === 'br') out.text += '\n';
      walk(props['children'] as ComponentChildren);
    } else if (typeof node === 'string' || typeof node === 'number') out.text += node;
  };
  walk(Answer({ text, sources, nameOf: ({ n }) => `Source ${n}` }));
  return out;
}

const tags = (text: string) => rendered(text).elements.map(({ tag }) => tag);

test('paragraphs, line breaks, bold words and code', () => {
  expect(tags('One\ntwo\n\nIt is **very** `npm start`')).toEqual(['p', 'br', 'p', 'strong', 'code']);
  expect(rendered('One\ntwo\n\nIt is **very** `npm start`').text).toBe('One\ntwoIt is very npm start');
});

test('lists, nested and numbered from where they begin', () => {
  const text = '3. Open it:\n   - left\n   - right\n4. Close it\n\nDone';
  expect(tags(text)).toEqual(['ol', 'li', 'ul', 'li', 'li', 'li', 'p']);
  expect(rendered(text).elements[0]!.props['start']).toBe(3);
  expect(tags('- a\n  - b\n    - c\n  - d\n- e')).toEqual(['ul', 'li', 'ul', 'li', 'ul', 'li', 'li', 'li']);
});

test('tables, with whatever number of cells', () => {
  expect(tags('| Day | Hours |\n|---|:-:|\n| Mon | 9 |\n| Tue |\n\nEnd')).toEqual(
    'div table thead tr th th tbody tr td td tr td p'.split(' '),
  );
});

test('a block of code keeps its text as it is, also before its end has come', () => {
  const code = 'if (a < b) {\n  **not** [1]\n}';
  expect(rendered(`\`\`\`js\n${code}\n\`\`\`\nThen`)).toMatchObject({ text: `${code}Then` });
  expect(tags(`\`\`\`\n${code}`)).toEqual(['pre', 'code']);
});

test('marks of sources with a web address are links, other addresses are not', () => {
  const { elements, text } = rendered(
    'Nine. [1] Two. [2] Three. [3] None. [4] https://evil.example [x](https://evil.example)',
  );
  expect(elements.filter(({ tag }) => tag === 'a')).toEqual([
    {
      tag: 'a',
      props: {
        href: 'https://www.example.com/hours',
        target: '_blank',
        rel: 'noopener noreferrer',
        'aria-label': 'Source 1',
        children: 1,
      },
    },
  ]);
  expect(text).toBe('Nine. 1 Two. 2 Three. 3 None. [4] https://evil.example [x](https://evil.example)');
});

test('the punctuation after a mark stays on its line, and what formats text is none', () => {
  const held = (text: string) =>
    rendered(text)
      .elements.filter(({ tag }) => tag === 'span')
      .map(({ props }) => (props['children'] as unknown[]).at(-1));
  expect(held('It is nine [1]. Two [2]، three [1][2]).')).toEqual(['.', '،', '', ').']);
  expect(rendered('Nine [1]**two** [1]`three` [1].').text).toBe('Nine 1two 1three 1.');
});

test.each([
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '&lt;b&gt;',
  '![x](https://evil.example/x.png)',
])('markup stays text: %s', (text) => {
  expect(rendered(text)).toEqual({ elements: [{ tag: 'p', props: expect.anything() }], text });
});

/** Text that is full of what means something. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '*',
        '**',
        '`',
        '```',
        '~~~',
        '|',
        '-',
        '|-|',
        '1. ',
        '- ',
        '#',
        '# ',
        '[1]',
        '[9]',
        '[',
        ']',
        '\n',
        '\n\n',
      ),
      fc.constantFrom('  ', '\t', '\r\n', '<b>', '</p>', 'word', 'سلام', '中文', '"', "'", '\u0000', '\u2028', '🙂'),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 60 },
  )
  // The name of a fence's language is not shown.
  .map((parts) => parts.join('').replace(/(```|~~~)[\w+#.-]+/g, '$1'));

/** Letters mean nothing to the renderer, so none of them may be lost or added. */
const lettersOf = (text: string) => text.replace(/[^\p{L}]/gu, '');

test('whatever the text is, no other elements and attributes come of it, and no letter is lost', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { elements, text: shown } = rendered(text);
      for (const { tag, props } of elements) {
        expect(ALLOWED).toContain(tag);
        expect(props).not.toHaveProperty('dangerouslySetInnerHTML');
        if (tag === 'a') expect(props['href']).toBe('https://www.example.com/hours');
      }
      expect(lettersOf(shown)).toBe(lettersOf(text));
    }),
    { numRuns: 2_000 },
  );
});

test('plain text is shown exactly, but for white space', () => {
  const plain = fc.string({ unit: 'grapheme' }).filter((text) => !/[*`|[\]#~•-]|\d[.)]/.test(text));
  const words = (text: string) => text.split(/\s+/).join(' ').trim();
  fc.assert(fc.property(plain, (text) => expect(words(rendered(text).text)).toBe(words(text))));
});

test.each([
  '*',
  '**',
  '**a',
  '`',
  '`a',
  '[',
  '[1',
  '[1]',
  '[1].',
  '|',
  '|-',
  '|a|\n|-|\n',
  '- ',
  '- \n',
  '-',
  '  - a\n',
  '1. ',
  '1. a\n',
  '# ',
  '#',
  ' ',
  '\n',
  '\t',
  '\n \n',
  '```\n',
  '> ',
  'a',
  '- - ',
  '**`[1]`**',
  '\t- a\n\n',
])('%j, over and over, takes linear time', async (part) => {
  expect(await superlinear(rendered, [part], { longest: LONGEST })).toBeUndefined();
});

test('deep nesting takes linear time', () => {
  const deep = Array.from({ length: 400 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n');
  expect(lettersOf(rendered(deep).text)).toBe('a'.repeat(400));
});
