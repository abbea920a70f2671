import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { split } from './split.ts';

test('each section is a piece of its own, under its heading', async () => {
  const text = '# Guide\n\nWelcome.\n\n## The port\n\nSet PORT.\n\n## The folder\n\nSet PARLEY_DATA.';
  expect(await split(text)).toEqual([
    '# Guide\n\nWelcome.',
    '## The port\n\nSet PORT.',
    '## The folder\n\nSet PARLEY_DATA.',
  ]);
});

test('the pieces of a long section all carry its heading', async () => {
  const sentence = 'This sentence is one of many that belong to the same section. ';
  const pieces = await split(`## Refunds\n\n${sentence.repeat(40)}`);
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces) expect(piece).toMatch(/^## Refunds\n/);
});

test('a heading without words of its own stands above the next section', async () => {
  expect(await split('## Part one\n\n### Refunds\n\nAsk us.')).toEqual(['## Part one\n### Refunds\n\nAsk us.']);
});

test('a blank text has no pieces', async () => {
  expect(await split(' \n\n ')).toEqual([]);
});

test('no word of any text is lost, and no piece is much longer than a model reads', async () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  const block = fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 200 }).map((words) => words.join(' ')),
    word.map((heading) => `## ${heading}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 12 }), async (blocks) => {
      const pieces = await split(blocks.join('\n\n'));
      const kept = new Set(pieces.join('\n').split(/\s+/));
      for (const word of blocks.join(' ').split(/\s+/)) if (word) expect(kept).toContain(word);
      for (const piece of pieces) expect(piece.length).toBeLessThan(1_200);
    }),
  );
});
