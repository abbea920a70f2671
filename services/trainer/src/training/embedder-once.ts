import { type Embedder, languageOf, type TrainingJob } from '@parley/corpus';
import type { Parts } from '../parts.ts';
import type { Source } from '../sources/source.ts';

export interface EmbedderOnce {
  /** The embedder of the build; chosen for these texts if they are the first. Null without one, or without a text yet. */
  for(sources: readonly Source[]): Promise<Embedder | null>;
  /** What was chosen. */
  readonly embedder: Promise<Embedder | null>;
}

/**
 * Chooses a build's embedder by the language of its first texts, and records its model with the build before any chunk is
 * written. One model serves the whole build: vectors of different models can't be compared.
 *
 * @throws LeaseLost
 */
export function embedderOnce(
  { embedders, corpus }: Pick<Parts, 'embedders' | 'corpus'>,
  job: TrainingJob,
): EmbedderOnce {
  let chosen: Promise<Embedder | null> | undefined;

  async function choose(text: string): Promise<Embedder | null> {
    const embedder = embedders.forLanguage(languageOf(text));
    if (embedder) await corpus.builds.setModel(job, embedder.model);
    return embedder;
  }

  return {
    async for(sources) {
      const text = sources
        .map(({ title, text, isBlocks }) => `${title}\n${isBlocks ? withoutMarks(text) : text}`)
        .join('\n');
      if (text.trim() !== '') chosen ??= choose(text);
      return (await chosen) ?? null;
    },
    get embedder() {
      return chosen ?? Promise.resolve(null);
    },
  };
}

/** The words of encoded blocks, for telling their language. */
const withoutMarks = (encoded: string): string => encoded.slice(0, 20_000).replace(/\[(\d|"[a-z]+"),|\\[nt]/g, ' ');
