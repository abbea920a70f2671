import { type Usage, Window } from '@parley/proto/usage/v1/usage_pb';
import { z } from 'zod';
import { isoOrNull, timestamp } from '../../fields/dates.ts';
import { enumNames } from '../../fields/enum-names.ts';

const NO_WINDOW = 'none';
const WINDOW = enumNames(Window, 'Window');

export const usage = z
  .object({
    name: z.string().meta({
      description:
        'What is counted: `items` of knowledge, `faq_items` (questions in FAQs), `files`, their `bytes`, `chunks` that are trained, `index_bytes` of the files that search reads, `chats`, `tickets`, `emails`, `mail_bytes` of received mails, `keys`, `webhooks`, `model_tokens` of prompts and answers, or `embedding_tokens` that the embedding server has embedded. There may be more.',
    }),
    used: z.int().meta({
      description:
        'Including what requests in progress may add; for ten minutes also what a server process that died may have added.',
    }),
    limit: z.int().nullable().meta({ description: 'Null: there is none.' }),
    window: z.enum([NO_WINDOW, ...WINDOW.names]).meta({
      description: 'After which it counts anew, in UTC. `none`: it is what the account has now.',
    }),
    spent_at: timestamp.nullable().meta({
      description:
        'When something was first refused in this window, because it needs more than is left; null if nothing was, or the window is `none`.',
    }),
  })
  .meta({
    id: 'Usage',
    examples: [{ name: 'items', used: 12, limit: 10_000, window: 'none', spent_at: null }],
  });

export const usageJson = ({ name, used, limit, window, spentAt }: Usage): z.input<typeof usage> => ({
  name,
  used: Number(used),
  limit: limit === undefined ? null : Number(limit),
  window: window === Window.UNSPECIFIED ? NO_WINDOW : WINDOW.nameOf(window),
  spent_at: isoOrNull(spentAt),
});
