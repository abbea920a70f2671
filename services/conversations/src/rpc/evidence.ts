import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ConversationsService,
  Evidence as EvidenceMessage,
  EvidenceSchema,
  Outcome as OutcomeNumber,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import { numberOf, valueAt } from '../domain/enums.ts';
import { boundedEvidence, type Evidence, OUTCOMES } from '../domain/evidence.ts';
import type { Parts } from '../parts.ts';
import type { EvidenceDoc } from '../store/model.ts';
import { confidenceNumber, confidenceOf, refOf } from './messages.ts';

/** What each answer rests on, in the order of the questions. */
export const listEvidence =
  ({ threads }: Pick<Parts, 'threads'>): Rpc<typeof ConversationsService.method.listEvidence> =>
  async ({ thread: ref, limit, nextCursor }, { account }) => {
    const thread = await threads.find(refOf(account, ref));
    const found = await threads.entries.evidenceOf(thread, { limit, nextCursor });
    return { ...found, items: found.items.map(evidenceMessage) };
  };

/** Evidence from a request. @throws AppError `invalid_argument`, also for the outcome of the other RPC. */
export function evidenceOf(message: EvidenceMessage | undefined, isAnswer: boolean): Evidence | undefined {
  if (!message) return undefined;
  const outcome = valueAt('evidence.outcome', OUTCOMES, message.outcome);
  if (outcome === undefined || (outcome === 'failed') === isAnswer)
    throw invalidArgument(`evidence.outcome must be ${isAnswer ? 'answered or no_evidence' : 'failed'}.`);
  const { answerer, offered, cited } = message;
  const confidence = confidenceOf('evidence.confidence', message.confidence);
  const passages = offered.map(({ knowledgeId: knowledge_id, passageId: passage_id, title, url, score }) => ({
    knowledge_id,
    passage_id,
    title,
    url,
    score,
  }));
  return boundedEvidence({ outcome, answerer, offered: passages, cited, confidence });
}

const evidenceMessage = ({ entry, outcome, answerer, offered, cited, confidence }: EvidenceDoc): EvidenceInit => ({
  entry,
  outcome: numberOf(OUTCOMES, outcome) as OutcomeNumber,
  answerer,
  offered: offered.map(({ knowledge_id: knowledgeId, passage_id: passageId, title, url, score }) => ({
    knowledgeId,
    passageId,
    title,
    url,
    score,
  })),
  cited,
  confidence: confidenceNumber(confidence),
});

type EvidenceInit = MessageInitShape<typeof EvidenceSchema>;
