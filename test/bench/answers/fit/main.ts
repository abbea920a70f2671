/**
 * Fits what searches know of an embedding model before a build says anything about itself (`search/priors.ts` of the corpus):
 * headings of documentation are asked of it, with their section and without, and of other documentation. Downloads the
 * packages and embeds some 7,000 texts, which takes minutes; the vectors are kept in the cache.
 *
 *     node deploy/run.mjs test/bench/answers/fit/main.ts english | multilingual | words
 */

import { createEmbedders, type Embedder, WORDS } from '@parley/corpus';
import { localModelDir } from '../../local-model.ts';
import { keptEmbeddings } from './embeddings.ts';
import { fit } from './fit.ts';
import { materialOf } from './material.ts';

const [kind] = process.argv.slice(2);
if (kind !== 'english' && kind !== 'multilingual' && kind !== 'words')
  throw new Error('english, multilingual or words?');
const embedder = kind === 'words' ? null : await embedderOf(kind);
const sites = await materialOf(embedder && (await keptEmbeddings(embedder)), kind !== 'multilingual');
const result = await fit(sites, embedder ?? { model: undefined, prior: WORDS });
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
process.exit(0);

async function embedderOf(kind: 'english' | 'multilingual'): Promise<Embedder> {
  const modelDir = await localModelDir();
  const multilingualDir = kind === 'multilingual' ? await localModelDir('multilingual') : undefined;
  return createEmbedders({ use: 'local', modelDir, multilingualDir, localModel: kind }).current!;
}
