import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createBuildIndex, type IndexedChunk } from './build-index.ts';
import { sectionOf, standing } from './sections.ts';

const chunk = (index: number, text: string, more: Partial<IndexedChunk> = {}): IndexedChunk => ({
  id: `${more.source ?? 'page'}-${index}`,
  source: 'page',
  index,
  title: '',
  url: '',
  text,
  headings: ['Guide'],
  section: 0,
  ...more,
});

test('a passage comes with its section in the order of the page, whatever the order of the build', async () => {
  const chunks = [
    chunk(0, 'One.'),
    chunk(1, 'Two:\n- a'),
    chunk(2, 'Two:\n- b', { joint: { repeated: 5, separator: '\n' } }),
    chunk(3, 'Other section.', { section: 1 }),
    chunk(0, 'Other page.', { source: 'other' }),
  ];
  const order = fc.shuffledSubarray(chunks, { minLength: chunks.length });
  await fc.assert(
    fc.asyncProperty(order, async (shuffled) => {
      const index = await createBuildIndex(shuffled);
      const at = (id: string) => index.chunks.findIndex((each) => each.id === id);
      for (const id of ['page-0', 'page-1', 'page-2'])
        expect(sectionOf(index, at(id), false)).toBe('One.\n\nTwo:\n- a\n- b');
      expect(sectionOf(index, at('page-3'), false)).toBe('Other section.');
      expect(sectionOf(index, at('other-0'), false)).toBe('Other page.');
    }),
  );
});

test('a long section is cut to whole chunks around the passage, which is always in it', async () => {
  const chunks = Array.from({ length: 20 }, (_, i) => chunk(i, `${i} `.padEnd(700, 'x')));
  const index = await createBuildIndex(chunks);
  for (let i = 0; i < chunks.length; i++) {
    const section = sectionOf(index, i, false);
    expect(section).toContain(chunks[i]!.text);
    expect(section.length).toBeLessThanOrEqual(4_000);
    expect(section.length).toBeGreaterThan(3_000);
  }
  const huge = await createBuildIndex([chunk(0, 'y'.repeat(9_000))]);
  expect(sectionOf(huge, 0, false)).toHaveLength(9_000);
});

test('the section of an FAQ item is its whole answer', async () => {
  const answer = [chunk(0, 'First.', { section: 0 }), chunk(1, 'Second.', { section: 1 })];
  expect(sectionOf(await createBuildIndex(answer), 1, true)).toBe('First.\n\nSecond.');
});

test('a chunk of an earlier version is its own section, and begins with its headings', async () => {
  const { headings: _, section: __, ...earlier } = chunk(0, '# Guide\n\n## Ports\nThe port is 80.\n## Not this');
  const rest = 'The port is 80.\n## Not this';
  expect(standing(earlier)).toEqual({ headings: ['Guide', 'Ports'], text: rest });
  expect(sectionOf(await createBuildIndex([earlier]), 0, false)).toBe(rest);
  expect(standing({ text: '# Only a heading' })).toEqual({ headings: [], text: '# Only a heading' });
  expect(standing({ text: 'No heading' })).toEqual({ headings: [], text: 'No heading' });
});
