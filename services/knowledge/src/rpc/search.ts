import {
  isBetter,
  joined,
  type LiveBuild,
  type PooledBuild,
  paidBy,
  type QueryVector,
  type SearchedBuild,
  search as searchBuilds,
  toHit,
} from '@parley/corpus';
import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { createShares, invalidArgument, linkedSignal } from '@parley/runtime';
import { type Call, monotonicNow, type Rpc } from '@parley/runtime/rpc';
import { requiredText } from '@parley/runtime/text';
import type { Dependencies } from '../dependencies.ts';
import { checkIds } from '../domain/ids.ts';
import { searchLive } from '../search-live.ts';

const MAX_QUERY = 10_000;
const MAX_LIMIT = 50;
const DEFAULT_LIMIT = 6;
/** After that, a lexical answer is worth more than the wait. */
const EMBED_MS = 8_000;
/** Each waits with a few requests in the threads of the pool, which take 500 each. */
const SEARCHES_AT_ONCE = 200;

type SearchDependencies = Pick<Dependencies, 'corpus' | 'files' | 'pool' | 'ahead' | 'embedders' | 'tokens'>;

/** One read of the live builds decides what is searched, whatever is published or deleted meanwhile. */
export function search(dependencies: SearchDependencies): Rpc<typeof KnowledgeService.method.search> {
  const searches = createShares(SEARCHES_AT_ONCE);
  return async ({ knowledgeIds, query, limit, context }, call) => {
    checkIds('knowledge_ids', knowledgeIds);
    requiredText('query', query, MAX_QUERY);
    if (limit > MAX_LIMIT) throw invalidArgument(`limit must be from 1 to ${MAX_LIMIT}.`);
    using _ = searches.begin(call.account);

    const timeoutMs = Math.max(1, Math.floor(Math.min(EMBED_MS, (call.deadline - monotonicNow()) / 2)));
    using embedding = linkedSignal([call.signal], timeoutMs);
    const together = joined(query, context);
    const texts = [query, ...(together === undefined ? [] : [together])];
    const vectorsBy = texts.map((text) => embedOnce(text, dependencies, call, embedding.signal));
    // Nearly all builds use the current model, so start embedding before the live builds are known.
    if (dependencies.embedders.current)
      for (const vectorBy of vectorsBy) vectorBy(dependencies.embedders.current.model);
    const live = await dependencies.corpus.items.liveBuilds(call.account, knowledgeIds);
    dependencies.ahead.follow(call.account, live);
    const vectors = await Promise.all(vectorsBy.map((vectorBy) => vectorsOf(modelsOf(live), vectorBy)));
    const { pool } = dependencies;
    return searchLive(dependencies, call.account, live, async (builds) => {
      const [alone, more] = await Promise.all(texts.map((text, i) => searchBuilds(pool, builds, text, vectors[i]!)));
      const isJoined = more !== undefined && isBetter(more.found, alone!.found);
      const used = vectors[isJoined ? 1 : 0]!;
      const found = (isJoined ? more : alone!).found.slice(0, limit || DEFAULT_LIMIT);
      const hits = found.map(async (judged) => {
        const { build, passage } = judged;
        return toHit(judged, await pool.section(build, passage, build.isFaq ?? false));
      });
      return {
        passages: await Promise.all(hits),
        lexicalOnly: builds.some((build) => isByWords(build, used)),
        searched: isJoined ? together! : query,
      };
    });
  };
}

const isByWords = ({ index: { info } }: SearchedBuild<PooledBuild>, used: ReadonlyMap<string, QueryVector>): boolean =>
  info.model === undefined || !used.has(info.model);

const modelsOf = (live: ReadonlyMap<string, LiveBuild>): Set<string> =>
  new Set([...live.values()].flatMap(({ model }) => model ?? []));

type VectorBy = (model: string) => Promise<QueryVector | undefined>;

async function vectorsOf(models: Set<string>, vectorBy: VectorBy): Promise<Map<string, QueryVector>> {
  const vectors = new Map<string, QueryVector>();
  const add = async (model: string) => {
    const vector = await vectorBy(model);
    if (vector) vectors.set(model, vector);
  };
  await Promise.all([...models].map(add));
  return vectors;
}

/** The query's vector by model; undefined if the model is absent or unavailable, or can't be paid for: its builds are searched by words. */
function embedOnce(
  query: string,
  { embedders, tokens }: SearchDependencies,
  call: Call,
  signal: AbortSignal,
): VectorBy {
  const vectors = new Map<string, Promise<QueryVector | undefined>>();

  async function embed(model: string) {
    const embedder = embedders.byModel(model);
    if (!embedder) return undefined;
    try {
      return {
        vector: await paidBy(call.account, embedder, tokens).embedQuery(query, signal),
        prior: embedder.prior,
      };
    } catch (error) {
      call.signal.throwIfAborted();
      call.log.warn({ err: error, model }, 'could not embed the query; searching by words only');
      return undefined;
    }
  }

  return (model) => {
    const vector = vectors.get(model) ?? embed(model);
    vector.catch(() => {}); // Prevents an unhandled rejection if nobody awaits it.
    vectors.set(model, vector);
    return vector;
  };
}
