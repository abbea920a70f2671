import type { Passage as FoundPassage } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Call } from '@parley/runtime/rpc';
import type { Said } from '../answerer/answerer.ts';
import type { Part } from '../domain/choose.ts';
import { evidenceOf, hasEvidence } from '../domain/evidence.ts';
import { answersTalk, mayHaveAnswer } from '../domain/own-words.ts';
import { partsOfQuestion } from '../domain/parts-of-question.ts';
import { talkOf } from '../domain/talk.ts';
import type { Parts } from '../parts.ts';
import type { ChatbotDoc } from '../store/model.ts';

/** What the attached knowledge has on a question. */
export interface Found {
  /** Those with enough evidence to answer from, best first, and those that only a part of the question found. */
  passages: FoundPassage[];
  /** If the question has several. */
  parts: Part[];
  /** What was searched, with words of the history if the question can't be understood alone. */
  searched: string;
}

const NOTHING_FOUND: Found = { passages: [], parts: [], searched: '' };

/** The best FAQ item may stand behind many pages. */
const LIMIT_FAQ_FIRST = 50;
/** The search takes no more. */
const MAX_CONTEXT = 10;
const MAX_CONTEXT_LENGTH = 2_000;

/**
 * Searches for a question, and for each of its parts if it has several. Small talk finds an FAQ item that answers just that,
 * or nothing.
 */
export async function findPassages(
  { knowledge }: Pick<Parts, 'knowledge'>,
  assistant: ChatbotDoc,
  { question, history }: { question: string; history: readonly Said[] },
  call: Call,
): Promise<Found> {
  const knowledgeIds = assistant.knowledge.map(({ item }) => item);
  if (knowledgeIds.length === 0) return NOTHING_FOUND;
  const faqFirst = assistant.faq_first ?? false;
  const talk = talkOf(question);
  const search = async (query: string, context: readonly string[]) => {
    const limit = faqFirst || talk ? LIMIT_FAQ_FIRST : 0;
    const { passages, searched } = await knowledge.search(
      { knowledgeIds, query, limit, context: bounded(context) },
      call.onward(),
    );
    return { question: query, passages: answering(passages, faqFirst), all: passages, searched: searched || query };
  };
  if (talk) {
    if (!mayHaveAnswer(talk)) return NOTHING_FOUND;
    const { all } = await search(question, []);
    return { ...NOTHING_FOUND, passages: all.filter((passage) => answersTalk(talk, passage)).slice(0, 1) };
  }
  const said = history.filter(({ by }) => by === 'user').map(({ message }) => message);
  const split = partsOfQuestion(question);
  const [whole, ...ofParts] = await Promise.all([
    search(question, said),
    // A later part may refer to an earlier one: "and how do I remove it?"
    ...split.map((part, i) => search(part, [...said, ...split.slice(0, i)])),
  ]);
  return { ...merged(whole!.passages, ofParts, faqFirst), searched: whole!.searched };
}

const bounded = (context: readonly string[]): string[] =>
  context.slice(-MAX_CONTEXT).map((text) => text.slice(0, MAX_CONTEXT_LENGTH));

function answering(passages: FoundPassage[], faqFirst: boolean): FoundPassage[] {
  const fromFaq = passages.filter((passage) => passage.isFaq && hasEvidence(passage));
  return faqFirst && fromFaq.length > 0 ? evidenceOf(fromFaq) : evidenceOf(passages);
}

/** A passage that several searches found is one object, so that its position among what was offered can be found. */
function merged(
  whole: readonly FoundPassage[],
  parts: readonly { question: string; passages: FoundPassage[] }[],
  faqFirst: boolean,
) {
  const known = new Map<string, FoundPassage>();
  const one = (passage: FoundPassage) => {
    const found = (passage.id && known.get(passage.id)) || passage;
    if (passage.id) known.set(passage.id, found);
    return found;
  };
  const all = new Set([...whole, ...parts.flatMap(({ passages }) => passages)].map(one));
  const fromFaq = [...all].filter(({ isFaq }) => isFaq);
  const isGood = (passage: FoundPassage) => passage.isFaq || !faqFirst || fromFaq.length === 0;
  return {
    passages: [...all].filter(isGood),
    parts: parts
      .map(({ question, passages }) => ({ question, passages: passages.map(one).filter(isGood) }))
      .filter(({ passages }) => passages.length > 0),
  };
}
