import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AnswerSettingsChange, AnswerSettingsSchema } from '@parley/proto/assistants/v1/assistants_service_pb';
import { ANSWER_SETTINGS, type AnswerSettings, answerSettings, checkAnswerText } from '../domain/answer-settings.ts';
import { given } from './given.ts';

/** The fields to store for a change. @throws AppError `invalid_argument` for a text that is blank or too long. */
export function answerFields(change: AnswerSettingsChange | undefined): Partial<AnswerSettings> {
  const { greeting, tone, noEvidenceMessage, lowConfidenceMessage, faqFirst } = change ?? {};
  const checked = (field: Parameters<typeof checkAnswerText>[0], text: string | undefined) =>
    text === undefined ? undefined : checkAnswerText(field, text);
  return given({
    greeting: checked('greeting', greeting),
    tone: checked('tone', tone),
    no_evidence_message: checked('no_evidence_message', noEvidenceMessage),
    low_confidence_message: checked('low_confidence_message', lowConfidenceMessage),
    faq_first: faqFirst,
  });
}

/** Absent for an assistant whose settings were never changed. */
export function answersMessage(assistant: Partial<AnswerSettings>): {
  answers?: MessageInitShape<typeof AnswerSettingsSchema>;
} {
  const { greeting, tone, no_evidence_message, low_confidence_message, faq_first } = answerSettings(assistant);
  if (ANSWER_SETTINGS.every((setting) => assistant[setting] === undefined)) return {};
  return {
    answers: {
      ...(greeting !== null && { greeting }),
      ...(tone !== null && { tone }),
      ...(no_evidence_message !== null && { noEvidenceMessage: no_evidence_message }),
      ...(low_confidence_message !== null && { lowConfidenceMessage: low_confidence_message }),
      faqFirst: faq_first,
    },
  };
}
