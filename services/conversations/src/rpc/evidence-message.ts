import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  Answer as AnswerMessage,
  Evidence as EvidenceMessage,
  EvidenceSchema,
  Outcome as OutcomeNumber,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import { numberOf, valueAt } from '../domain/enums.ts';
import { boundedEvidence, type Evidence, OUTCOMES } from '../domain/evidence.ts';
import { checkMessage, MAX_ANSWER } from '../domain/limits.ts';
import type { NewAnswer } from '../store/claims.ts';
import type { EvidenceDoc } from '../store/model.ts';
import { confidenceNumber, confidenceOf } from './messages.ts';

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

export const evidenceMessage = ({
  entry,
  outcome,
  answerer,
  offered,
  cited,
  confidence,
}: EvidenceDoc): EvidenceInit => ({
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

/** An answer from a request. @throws AppError `invalid_argument` */
export function newAnswer(answer: AnswerMessage | undefined, evidence: EvidenceMessage | undefined): NewAnswer {
  const text = checkMessage(answer?.message ?? '', MAX_ANSWER);
  const sources = answer!.sources.map(({ n, title, url }) => ({ n, title, url }));
  const confidence = confidenceOf('answer.confidence', answer!.confidence);
  return { text, sources, confidence, evidence: evidenceOf(evidence, true) };
}
