import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  Confidence as ConfidenceNumber,
  type EvidenceSchema,
  Outcome,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Passage as FoundPassage } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type CitedAnswer, sourceTitle } from '../domain/cite.ts';
import type { Confidence } from '../domain/evidence.ts';
import { plainAddress } from '../domain/markup.ts';

/** The conversations service accepts no more. */
const MAX_OFFERED = 50;
/** Code points. */
const MAX_ANSWERER = 200;

/**
 * The evidence of an answer, as stored with it; without an answer, what there was to answer from. Titles and addresses are
 * bounded and plain, as in the answer's own list of sources.
 */
export function evidenceMessage(
  answerer: string,
  passages: readonly FoundPassage[],
  answer?: Omit<CitedAnswer, 'message' | 'sources'>,
): MessageInitShape<typeof EvidenceSchema> {
  const offered = answer?.isTalk ? [] : passages.slice(0, MAX_OFFERED);
  const cited = new Set<unknown>(answer?.cited);
  return {
    outcome: outcomeOf(answer),
    answerer: [...(answer?.by ?? answerer)].slice(0, MAX_ANSWERER).join(''),
    offered: offered.map((passage) => ({
      knowledgeId: passage.knowledgeId,
      passageId: passage.id,
      title: sourceTitle(passage),
      url: plainAddress(passage.url),
      score: passage.score,
    })),
    cited: offered.flatMap((passage, i) => (cited.has(passage) ? [i + 1] : [])),
    confidence: confidenceNumber(answer?.confidence ?? null),
  };
}

export const confidenceNumber = (confidence: Confidence | null): ConfidenceNumber =>
  confidence === null
    ? ConfidenceNumber.UNSPECIFIED
    : { low: ConfidenceNumber.LOW, high: ConfidenceNumber.HIGH }[confidence];

/** An answer that cites nothing says that the knowledge has none, unless it is small talk. */
function outcomeOf(answer: Pick<CitedAnswer, 'cited' | 'isTalk'> | undefined) {
  if (!answer) return Outcome.FAILED;
  return answer.isTalk || answer.cited.length > 0 ? Outcome.ANSWERED : Outcome.NO_EVIDENCE;
}
