import { requiredText } from '@parley/runtime/text';

/** How the owner of an assistant wants it to answer. Null: the default. */
export interface AnswerSettings {
  /** Its reply to a greeting. */
  greeting: string | null;
  /** How it should sound, in words for the model. */
  tone: string | null;
  /** Its reply if the knowledge has no answer. */
  no_evidence_message: string | null;
  /** Its text before a quote that may not answer the question. */
  low_confidence_message: string | null;
  /** Answers from FAQ items if they have evidence, and from other knowledge only if they have none. */
  faq_first: boolean;
}

export const ANSWER_SETTINGS = [
  'greeting',
  'tone',
  'no_evidence_message',
  'low_confidence_message',
  'faq_first',
] as const;

const LIMITS = { greeting: 500, tone: 200, no_evidence_message: 500, low_confidence_message: 500 } as const;

/** Returns a text as sent, or null for an empty one. @throws AppError `invalid_argument` if it is blank or too long. */
export const checkAnswerText = (field: keyof typeof LIMITS, text: string): string | null =>
  text === '' ? null : requiredText(field, text, LIMITS[field]);

/** The settings of an assistant. Those stored before there were any have none. */
export const answerSettings = (stored: Partial<AnswerSettings>): AnswerSettings => ({
  greeting: stored.greeting ?? null,
  tone: stored.tone ?? null,
  no_evidence_message: stored.no_evidence_message ?? null,
  low_confidence_message: stored.low_confidence_message ?? null,
  faq_first: stored.faq_first ?? false,
});
