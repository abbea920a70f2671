import type { Appearance } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import { assistantId } from '../../fields/ids.ts';
import { requiredText } from '../../fields/text.ts';

/** The appearance of a chatbot to its visitors. */

const MAX_PER_DAY = 1_000_000;
const COLOUR = '^#[0-9A-Fa-f]{6}$';

const about = {
  suggestions: 'Questions that visitors can begin with.',
  colour: 'The colour of its launcher, as #rrggbb.',
  ticket_form_id: 'The ticket form that leads to a person.',
  visitor_messages_per_day:
    "How many messages all of its visitors together may send in a day (UTC). Null: the installation's default.",
};

const changed = (description: string) => ({ description, 'x-parley-extension': true });

/** Fields of a body: absent leaves them as they are, null brings back the default. */
export const changedAppearance = {
  suggestions: z.array(requiredText(100)).max(4).nullish().meta(changed(about.suggestions)),
  colour: z
    .string()
    .regex(new RegExp(COLOUR), 'must be six hexadecimal digits after a #')
    .nullish()
    .meta(changed(about.colour)),
  ticket_form_id: assistantId.nullish().meta(changed(about.ticket_form_id)),
  visitor_messages_per_day: z
    .int()
    .min(1, `must be from 1 to ${MAX_PER_DAY}`)
    .max(MAX_PER_DAY, `must be from 1 to ${MAX_PER_DAY}`)
    .nullish()
    .meta(changed(about.visitor_messages_per_day)),
};

interface ChangedAppearance {
  suggestions?: string[] | null | undefined;
  colour?: string | null | undefined;
  ticket_form_id?: string | null | undefined;
  visitor_messages_per_day?: number | null | undefined;
}

/** The change as the service takes it, where an empty value is the default. */
export function appearanceChange(changed: ChangedAppearance) {
  const { suggestions, colour, ticket_form_id: form, visitor_messages_per_day: perDay } = changed;
  return {
    ...(suggestions !== undefined && { suggestions: { values: suggestions ?? [] } }),
    ...(colour !== undefined && { colour: colour ?? '' }),
    ...(form !== undefined && { ticketFormId: form ?? '' }),
    ...(perDay !== undefined && { visitorMessagesPerDay: perDay ?? 0 }),
  };
}

const PRESENCE = 'Present once any of the fields for visitors was set.';
const shown = (description: string) => changed(`${description} ${PRESENCE}`);

/** Fields of responses. A chatbot where they were never set has just the fields of the contract. */
export const shownAppearance = {
  suggestions: z.array(z.string()).optional().meta(shown(about.suggestions)),
  colour: z.string().nullable().optional().meta(shown(about.colour)),
  ticket_form_id: z.string().nullable().optional().meta(shown(about.ticket_form_id)),
  visitor_messages_per_day: z.int().nullable().optional().meta(shown(about.visitor_messages_per_day)),
};

export const appearanceJson = (appearance: Appearance | undefined) =>
  appearance
    ? {
        suggestions: appearance.suggestions,
        colour: appearance.colour ?? null,
        ticket_form_id: appearance.ticketFormId ?? null,
        visitor_messages_per_day: appearance.visitorMessagesPerDay ?? null,
      }
    : {};
