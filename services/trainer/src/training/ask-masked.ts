import { setImmediate } from 'node:timers/promises';
import {
  createBuildIndex,
  type IndexedChunk,
  type Judged,
  type Prior,
  type SearchedBuild,
  searchByWords,
} from '@parley/corpus';
import type { MaskedQuestion } from './masking.ts';

/** A masked question with its vectors; none without a model. */
export interface EmbeddedQuestion extends Omit<MaskedQuestion, 'masked'> {
  readonly vector?: Float32Array | undefined;
  /** With their vectors. */
  readonly masked: readonly IndexedChunk[];
}

/** What a search for a masked question found, best first. */
export interface MaskedAnswer {
  readonly withSection: readonly Judged[];
  readonly without: readonly Judged[];
  /** Whether a passage is of the section that answers. */
  isRight(passage: Judged): boolean;
}

export interface Asked {
  readonly model: string | undefined;
  /** Of the vectors in the fused score. */
  readonly weight: number;
  readonly prior: Prior;
}

const FOUND = 6;

/** Asks each question twice: with its section, of which only the text is searched, and without. */
export async function askMasked(
  chunks: readonly IndexedChunk[],
  questions: readonly EmbeddedQuestion[],
  { model, weight, prior }: Asked,
): Promise<MaskedAnswer[]> {
  const index = await createBuildIndex(chunks, model);
  const answers: MaskedAnswer[] = [];
  for (const { question, documents, masked, vector } of questions) {
    const rest: SearchedBuild = { knowledgeId: '', index, hidden: new Set(documents) };
    const section: SearchedBuild = { knowledgeId: 'masked', index: await createBuildIndex(masked, model) };
    const vectors = new Map(vector && model !== undefined ? [[model, { vector, weight, prior }]] : []);
    answers.push({
      withSection: searchByWords([rest, section], question).judge(vectors, FOUND),
      without: searchByWords([rest], question).judge(vectors, FOUND),
      isRight: ({ build }) => build === section || build.knowledgeId === section.knowledgeId,
    });
    await setImmediate();
  }
  return answers;
}
