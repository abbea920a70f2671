import { isBetter, joined, type LiveBuild, type QueryVector, searchByWords, toHit } from '@parley/corpus';
import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { invalidArgument, linkedSignal } from '@parley/runtime';
import { type Call, monotonicNow, type Rpc } from '@parley/runtime/rpc';
import { requiredText } from '@parley/runtime/text';
import { checkIds } from '../domain/ids.ts';
import { loadBuilds } from '../load-builds.ts';
import type { Parts } from '../parts.ts';
import { passageMessage } from './messages.ts';

const MAX_QUERY = 10_000;
const MAX_LIMIT = 50;
const DEFAULT_LIMIT = 6;
/** After that, a lexical answer is worth more than the wait. */
const EMBED_MS = 8_000;

type SearchParts = Pick<Parts, 'corpus' | 'cache' | 'embedders'>;

/** One read of the live builds decides what is searched, whatever is published or deleted meanwhile. */
export const search =
  (parts: SearchParts): Rpc<typeof KnowledgeService.method.search> =>
  async ({ knowledgeIds, query, limit, context }, call) => {
    checkIds('knowledge_ids', knowledgeIds);
    requiredText('query', query, MAX_QUERY);
    if (limit > MAX_LIMIT) throw invalidArgument(`limit must be from 1 to ${MAX_LIMIT}.`);

    const timeoutMs = Math.max(1, Math.floor(Math.min(EMBED_MS, (call.deadline - monotonicNow()) / 2)));
    using embedding = linkedSignal([call.signal], timeoutMs);
    const together = joined(query, context);
    const texts = [query, ...(together === undefined ? [] : [together])];
    const vectorsBy = texts.map((text) => embedOnce(text, parts, call, embedding.signal));
    // Nearly all builds use the current model, so start embedding before the live builds are known.
    if (parts.embedders.current) for (const vectorBy of vectorsBy) vectorBy(parts.embedders.current.model);
    const live = await parts.corpus.items.liveBuilds(call.account, knowledgeIds);
    const embedded = Promise.all(vectorsBy.map((vectorBy) => vectorsOf(modelsOf(live), vectorBy)));
    embedded.catch(() => {}); // Prevents an unhandled rejection if loading the builds fails first.
    using loaded = await loadBuilds(parts, call.account, live);
    const { builds } = loaded;
    // Runs while the query is being embedded.
    const byWords = texts.map((text) => searchByWords(builds, text));
    const vectors = await embedded;
    const [alone, more] = byWords.map((found, i) => found.judge(vectors[i]!, limit || DEFAULT_LIMIT));
    const isJoined = more !== undefined && isBetter(more, alone!);
    const used = vectors[isJoined ? 1 : 0]!;
    return {
      passages: (isJoined ? more : alone!).map(toHit).map(passageMessage),
      lexicalOnly: builds.some(({ index }) => index.model === undefined || !used.has(index.model)),
      searched: isJoined ? together! : query,
    };
  };

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

/** The query's vector by model; undefined if the model is absent or unavailable: its builds are searched by words. */
function embedOnce(query: string, { embedders }: SearchParts, call: Call, signal: AbortSignal): VectorBy {
  const vectors = new Map<string, Promise<QueryVector | undefined>>();

  async function embed(model: string) {
    const embedder = embedders.byModel(model);
    if (!embedder) return undefined;
    try {
      return {
        vector: await embedder.embedQuery(query, signal),
        weight: embedder.weight,
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
