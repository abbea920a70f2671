import { z } from 'zod';
import { uuid } from '../../fields/ids.ts';
import { optional, requiredText, webAddress } from '../../fields/text.ts';
import { list, route } from '../../route.ts';
import { persona, personaJson } from './json.ts';

const guarded = { scope: 'ACCOUNT_WRITE', extension: true } as const;

export const listPersonas = list({
  ...guarded,
  path: '/personas',
  summary: 'List the personas, newest first',
  description: 'A persona is a name, and perhaps a picture, in which the owner replies to tickets and emails.',
  item: persona,
  toJson: personaJson,
  call: ({ page }, { auth }) => auth.listPersonas(page),
});

export const createPersona = route({
  ...guarded,
  method: 'POST',
  path: '/personas',
  summary: 'Create a persona',
  description: 'At most 1,000 for an account.',
  body: z
    .object({ name: requiredText(200), image_url: optional(webAddress) })
    .meta({ examples: [{ name: 'Ada', image_url: 'https://www.example.com/ada.png' }] }),
  response: persona,
  call: ({ body: { name, image_url: imageUrl } }, { auth }) => auth.createPersona({ name, imageUrl }),
  toJson: ({ persona }) => personaJson(persona!),
});

export const deletePersona = route({
  ...guarded,
  method: 'DELETE',
  path: '/persona/:id',
  summary: 'Delete a persona; messages sent in its name keep the name',
  params: z.object({ id: uuid }),
  response: persona,
  call: ({ params }, { auth }) => auth.deletePersona(params),
  toJson: ({ persona }) => personaJson(persona!),
});
