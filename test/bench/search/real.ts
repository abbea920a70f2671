import {
  createEmbedders,
  type IndexedChunk,
  localEngine,
  memoryBuild,
  type OpenBuild,
  type QueryVector,
  type SearchedBuild,
  search,
} from '@parley/corpus';
import { cosineOf, toRow } from '../../../packages/corpus/src/build/vector-rows.ts';
import { loadModel } from '../../../packages/corpus/src/embedding/local-model.ts';
import { readModelDirectory } from '../../../packages/corpus/src/embedding/model-directory.ts';
import { embeddedText } from '../../../services/trainer/src/training/build-writer.ts';
import { pageChunks } from '../answers/fit/corpus.ts';
import { type KeptEmbeddings, keptEmbeddings } from '../answers/fit/embeddings.ts';
import { readManuals } from '../answers/manuals.ts';
import { type Ground, readSites } from '../answers/sites.ts';
import { localModelDir } from '../local-model.ts';

/** Results of real questions on real pages if only candidates are scored, beside scoring everything; and the cost of a training. */
export interface Measured {
  passages: number;
  questions: number;
  /** See `recallOf`. */
  recall: number;
  recallOfInt8: number;
  /** Milliseconds of CPU for one passage. */
  embeddingCpu: number;
  writingCpu: number;
}

/** Every passage is scored for each question: slow. */
const EVERY = 4;
/** Enough to tell what one takes. */
const EMBEDDED = 128;
const BEST = 10;

export type Compared = SearchedBuild<OpenBuild>;

/** Share of the ten best of all passages that are among the ten best of those nominated. */
export async function recallOf(
  builds: readonly Compared[],
  questions: readonly { text: string; vectors: ReadonlyMap<string, QueryVector> }[],
): Promise<number> {
  const engine = localEngine();
  const passages = builds.reduce((sum, { index }) => sum + index.info.passages, 0);
  const everything: Pick<typeof engine, 'candidates'> = {
    candidates: (parts, words, vectors) => engine.candidates(parts, words, vectors, 2 * passages),
  };
  let found = 0;
  let all = 0;
  for (const { text, vectors } of questions) {
    const best = async (by: typeof everything) =>
      (await search(by, builds, text, vectors)).found
        .slice(0, BEST)
        .map(({ build, passage }) => `${build.knowledgeId} ${passage.n}`);
    const [wanted, got] = [await best(everything), new Set(await best(engine))];
    all += wanted.length;
    found += wanted.filter((each) => got.has(each)).length;
  }
  return found / all;
}

/**
 * All English sites and manuals of the table of answers as one corpus, asked every question about any of them; and what it takes
 * to write their passages, and to embed some of them.
 */
export async function measuredOnRealTexts(): Promise<Measured> {
  const modelDir = await localModelDir();
  const embedder = createEmbedders({ use: 'local', modelDir }).current!;
  const kept = await keptEmbeddings(embedder);
  const grounds = [...(await readSites()), ...(await readManuals())].filter(({ language }) => language === 'en');
  const chunks = new Map<string, IndexedChunk[]>();
  for (const ground of grounds) chunks.set(ground.name, await chunksOf(ground, kept));
  const builds = [...chunks].map(([knowledgeId, some]) => ({ knowledgeId, index: memoryBuild(some, embedder.model) }));
  const asked = grounds.flatMap(({ questions }) => questions.map(({ ask }) => ask));
  const texts = asked.filter((_, i) => i % EVERY === 0);
  const vectors = await kept.queries(texts);
  const vectorsOf = (i: number) => new Map([[embedder.model, { vector: vectors[i]!, prior: embedder.prior }]]);
  const all = [...chunks.values()].flat();
  const embedded = all.slice(0, EMBEDDED).map(embeddedText);
  // In this process, whose time on the processor is measured.
  const embed = await loadModel(readModelDirectory(modelDir));
  await embed(embedded[0]!);
  const measured = {
    passages: all.length,
    questions: texts.length,
    recall: await recallOf(
      builds,
      texts.map((text, i) => ({ text, vectors: vectorsOf(i) })),
    ),
    recallOfInt8: recallOfInt8(all, vectors),
    embeddingCpu: (await cpuOf(() => inOrder(embedded, embed))) / embedded.length,
    writingCpu:
      (await cpuOf(async () => [...chunks.values()].map((some) => memoryBuild(some, 'm').close()))) / all.length,
  };
  await embedder.close();
  return measured;
}

async function chunksOf({ pages, language }: Ground, kept: KeptEmbeddings): Promise<IndexedChunk[]> {
  const chunks = [...pages].flatMap(([path, html]) => pageChunks(path, Buffer.from(html), language));
  const vectors = await kept.passages(chunks.map(embeddedText));
  return chunks.map((chunk, i) => ({ ...chunk, vector: vectors[i]! }));
}

/** How many of the ten nearest passages are among the ten nearest by the rounded vectors that a build has. */
function recallOfInt8(chunks: readonly IndexedChunk[], questions: readonly Float32Array[]): number {
  const rows = chunks.map(({ vector }) => toRow(vector!, vector!.length));
  const nearest = (cosine: (at: number) => number) => {
    const cosines = chunks.map((_, at) => ({ at, cosine: cosine(at) }));
    return cosines
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, BEST)
      .map(({ at }) => at);
  };
  const shares = questions.map((question) => {
    const exact = new Set(
      nearest((at) => chunks[at]!.vector!.reduce((sum, value, i) => sum + value * question[i]!, 0)),
    );
    return nearest((at) => cosineOf(question, rows[at]!) ?? -1).filter((at) => exact.has(at)).length / BEST;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

async function inOrder(texts: readonly string[], embed: (text: string) => Promise<unknown>): Promise<void> {
  for (const text of texts) await embed(text);
}

/** In milliseconds, of all threads. */
async function cpuOf(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
