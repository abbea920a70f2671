import { expect, test } from '@jest/globals';
import { problemsOf } from './check.ts';
import { readManual } from './manuals.ts';
import { SOURCES } from './sources.ts';

test.each(SOURCES.map((source) => [source.name, source] as const))(
  'every fact of the questions about %s stands in its section of the real pages',
  async (_, source) => {
    const manual = await readManual(source);
    expect(manual.questions.length).toBeGreaterThan(0);
    expect(problemsOf(manual)).toEqual([]);
  },
);
