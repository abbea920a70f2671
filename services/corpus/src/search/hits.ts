import { textHash } from '../store/chunks.ts';
import type { Judged } from './search.ts';
import { sectionOf, standing } from './sections.ts';

/** A passage as it is shown. */
export interface Hit extends Pick<Judged, 'score' | 'relatedness' | 'evidence'> {
  readonly knowledgeId: string;
  readonly chunkId: string;
  readonly title: string;
  readonly url: string;
  /** Without the headings above it. */
  readonly text: string;
  /** Cosine of question and chunk, -1 to 1; absent where the build was searched by words alone. */
  readonly similarity?: number;
  /** Share of the question's content terms that title, headings and text hold, weighted by rarity, 0 to 1. */
  readonly coverage: number;
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

export function toHit({ build, document, score, features, relatedness, evidence, cosine }: Judged): Hit {
  const { knowledgeId, index, isFaq = false } = build;
  const chunk = index.chunks[document]!;
  const { id, title, url, source, section, language = '' } = chunk;
  const { headings, text } = standing(chunk);
  const place = isFaq ? [source] : section === undefined ? [source, 'chunk', id] : [source, 'section', section];
  return {
    ...{ knowledgeId, chunkId: id, title, url, text, score },
    ...(cosine !== undefined && { similarity: cosine }),
    ...{ coverage: features.coverage, relatedness, evidence, headings },
    section: sectionOf(index, document, isFaq),
    sectionId: textHash(JSON.stringify([knowledgeId, ...place])).slice(0, ID_CHARACTERS),
    ...{ language, isFaq },
  };
}
