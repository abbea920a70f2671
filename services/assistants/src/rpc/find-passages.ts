import { languageOf } from '@parley/language';
import type { Passage as FoundPassage } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { traced } from '@parley/runtime';
import type { Call } from '@parley/runtime/rpc';
import type { Answerer, Asked } from '../answerer/answerer.ts';
import type { Dependencies } from '../dependencies.ts';
import { talkOf } from '../domain/canned-replies.ts';
import { confidenceOf, mayBeAbout } from '../domain/evidence.ts';
import type { AssistantDoc } from '../store/model.ts';

/** The attached knowledge's passages for a question. */
export interface Found {
  /** Passages that may be about it, best first; for a model, others follow. */
  passages: FoundPassage[];
  /** The query, with words of the history if the question can't be understood alone. */
  searched: string;
  /** True if the message asks for nothing. */
  asksNothing?: boolean;
}

const NOTHING_FOUND: Found = { passages: [], searched: '' };

/** A model reads many sections, each of several passages, and the best FAQ item may stand behind many pages. */
const LIMIT = 50;
/** The search takes no more. */
const MAX_CONTEXT = 10;
const MAX_CONTEXT_LENGTH = 2_000;
/** Share of the passages found that are in a language, if most of the knowledge may be written in it. */
const OFTEN = 0.25;

type Search = (query: string, context?: readonly string[]) => Promise<Omit<Found, 'asksNothing'>>;

/** Searches the knowledge attached to an assistant; small talk finds nothing. */
export const searching =
  (
    {
      knowledge,
      answerer,
      metrics,
    }: Pick<Dependencies, 'knowledge' | 'answerer'> & Partial<Pick<Dependencies, 'metrics'>>,
    assistant: AssistantDoc,
    call: () => Call,
  ): Search =>
  async (query, context = []) => {
    const limit = answerer.rewrite || assistant.faq_first ? LIMIT : 0;
    const knowledgeIds = assistant.knowledge.map(({ item }) => item);
    if (knowledgeIds.length === 0 || talkOf(query)) return NOTHING_FOUND;
    const said = context.slice(-MAX_CONTEXT).map((text) => text.slice(0, MAX_CONTEXT_LENGTH));
    const began = performance.now();
    const asked = { knowledgeIds, query, limit, context: said };
    const { passages, searched } = await traced('search', {}, () => knowledge.search(asked, call().onward())).finally(
      () => metrics?.step('search', (performance.now() - began) / 1_000),
    );
    return { passages, searched: searched || query };
  };

/**
 * Searches for a message, the first time as it is. A model says how to search for one that follows others or is in another
 * language than what was found, and whether it asks for anything at all.
 */
export async function findPassages(
  asked: Asked,
  { search, first, answerer, faqFirst }: { search: Search; first: Found; answerer: Answerer; faqFirst: boolean },
  signal: AbortSignal,
): Promise<Found> {
  const { question, history } = asked;
  const languages = otherLanguages(question, first.passages);
  let all = [first];
  if (answerer.rewrite && !talkOf(question) && (history.length > 0 || languages.length > 0)) {
    const { queries, asksNothing } = await answerer.rewrite(asked, languages, signal);
    if (asksNothing) return { ...NOTHING_FOUND, asksNothing };
    const others = await Promise.all(queries.filter((query) => query !== question).map((query) => search(query)));
    all = queries.includes(question) ? [first, ...others] : others;
  }
  const found = merged(all.map((one) => one.passages));
  // A model that reads one passage may as well read what else was found: it tells better what belongs to the question.
  const passages = answerer.rewrite && found.some(mayBeAbout) ? found : found.filter(mayBeAbout);
  return { passages: fromFaqFirst(passages, faqFirst), searched: all[0]!.searched };
}

/** The languages that much of what was found is written in, the most frequent first, but for the question's. */
function otherLanguages(question: string, passages: readonly FoundPassage[]): string[] {
  const own = languageOf(question);
  if (own === undefined) return [];
  const counts = new Map<string, number>();
  for (const { language } of passages) if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts]
    .filter(([language, count]) => language !== own && count >= OFTEN * passages.length)
    .sort(([, a], [, b]) => b - a)
    .map(([language]) => language);
}

/** The passages of several searches, each once and as the search that is surest of it found it, the best first. */
function merged(searches: readonly (readonly FoundPassage[])[]): FoundPassage[] {
  if (searches.length === 1) return [...searches[0]!];
  const all = searches.flat().sort((a, b) => b.evidence - a.evidence || b.score - a.score);
  const known = new Set<string>();
  return all.filter(({ id }) => id === '' || (!known.has(id) && known.add(id)));
}

function fromFaqFirst(passages: FoundPassage[], faqFirst: boolean): FoundPassage[] {
  const fromFaq = passages.filter((passage) => passage.isFaq && confidenceOf(passage) !== null);
  return faqFirst && fromFaq.length > 0 ? fromFaq : passages;
}
