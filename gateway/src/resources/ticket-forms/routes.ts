import { FormFieldType } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import { ASSISTANT_LIMITS_TEXT, allowedDomains, replacedList, title } from '../../fields/assistants.ts';
import { uuid } from '../../fields/ids.ts';
import { optional, requiredText } from '../../fields/text.ts';
import { route } from '../../route.ts';
import { answersChange, changedAnswers } from '../assistants/answer-settings.ts';
import { assistantRoutes } from '../assistants/assistant-routes.ts';
import { attachedKnowledge } from '../assistants/attached-knowledge.ts';
import { casesChange, changedCases } from '../assistants/case-settings.ts';
import { TICKET_FORM } from '../assistants/kinds.ts';
import { FIELD_TYPE_NAMES, ticketForm, ticketFormJson } from './json.ts';

const { params } = TICKET_FORM;

const selectValue = z.object({ value: requiredText(200), label: requiredText(200) }).meta({ id: 'NewSelectValue' });

const fields = z.object({
  name: requiredText(200).meta({ description: 'The question text.' }),
  type: z.enum(FIELD_TYPE_NAMES),
  required: optional(z.boolean()).meta({ description: 'False by default.' }),
  defaultSelectValues: optional(z.array(selectValue).min(1, 'must have at least one entry').max(200)).meta({
    description: 'Required on SELECT and MULTI_SELECT fields, absent on others.',
  }),
});

/** A field that is copied from another form may have the id from there. */
const newField = fields
  .extend({ id: optional(z.string()).meta({ description: 'Ignored: a new field gets an id of its own.' }) })
  .meta({ id: 'NewFormField' });

const changedField = fields
  .extend({ id: optional(uuid).meta({ description: 'Of an existing field, which keeps it. Absent: a new field.' }) })
  .meta({ id: 'ChangedFormField' });

const MAX_FIELDS = 100;

const fieldMessage = <F extends z.output<typeof fields>>({ type, ...field }: F) => ({
  ...field,
  type: FormFieldType[type],
});

export const createTicketForm = route({
  method: 'POST',
  path: '/ticket-forms',
  summary: 'Create a ticket form',
  description: `A form has at most 100 fields, and its fields at most 2,000 select values in total. ${ASSISTANT_LIMITS_TEXT}`,
  scope: 'TICKETFORMS_WRITE',
  extension: true,
  body: z
    .object({
      title,
      allowed_domains: optional(allowedDomains),
      fields: optional(z.array(newField).max(MAX_FIELDS)),
      ...changedCases,
    })
    .meta({
      examples: [{ title: 'Repairs', fields: [{ name: 'What is broken?', type: 'LONG_TEXT', required: true }] }],
    }),
  response: ticketForm,
  call: ({ body: { title, allowed_domains: allowedDomains, fields, ...cases } }, { assistants }) =>
    assistants.createTicketForm({
      title,
      allowedDomains,
      fields: fields?.map(({ id, ...field }) => fieldMessage(field)),
      cases: casesChange(cases),
    }),
  toJson: ({ ticketForm }) => ticketFormJson(ticketForm!),
});

export const updateTicketForm = route({
  method: 'PATCH',
  path: '/ticket-form/:id',
  summary: 'Change the title, the allowed domains, the fields or the answers of a ticket form',
  description: `Absent fields stay as they are. \`fields\` replaces the whole list: a field with the id of an existing one keeps that
id, a field without one is new, and existing fields that are not in the list are removed. null brings back the default, but for the title.`,
  scope: 'TICKETFORMS_WRITE',
  extension: true,
  params,
  body: z
    .object({
      title: title.optional(),
      allowed_domains: replacedList(allowedDomains),
      fields: replacedList(z.array(changedField).max(MAX_FIELDS)),
      ...changedAnswers,
      ...changedCases,
    })
    .meta({ examples: [{ title: 'Repairs and returns' }] }),
  errors: { 409: 'The fields of the form are being changed by other requests.' },
  response: ticketForm,
  call: (
    { params, body: { title, allowed_domains: allowedDomains, fields, ai_reply, notify, ...answers } },
    { assistants },
  ) =>
    assistants.updateTicketForm({
      ...params,
      title,
      allowedDomains,
      fields: fields && { values: fields.values.map(fieldMessage) },
      answers: answersChange(answers),
      cases: casesChange({ ai_reply, notify }),
    }),
  toJson: ({ ticketForm }) => ticketFormJson(ticketForm!),
});

export const {
  list: listTicketForms,
  get: getTicketForm,
  remove: deleteTicketForm,
} = assistantRoutes(TICKET_FORM, {
  one: 'a ticket form',
  response: ticketForm,
  toJson: ticketFormJson,
  list: async ({ assistants }) => (await assistants.listTicketForms({})).ticketForms,
  get: async ({ assistants }, params) => (await assistants.getTicketForm(params)).ticketForm!,
  remove: async ({ assistants }, params) => (await assistants.deleteTicketForm(params)).ticketForm!,
  removal: {
    summary: 'Delete a ticket form and its tickets',
    description: 'Answers with the form as it was. Its knowledge stays.',
  },
});

export const {
  attachKnowledge: attachKnowledgeToTicketForm,
  detachKnowledge: detachKnowledgeFromTicketForm,
  listAttachedKnowledge: listKnowledgeOfTicketForm,
} = attachedKnowledge(TICKET_FORM);
