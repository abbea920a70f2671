import { type FormField, FormFieldType, type TicketForm } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import { answersJson, shownAnswers } from '../assistants/answer-settings.ts';
import { casesJson, shownCases } from '../assistants/case-settings.ts';

export const FIELD_TYPE_NAMES = [
  'TEXT',
  'LONG_TEXT',
  'EMAIL',
  'NUMBER',
  'SELECT',
  'MULTI_SELECT',
  'CHECKBOX',
  'DATE',
] as const satisfies readonly (keyof typeof FormFieldType)[];

const selectValue = z.object({ value: z.string(), label: z.string() }).meta({ id: 'SelectValue' });

const fieldFields = z.object({
  id: z.string(),
  name: z.string().meta({ description: 'The question text.' }),
  type: z.enum(FIELD_TYPE_NAMES),
  required: z.boolean(),
  defaultSelectValues: z.array(selectValue).optional().meta({ description: 'Of SELECT and MULTI_SELECT fields only.' }),
});

export const formField = fieldFields.meta({ id: 'FormField' });

const formFields = z.object({
  id: z.string(),
  public_id: z.string().meta({ description: 'Short and URL-safe; names the form in paths as its id does.' }),
  title: z.string(),
  allowed_domains: z.array(z.string()).meta({ description: 'Hosts of the pages that may embed it.' }),
  fields: z.array(formField),
  ...shownAnswers,
  ...shownCases,
});

export const ticketForm = formFields.meta({
  id: 'TicketForm',
  examples: [
    {
      id: '01890a5d-ac96-474b-8cce-b302099a8057',
      public_id: 'T4mw8Q2xkzLc',
      title: 'Repairs',
      allowed_domains: ['www.example.com'],
      fields: [
        { id: '01890a5d-b1c2-4e1f-9d3a-5b6c7d8e9f01', name: 'What is broken?', type: 'LONG_TEXT', required: true },
      ],
    },
  ],
});

export const formFieldJson = ({ id, name, type, required, defaultSelectValues: values }: FormField) => ({
  id,
  name,
  type: FIELD_TYPE_NAMES.find((known) => FormFieldType[known] === type)!,
  required,
  ...(values.length > 0 && { defaultSelectValues: values.map(({ value, label }) => ({ value, label })) }),
});

export const ticketFormJson = ({ id, publicId, title, allowedDomains, fields, answers, cases }: TicketForm) =>
  ({
    id,
    public_id: publicId,
    title,
    allowed_domains: allowedDomains,
    fields: fields.map(formFieldJson),
    ...answersJson(answers),
    ...casesJson(cases),
  }) satisfies z.input<typeof ticketForm>;
