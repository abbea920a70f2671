import { invalidArgument } from '@parley/runtime';
import { boundedText, requiredText } from '@parley/runtime/text';

export type Outcome = 'answered' | 'no_evidence' | 'failed';
export const OUTCOMES: readonly Outcome[] = ['answered', 'no_evidence', 'failed'];

/** How sure an answer is, in the order of the contract's enum. */
export const CONFIDENCES = ['low', 'high'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** A passage that the answerer was given. */
export interface Offered {
  knowledge_id: string;
  passage_id: string;
  title: string;
  url: string;
  score: number;
}

/** The evidence of an answer. */
export interface Evidence {
  outcome: Outcome;
  /** Who answered, and its version. */
  answerer: string;
  offered: Offered[];
  /** Positions in `offered`, from 1. */
  cited: number[];
  /** Null without an answer. */
  confidence?: Confidence | null;
}

const MAX_OFFERED = 50;
/** Code points. */
const MAX_ANSWERER = 200;
const MAX_ID = 100;
const MAX_TITLE = 300;
const MAX_URL = 2_048;

/**
 * Evidence as it is stored. Pages have titles and addresses of any length, which must not fail an answer: a long title is
 * cut, and a long address left out.
 *
 * @throws AppError `invalid_argument` for anything else out of bounds.
 */
export function boundedEvidence({ outcome, answerer, offered, cited, confidence = null }: Evidence): Evidence {
  if (offered.length > MAX_OFFERED)
    throw invalidArgument(`evidence.offered must have at most ${MAX_OFFERED} passages.`);
  if (cited.some((n) => n < 1 || n > offered.length))
    throw invalidArgument('evidence.cited must be positions in evidence.offered, from 1.');
  return {
    outcome,
    answerer: requiredText('evidence.answerer', answerer, MAX_ANSWERER),
    offered: offered.map(boundedPassage),
    cited: [...new Set(cited)].sort((a, b) => a - b),
    confidence,
  };
}

function boundedPassage({ knowledge_id, passage_id, title, url, score }: Offered): Offered {
  if (!Number.isFinite(score)) throw invalidArgument('evidence.offered.score must be a finite number.');
  return {
    knowledge_id: boundedText('evidence.offered.knowledge_id', knowledge_id, MAX_ID),
    passage_id: boundedText('evidence.offered.passage_id', passage_id, MAX_ID),
    title: [...title.slice(0, 2 * MAX_TITLE)].slice(0, MAX_TITLE).join(''),
    url: url.length > MAX_URL ? '' : url,
    score,
  };
}
