import type { Passage as FoundPassage } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Call } from '@parley/runtime/rpc';
import type { Said } from '../answerer/answerer.ts';
import { talkOf } from '../domain/canned-replies.ts';
import { evidenceOf, hasEvidence } from '../domain/evidence.ts';
import type { Parts } from '../parts.ts';
import type { ChatbotDoc } from '../store/model.ts';

/** What the attached knowledge has on a question. */
export interface Found {
  /** Those with enough evidence to answer from, best first. */
  passages: FoundPassage[];
  /** What was searched, with words of the history if the question can't be understood alone. */
  searched: string;
}

const NOTHING_FOUND: Found = { passages: [], searched: '' };

/** The best FAQ item may stand behind many pages. */
const LIMIT_FAQ_FIRST = 50;
/** The search takes no more. */
const MAX_CONTEXT = 10;
const MAX_CONTEXT_LENGTH = 2_000;

/** Searches for a question. Small talk finds nothing. */
export async function findPassages(
  { knowledge }: Pick<Parts, 'knowledge'>,
  assistant: ChatbotDoc,
  { question, history }: { question: string; history: readonly Said[] },
  call: Call,
): Promise<Found> {
  const knowledgeIds = assistant.knowledge.map(({ item }) => item);
  if (knowledgeIds.length === 0 || talkOf(question)) return NOTHING_FOUND;
  const faqFirst = assistant.faq_first ?? false;
  const context = history.filter(({ by }) => by === 'user').map(({ message }) => message);
  const { passages, searched } = await knowledge.search(
    { knowledgeIds, query: question, limit: faqFirst ? LIMIT_FAQ_FIRST : 0, context: bounded(context) },
    call.onward(),
  );
  return { passages: answering(passages, faqFirst), searched: searched || question };
}

const bounded = (context: readonly string[]): string[] =>
  context.slice(-MAX_CONTEXT).map((text) => text.slice(0, MAX_CONTEXT_LENGTH));

function answering(passages: FoundPassage[], faqFirst: boolean): FoundPassage[] {
  const fromFaq = passages.filter((passage) => passage.isFaq && hasEvidence(passage));
  return faqFirst && fromFaq.length > 0 ? evidenceOf(fromFaq) : evidenceOf(passages);
}
