import type { IndexedChunk } from '@parley/corpus';
import type { EmbeddedQuestion } from '../../../../services/trainer/src/training/ask-masked.ts';
import { embeddedText } from '../../../../services/trainer/src/training/build-writer.ts';
import { maskedQuestions } from '../../../../services/trainer/src/training/masking.ts';
import { chunksOf } from './corpus.ts';
import type { KeptEmbeddings } from './embeddings.ts';
import { FIT_SITES } from './sites.ts';

/** A site and its masked questions; with vectors, unless there is no model. */
export interface Material {
  name: string;
  chunks: IndexedChunk[];
  questions: EmbeddedQuestion[];
}

/** Chunks of a site: about as many as a small business has. */
const CHUNKS = 120;
const QUESTIONS = 40;
/** The multilingual model takes five times as long. */
const FEW_CHUNKS = 80;
const FEW_QUESTIONS = 30;

export async function materialOf(embeddings: KeptEmbeddings | null, isEnglish: boolean): Promise<Material[]> {
  const sites: Material[] = [];
  for (const site of FIT_SITES.filter(({ language, inBoth }) => (isEnglish ? language === 'en' : inBoth))) {
    const chunks = await chunksOf(site, isEnglish ? CHUNKS : FEW_CHUNKS);
    const masked = maskedQuestions(chunks, false).slice(0, isEnglish ? QUESTIONS : FEW_QUESTIONS);
    if (embeddings) process.stderr.write(`${site.name}: ${chunks.length} chunks, ${masked.length} questions\n`);
    const questions: EmbeddedQuestion[] = [];
    for (const question of masked) {
      const [vector] = (await embeddings?.queries([question.question])) ?? [];
      questions.push({ ...question, vector, masked: await embedded(embeddings, question.masked) });
    }
    sites.push({ name: site.name, chunks: await embedded(embeddings, chunks), questions });
  }
  return sites;
}

async function embedded(embeddings: KeptEmbeddings | null, chunks: readonly IndexedChunk[]): Promise<IndexedChunk[]> {
  const vectors = await embeddings?.passages(chunks.map(embeddedText));
  return chunks.map((chunk, i) => ({ ...chunk, ...(vectors && { vector: vectors[i]! }) }));
}
