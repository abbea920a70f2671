import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AnswerSettingsChange, AnswerSettingsSchema } from '@parley/proto/assistants/v1/assistants_service_pb';
import { type AnswerSettings, answerSettings, checkAnswerText } from '../domain/answer-settings.ts';
import { given } from './given.ts';

/** The fields to store for a change. @throws AppError `invalid_argument` for a text that is blank or too long. */
export function answerFields(change: AnswerSettingsChange | undefined): Partial<AnswerSettings> {
  const { greeting, tone, noEvidenceMessage, faqFirst } = change ?? {};
  return given({
    greeting: greeting === undefined ? undefined : checkAnswerText('greeting', greeting),
    tone: tone === undefined ? undefined : checkAnswerText('tone', tone),
    no_evidence_message:
      noEvidenceMessage === undefined ? undefined : checkAnswerText('no_evidence_message', noEvidenceMessage),
    faq_first: faqFirst,
  });
}

/** Absent for an assistant whose settings were never changed. */
export function answersMessage(assistant: Partial<AnswerSettings>): {
  answers?: MessageInitShape<typeof AnswerSettingsSchema>;
} {
  const { greeting, tone, no_evidence_message, faq_first } = assistant;
  if ([greeting, tone, no_evidence_message, faq_first].every((setting) => setting === undefined)) return {};
  const settings = answerSettings(assistant);
  return {
    answers: {
      ...(settings.greeting !== null && { greeting: settings.greeting }),
      ...(settings.tone !== null && { tone: settings.tone }),
      ...(settings.no_evidence_message !== null && { noEvidenceMessage: settings.no_evidence_message }),
      faqFirst: settings.faq_first,
    },
  };
}
