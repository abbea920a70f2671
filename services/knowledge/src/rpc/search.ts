import { type LiveBuild, type QueryVector, searchBuilds } from '@parley/corpus';
import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type Call, invalidArgument, monotonicNow, type Rpc } from '@parley/runtime';
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

    const live = await parts.corpus.items.liveBuilds(call.account, knowledgeIds);
    const [builds, vectors] = await Promise.all([
      loadBuilds(parts, call.account, live),
      embedWithEach(modelsOf(live), query, parts, call),
    ]);
    const hits = searchBuilds(builds, { text: query, vectors }, limit || DEFAULT_LIMIT);
    const byWords = builds.some(({ index }) => index.model === undefined || !vectors.has(index.model));
    return { passages: hits.map(passageMessage), lexicalOnly: byWords };
  };

const modelsOf = (live: ReadonlyMap<string, LiveBuild>): Set<string> =>
  new Set([...live.values()].flatMap(({ model }) => model ?? []));

/** The query as each model sees it; a model that is absent or away is left out, and its builds are searched by words. */
async function embedWithEach(models: Set<string>, query: string, { embedders }: SearchParts, call: Call) {
  const timeoutMs = Math.max(1, Math.floor(Math.min(EMBED_MS, (call.deadline - monotonicNow()) / 2)));
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]);
  const embed = async (model: string): Promise<[string, QueryVector][]> => {
    const embedder = embedders.byModel(model);
    if (!embedder) return [];
    try {
      return [[model, { vector: await embedder.embedQuery(query, signal), weight: embedder.weight }]];
    } catch (error) {
      call.signal.throwIfAborted();
      call.log.warn({ err: error, model }, 'the query could not be embedded; its builds are searched by words');
      return [];
    }
  };
  return new Map((await Promise.all([...models].map(embed))).flat());
}
