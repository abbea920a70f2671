import { type Embedder, paidBy, type TrainingJob } from '@parley/corpus';
import { languageOf } from '@parley/language';
import type { Dependencies } from '../dependencies.ts';
import type { Source } from '../sources/source.ts';

export interface EmbedderOnce {
  /** The embedder of the build; chosen for these texts if they are the first. Null without one, or without a text yet. */
  for(sources: readonly Source[]): Promise<Embedder | null>;
  readonly embedder: Promise<Embedder | null>;
}

/**
 * Chooses a build's embedder by the language of its first texts, and records its model with the build before any chunk is
 * written. One model serves the whole build: vectors of different models can't be compared.
 *
 * @throws LeaseLost
 */
export function embedderOnce(
  { embedders, tokens, corpus }: Pick<Dependencies, 'embedders' | 'tokens' | 'corpus'>,
  job: TrainingJob,
): EmbedderOnce {
  let chosen: Promise<Embedder | null> | undefined;

  async function choose(sources: readonly Source[]): Promise<Embedder | null> {
    const embedder = embedders.forLanguage(mostlyIn(sources));
    if (!embedder) return null;
    await corpus.builds.setModel(job, embedder.model);
    return paidBy(job.account, embedder, tokens);
  }

  return {
    async for(sources) {
      if (sources.some((source) => wordsOf(source).trim() !== '')) chosen ??= choose(sources);
      return (await chosen) ?? null;
    },
    get embedder() {
      return chosen ?? Promise.resolve(null);
    },
  };
}

/** The language that most of the texts are in, by their length. */
function mostlyIn(sources: readonly Source[]): string | undefined {
  const characters = new Map<string | undefined, number>();
  for (const source of sources) {
    const text = wordsOf(source);
    const language = languageOf(text, source.language);
    characters.set(language, (characters.get(language) ?? 0) + text.length);
  }
  const [most] = [...characters].sort(([, a], [, b]) => b - a);
  return most?.[0];
}

const wordsOf = ({ title, text, isBlocks }: Source): string =>
  `${title}\n${isBlocks ? withoutMarks(text) : text.slice(0, MAX_CHARACTERS)}`;

/** Characters of a text that tell its language. */
const MAX_CHARACTERS = 20_000;

/** The words of encoded blocks, for telling their language. */
const withoutMarks = (encoded: string): string =>
  encoded.slice(0, MAX_CHARACTERS).replace(/\[(\d|"[a-z]+"),|\\[nt]/g, ' ');
