import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AssistantKind,
  type ChatbotSchema,
  type EmailInboxSchema,
  type FormField,
  FormFieldType,
  type TicketFormSchema,
} from '@parley/proto/assistants/v1/assistants_service_pb';
import { invalidArgument } from '@parley/runtime';
import { FIELD_TYPES, type FieldInput } from '../domain/form-fields.ts';
import type { Bare, Kind } from '../store/model.ts';
import { answersMessage } from './answer-settings.ts';
import { appearanceMessage } from './appearance.ts';
import { casesMessage } from './case-settings.ts';

const KINDS: Readonly<Partial<Record<AssistantKind, Kind>>> = {
  [AssistantKind.CHATBOT]: 'chatbot',
  [AssistantKind.TICKET_FORM]: 'ticket_form',
  [AssistantKind.EMAIL_INBOX]: 'email_inbox',
};

export function kindOf(kind: AssistantKind): Kind {
  const known = KINDS[kind];
  if (!known) throw invalidArgument('kind must be chatbot, ticket form or email inbox.');
  return known;
}

export const chatbotMessage = (chatbot: Bare<'chatbot'>): MessageInitShape<typeof ChatbotSchema> => ({
  id: chatbot._id,
  publicId: chatbot.public_id,
  title: chatbot.title,
  allowedDomains: chatbot.allowed_domains,
  ...answersMessage(chatbot),
  ...appearanceMessage(chatbot),
});

export const ticketFormMessage = (form: Bare<'ticket_form'>): MessageInitShape<typeof TicketFormSchema> => ({
  id: form._id,
  publicId: form.public_id,
  title: form.title,
  allowedDomains: form.allowed_domains,
  fields: form.fields.map(({ type, values = [], ...field }) => ({
    ...field,
    type: FormFieldType[type],
    defaultSelectValues: values,
  })),
  ...answersMessage(form),
  ...casesMessage(form),
});

export const emailInboxMessage = (inbox: Bare<'email_inbox'>): MessageInitShape<typeof EmailInboxSchema> => ({
  id: inbox._id,
  alias: inbox.alias,
  title: inbox.title,
  ...(inbox.description !== null && { description: inbox.description }),
  ...answersMessage(inbox),
  ...casesMessage(inbox),
});

/** @throws AppError `invalid_argument` for a type that this version does not know. */
export const fieldInputs = (fields: readonly FormField[]): FieldInput[] =>
  fields.map(({ id, name, type, required, defaultSelectValues }, i) => {
    const known = FIELD_TYPES.find((name) => FormFieldType[name] === type);
    if (!known) throw invalidArgument(`fields[${i}].type must be one of ${FIELD_TYPES.join(', ')}.`);
    return {
      id,
      name,
      type: known,
      required,
      values: defaultSelectValues.map(({ value, label }) => ({ value, label })),
    };
  });
