import { readFile } from 'node:fs/promises';
import { questionsOf } from './questions.ts';
import { readPages } from './site.ts';
import type { Ground } from './sites.ts';
import { SOURCES, type SourceDefinition } from './sources.ts';

/** The manuals with the questions about them. */
export const readManuals = (): Promise<Ground[]> => Promise.all(SOURCES.map(readManual));

export async function readManual(source: SourceDefinition): Promise<Ground> {
  const { name, language } = source;
  const text = await readFile(new URL(`./questions/${name}.yaml`, import.meta.url), 'utf8');
  const set = 'manuals';
  return {
    ...{ name, owner: 'manual', set, language },
    pages: await readPages(source),
    questions: questionsOf({ name, set }, text),
  };
}
