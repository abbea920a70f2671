import { setImmediate } from 'node:timers/promises';
import {
  type IndexedChunk,
  type Judged,
  localEngine,
  memoryBuild,
  type OpenBuild,
  type Prior,
  type SearchedBuild,
  search,
} from '@parley/corpus';
import type { MaskedQuestion } from './masking.ts';

/** A masked question with its vectors; none without a model. */
export interface EmbeddedQuestion extends Omit<MaskedQuestion, 'masked'> {
  readonly vector?: Float32Array | undefined;
  /** With their vectors. */
  readonly masked: readonly IndexedChunk[];
}

/** The result of a search for a masked question, best first. */
export interface MaskedAnswer {
  readonly withSection: readonly Judged<OpenBuild>[];
  readonly without: readonly Judged<OpenBuild>[];
  /** Returns whether a passage is of the section that answers. */
  isRight(passage: Judged<OpenBuild>): boolean;
}

export interface Asked {
  readonly model: string | undefined;
  readonly prior: Prior;
}

/** Asks each question twice: with its section, of which only the text is searched, and without. */
export async function askMasked(
  chunks: readonly IndexedChunk[],
  questions: readonly EmbeddedQuestion[],
  { model, prior }: Asked,
): Promise<MaskedAnswer[]> {
  const index = memoryBuild(chunks, model);
  const engine = localEngine();
  const answers: MaskedAnswer[] = [];
  for (const { question, documents, masked, vector } of questions) {
    const rest: SearchedBuild<OpenBuild> = { knowledgeId: '', index, hidden: new Set(documents) };
    const section: SearchedBuild<OpenBuild> = { knowledgeId: 'masked', index: memoryBuild(masked, model) };
    const vectors = new Map(vector && model !== undefined ? [[model, { vector, prior }]] : []);
    answers.push({
      withSection: (await search(engine, [rest, section], question, vectors)).found,
      without: (await search(engine, [rest], question, vectors)).found,
      isRight: ({ build }) => build === section || build.knowledgeId === section.knowledgeId,
    });
    section.index.close();
    await setImmediate();
  }
  index.close();
  return answers;
}
