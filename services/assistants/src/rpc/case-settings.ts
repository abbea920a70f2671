import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AiReply,
  type CaseSettingsChange,
  type CaseSettingsSchema,
} from '@parley/proto/assistants/v1/assistants_service_pb';
import { invalidArgument } from '@parley/runtime';
import { AI_REPLIES, CASE_SETTINGS, type CaseSettings, caseSettings, checkNotify } from '../domain/case-settings.ts';
import { given } from './given.ts';

/** The fields to store for a change. @throws AppError `invalid_argument` for a value that is none. */
export function caseFields(change: CaseSettingsChange | undefined): Partial<CaseSettings> {
  if (!change) return {};
  const { aiReply, notify } = change;
  const ai_reply = aiReply === AiReply.UNSPECIFIED ? undefined : AI_REPLIES[aiReply - 1];
  if (aiReply !== AiReply.UNSPECIFIED && !ai_reply)
    throw invalidArgument(`ai_reply must be one of ${AI_REPLIES.join(', ')}.`);
  return given({ ai_reply, notify: notify && checkNotify(notify.values) });
}

/** Absent for an assistant whose settings were never changed. */
export function casesMessage(assistant: Partial<CaseSettings>): {
  cases?: MessageInitShape<typeof CaseSettingsSchema>;
} {
  if (CASE_SETTINGS.every((setting) => assistant[setting] === undefined)) return {};
  const { ai_reply, notify } = caseSettings(assistant);
  return { cases: { aiReply: (AI_REPLIES.indexOf(ai_reply) + 1) as AiReply, notify } };
}
