import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AppearanceChange, AppearanceSchema } from '@parley/proto/assistants/v1/assistants_service_pb';
import { invalidArgument, isAppError } from '@parley/runtime';
import type { Dependencies } from '../dependencies.ts';
import { type Appearance, checkColour, checkPerDay, checkSuggestions } from '../domain/appearance.ts';
import type { Bare } from '../store/model.ts';
import { given } from './given.ts';

/** The fields to store for a change. @throws AppError `invalid_argument` for a value that is out of bounds, or no form. */
export async function appearanceFields(
  { store }: Pick<Dependencies, 'store'>,
  account: string,
  change: AppearanceChange | undefined,
): Promise<Partial<Appearance>> {
  const { suggestions, colour, ticketFormId, visitorMessagesPerDay } = change ?? {};
  return given({
    suggestions: suggestions && checkSuggestions(suggestions.values),
    colour: colour === undefined ? undefined : checkColour(colour),
    visitor_messages_per_day: visitorMessagesPerDay === undefined ? undefined : checkPerDay(visitorMessagesPerDay),
    ticket_form: ticketFormId === undefined ? undefined : await formOf(store, account, ticketFormId),
  });
}

async function formOf(store: Dependencies['store'], account: string, id: string): Promise<string | null> {
  if (id === '') return null;
  try {
    return (await store.assistant(account, 'ticket_form', id))._id;
  } catch (error) {
    if (isAppError(error, 'not_found') || isAppError(error, 'permission_denied'))
      throw invalidArgument('ticket_form_id is not a ticket form of this account.');
    throw error;
  }
}

/** Absent for a chatbot where it was never changed. */
export function appearanceMessage(chatbot: Bare<'chatbot'>): {
  appearance?: MessageInitShape<typeof AppearanceSchema>;
} {
  const { suggestions, colour, ticket_form, visitor_messages_per_day } = chatbot;
  if ([suggestions, colour, ticket_form, visitor_messages_per_day].every((field) => field === undefined)) return {};
  return {
    appearance: {
      suggestions: suggestions ?? [],
      ...(colour && { colour }),
      ...(ticket_form && { ticketFormId: ticket_form }),
      ...(visitor_messages_per_day && { visitorMessagesPerDay: visitor_messages_per_day }),
    },
  };
}
