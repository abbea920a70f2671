import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type IndexedChunk, memoryBuild } from './memory-build.ts';
import { sectionOf } from './sections.ts';

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

test('a passage comes with its section in the order of the page, whatever the order of the build', () => {
  const chunks = [
    chunk(0, 'One.'),
    chunk(1, 'Two:\n- a'),
    chunk(2, 'Two:\n- b', { joint: { repeated: 5, separator: '\n' } }),
    chunk(3, 'Other section.', { section: 1 }),
    chunk(0, 'Other page.', { source: 'other' }),
  ];
  const order = fc.shuffledSubarray(chunks, { minLength: chunks.length });
  fc.assert(
    fc.property(order, (shuffled) => {
      const build = memoryBuild(shuffled);
      const [one, two, three, other, elsewhere] = chunks.map((each) => sectionOf(build, each, false));
      expect([one, two, three]).toEqual(Array(3).fill('One.\n\nTwo:\n- a\n- b'));
      expect([other, elsewhere]).toEqual(['Other section.', 'Other page.']);
    }),
    { numRuns: 20 },
  );
});

test('a long section is cut to whole chunks around the passage, which is always in it', () => {
  const chunks = Array.from({ length: 20 }, (_, i) => chunk(i, `${i} `.padEnd(700, 'x')));
  const build = memoryBuild(chunks);
  for (let i = 0; i < chunks.length; i++) {
    const section = sectionOf(build, chunks[i]!, false);
    expect(section).toContain(chunks[i]!.text);
    expect(section.length).toBeLessThanOrEqual(4_000);
    expect(section.length).toBeGreaterThan(3_000);
  }
  const huge = chunk(0, 'y'.repeat(9_000));
  expect(sectionOf(memoryBuild([huge]), huge, false)).toHaveLength(9_000);
});

test('the section of an FAQ item is its whole answer', () => {
  const answer = [chunk(0, 'First.', { section: 0 }), chunk(1, 'Second.', { section: 1 })];
  expect(sectionOf(memoryBuild(answer), answer[1]!, true)).toBe('First.\n\nSecond.');
});
