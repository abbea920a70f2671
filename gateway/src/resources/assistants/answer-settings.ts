import type { AnswerSettings } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import { requiredText } from '../../fields/text.ts';

/** How an assistant answers, the same for every kind of assistant. */

const about = {
  greeting: 'What it says to a greeting. Null: a greeting in the language of the visitor.',
  tone: 'How its answers should sound, such as `friendly and brief`. Only used with a model.',
  no_evidence_message:
    'What it says if its knowledge has no answer. Null: a sentence that says so, in the language of the question.',
  low_confidence_message:
    'What it says before a quote that may not answer the question. Null: a sentence that says so, in the language of the question.',
  faq_first: 'Answer from FAQ items alone if they have an answer, and from other knowledge only if they have none.',
};

const changed = (maxLength: number, description: string) =>
  requiredText(maxLength).nullish().meta({ description, 'x-parley-extension': true });

/** Fields of a PATCH: absent leaves a setting as it is, null brings back the default. */
export const changedAnswers = {
  greeting: changed(500, about.greeting),
  tone: changed(200, about.tone),
  no_evidence_message: changed(500, about.no_evidence_message),
  low_confidence_message: changed(500, about.low_confidence_message),
  faq_first: z.boolean().nullish().meta({ description: about.faq_first, 'x-parley-extension': true }),
};

interface ChangedAnswers {
  greeting?: string | null | undefined;
  tone?: string | null | undefined;
  no_evidence_message?: string | null | undefined;
  low_confidence_message?: string | null | undefined;
  faq_first?: boolean | null | undefined;
}

/** The change as the service takes it, where an empty text is the default. */
export function answersChange(changed: ChangedAnswers) {
  const { greeting, tone, no_evidence_message: noEvidence, low_confidence_message: lowConfidence, faq_first } = changed;
  return {
    ...(greeting !== undefined && { greeting: greeting ?? '' }),
    ...(tone !== undefined && { tone: tone ?? '' }),
    ...(noEvidence !== undefined && { noEvidenceMessage: noEvidence ?? '' }),
    ...(lowConfidence !== undefined && { lowConfidenceMessage: lowConfidence ?? '' }),
    ...(faq_first !== undefined && { faqFirst: faq_first ?? false }),
  };
}

const PRESENCE =
  'Present once a PATCH has set any of `greeting`, `tone`, `no_evidence_message`, `low_confidence_message` and `faq_first`.';
const shown = (description: string) => ({ description: `${description} ${PRESENCE}`, 'x-parley-extension': true });

/** Fields of responses. An assistant whose settings were never changed has just the fields of the contract. */
export const shownAnswers = {
  greeting: z.string().nullable().optional().meta(shown(about.greeting)),
  tone: z.string().nullable().optional().meta(shown(about.tone)),
  no_evidence_message: z.string().nullable().optional().meta(shown(about.no_evidence_message)),
  low_confidence_message: z.string().nullable().optional().meta(shown(about.low_confidence_message)),
  faq_first: z.boolean().optional().meta(shown(about.faq_first)),
};

export const answersJson = (answers: AnswerSettings | undefined) =>
  answers
    ? {
        greeting: answers.greeting ?? null,
        tone: answers.tone ?? null,
        no_evidence_message: answers.noEvidenceMessage ?? null,
        low_confidence_message: answers.lowConfidenceMessage ?? null,
        faq_first: answers.faqFirst,
      }
    : {};
