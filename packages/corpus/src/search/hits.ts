import { deriveId } from '@parley/runtime';
import { textHash } from '../chunk.ts';
import type { Searchable } from './engine.ts';
import type { Judged } from './search.ts';

/** A passage as it is shown. */
export interface Hit extends Pick<Judged<Searchable>, 'relatedness' | 'evidence'> {
  /** 0 to 1; comparable between searches by the same model. */
  readonly score: number;
  readonly knowledgeId: string;
  /** Derived from its place in the item: the same in the next build. */
  readonly passageId: string;
  readonly title: string;
  readonly url: string;
  /** Without the headings above it. */
  readonly text: string;
  /** Cosine of question and passage, -1 to 1; absent where the build was searched by words alone. */
  readonly similarity?: number;
  /** Outermost first. */
  readonly headings: readonly string[];
  /** The text around it in its section; of an FAQ item, the answer. */
  readonly section: string;
  /** Equal for passages of one section. */
  readonly sectionId: string;
  /** BCP 47; empty if unknown. */
  readonly language: string;
  readonly isFaq: boolean;
}

const ID_CHARACTERS = 32;

export function toHit(judged: Judged<Searchable>, section: string): Hit {
  const { build, passage, features, relatedness, evidence, cosine } = judged;
  const { knowledgeId, isFaq = false } = build;
  const { title, url, text, headings = [], source, index, language = '' } = passage;
  const place = isFaq
    ? [source]
    : passage.section === undefined
      ? [source, 'passage', index]
      : [source, 'section', passage.section];
  return {
    ...{ knowledgeId, passageId: deriveId(knowledgeId, source, String(index)), title, url, text },
    ...(cosine !== undefined && { similarity: cosine }),
    ...{ score: features.score, relatedness, evidence, headings, section },
    sectionId: textHash(JSON.stringify([knowledgeId, ...place])).slice(0, ID_CHARACTERS),
    ...{ language, isFaq },
  };
}
