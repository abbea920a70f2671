import { deriveId } from '@parley/runtime';
import { textHash } from '../chunk.ts';
import type { Searchable } from './engine.ts';
import type { Judged } from './search.ts';

const ID_CHARACTERS = 32;

/**
 * A passage as the contract shows it. Its id is of its place in the item: the same in the next build.
 *
 * @param section the text around it in its section; of an FAQ item, the answer
 */
export function toHit(judged: Judged<Searchable>, section: string) {
  const { build, passage, features, relatedness, evidence, cosine } = judged;
  const { knowledgeId, isFaq = false } = build;
  const { title, url, text, headings = [], source, index, language = '' } = passage;
  const place = isFaq
    ? [source]
    : passage.section === undefined
      ? [source, 'passage', index]
      : [source, 'section', passage.section];
  return {
    ...{ knowledgeId, id: deriveId(knowledgeId, source, String(index)), title, url, text },
    ...(cosine !== undefined && { similarity: cosine }),
    ...{ score: features.score, relatedness, evidence, headings: [...headings], section },
    sectionId: textHash(JSON.stringify([knowledgeId, ...place])).slice(0, ID_CHARACTERS),
    ...{ language, isFaq },
  };
}
