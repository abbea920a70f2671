import { type LiveBuild, type QueryVector, searchByWords } from '@parley/corpus';
import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type Call, invalidArgument, linkedSignal, monotonicNow, type Rpc } from '@parley/runtime';
import { checkIds } from '../domain/ids.ts';
import { requiredText } from '../domain/text.ts';
import { loadBuilds } from '../load-builds.ts';
import type { Parts } from '../parts.ts';
import { passageMessage } from './messages.ts';

const MAX_QUERY = 10_000;
const MAX_LIMIT = 50;
const DEFAULT_LIMIT = 6;
/** Longer, and an answer by words alone is worth more than the wait. */
const EMBED_MS = 8_000;

type SearchParts = Pick<Parts, 'corpus' | 'cache' | 'embedders'>;

/** One read of what is live decides what is searched, whatever is published or deleted meanwhile. */
export const search =
  (parts: SearchParts): Rpc<typeof KnowledgeService.method.search> =>
  async ({ knowledgeIds, query, limit }, call) => {
    checkIds('knowledge_ids', knowledgeIds);
    requiredText('query', query, MAX_QUERY);
    if (limit > MAX_LIMIT) throw invalidArgument(`limit must be from 1 to ${MAX_LIMIT}.`);

    const timeoutMs = Math.max(1, Math.floor(Math.min(EMBED_MS, (call.deadline - monotonicNow()) / 2)));
    using embedding = linkedSignal([call.signal], timeoutMs);
    const vectorBy = embedOnce(query, parts, call, embedding.signal);
    // Nearly all builds are of today's model, which need not wait to hear which are live.
    if (parts.embedders.current) vectorBy(parts.embedders.current.model);
    const live = await parts.corpus.items.liveBuilds(call.account, knowledgeIds);
    const searching = loadBuilds(parts, call.account, live).then((builds) => ({
      builds,
      // In the time that embedding takes.
      found: searchByWords(builds, query),
    }));
    const [{ builds, found }, vectors] = await Promise.all([searching, vectorsBy(modelsOf(live), vectorBy)]);
    const hits = found.rank(vectors, limit || DEFAULT_LIMIT);
    const byWords = builds.some(({ index }) => index.model === undefined || !vectors.has(index.model));
    return { passages: hits.map(passageMessage), lexicalOnly: byWords };
  };

const modelsOf = (live: ReadonlyMap<string, LiveBuild>): Set<string> =>
  new Set([...live.values()].flatMap(({ model }) => model ?? []));

type VectorBy = (model: string) => Promise<QueryVector | undefined>;

async function vectorsBy(models: Set<string>, vectorBy: VectorBy): Promise<Map<string, QueryVector>> {
  const vectors = new Map<string, QueryVector>();
  const add = async (model: string) => {
    const vector = await vectorBy(model);
    if (vector) vectors.set(model, vector);
  };
  await Promise.all([...models].map(add));
  return vectors;
}

/** The query as a model sees it; undefined for one that is absent or away: its builds are searched by words. */
function embedOnce(query: string, { embedders }: SearchParts, call: Call, signal: AbortSignal): VectorBy {
  const vectors = new Map<string, Promise<QueryVector | undefined>>();

  async function embed(model: string) {
    const embedder = embedders.byModel(model);
    if (!embedder) return undefined;
    try {
      return { vector: await embedder.embedQuery(query, signal), weight: embedder.weight };
    } catch (error) {
      call.signal.throwIfAborted();
      call.log.warn({ err: error, model }, 'the query could not be embedded; its builds are searched by words');
      return undefined;
    }
  }

  return (model) => {
    const vector = vectors.get(model) ?? embed(model);
    vector.catch(() => {}); // Where nobody needs it after all.
    vectors.set(model, vector);
    return vector;
  };
}
