import type { EmailInbox } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import { answersJson, shownAnswers } from '../assistants/answer-settings.ts';
import { casesJson, shownCases } from '../assistants/case-settings.ts';

const fields = z.object({
  id: z.string(),
  alias: z.string().meta({ description: 'The local part of its address; names the inbox in paths as its id does.' }),
  title: z.string(),
  description: z.string().optional().meta({ description: 'Present on inboxes that have one.' }),
  ...shownAnswers,
  ...shownCases,
});

export const emailInbox = fields.meta({
  id: 'EmailInbox',
  examples: [{ id: '01890a5d-ac96-474b-8cce-b302099a8057', alias: 'support', title: 'Support' }],
});

export const emailInboxJson = ({
  id,
  alias,
  title,
  description,
  answers,
  cases,
}: EmailInbox): z.input<typeof emailInbox> => ({
  id,
  alias,
  title,
  ...(description !== undefined && { description }),
  ...answersJson(answers),
  ...casesJson(cases),
});
