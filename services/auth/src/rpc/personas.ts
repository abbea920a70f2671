import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AuthService, PersonaSchema } from '@parley/proto/auth/v1/auth_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { checkPersona } from '../domain/persona.ts';
import type { PersonaDoc } from '../store/personas.ts';

type Needs = Pick<Dependencies, 'personas'>;

const personaMessage = ({ _id, name, image_url }: PersonaDoc): MessageInitShape<typeof PersonaSchema> => ({
  id: _id,
  name,
  ...(image_url !== null && { imageUrl: image_url }),
});

/** Idempotent: the same operation returns the same persona. */
export const createPersona =
  ({ personas }: Needs): Rpc<typeof AuthService.method.createPersona> =>
  async ({ name, imageUrl }, { account, operation }) => {
    const persona = await personas.createPersona(account, operation, checkPersona(name, imageUrl));
    return { persona: personaMessage(persona) };
  };

export const getPersona =
  ({ personas }: Needs): Rpc<typeof AuthService.method.getPersona> =>
  async ({ id }, { account }) => ({ persona: personaMessage(await personas.persona(account, id)) });

export const listPersonas =
  ({ personas }: Needs): Rpc<typeof AuthService.method.listPersonas> =>
  async (request, { account }) => {
    const page = await personas.listPersonas(account, request);
    return { ...page, items: page.items.map(personaMessage) };
  };

/** Messages that were sent as the persona keep its name. Idempotent by operation. */
export const deletePersona =
  ({ personas }: Needs): Rpc<typeof AuthService.method.deletePersona> =>
  async ({ id }, { account, operation }) => ({
    persona: personaMessage(await personas.deletePersona(account, id, operation)),
  });
