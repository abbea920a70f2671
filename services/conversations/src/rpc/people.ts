import type { ConversationsService, PersonaSender } from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument, notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import { boundedText, requiredText } from '@parley/runtime/text';
import type { Dependencies } from '../dependencies.ts';
import type { Persona } from '../domain/entries.ts';
import { valueAt } from '../domain/enums.ts';
import { checkMessage, MAX_MESSAGE, MAX_NAME } from '../domain/limits.ts';
import { PRIORITIES, STATUSES } from '../domain/status.ts';
import { refOf } from './messages.ts';

type Acting = Pick<Dependencies, 'people'>;

/** A further message of the end user. */
export const addUserMessage =
  ({ people }: Acting): Rpc<typeof ConversationsService.method.addUserMessage> =>
  async ({ thread, message, link }, { account, operation }) => {
    await people.addUserMessage(refOf(account, thread), operation, checkMessage(message, MAX_MESSAGE), { link });
    return {};
  };

/** Ends the links to a ticket. */
export const revokeLink =
  ({ people }: Acting): Rpc<typeof ConversationsService.method.revokeLink> =>
  async ({ thread }, { account }) => {
    await people.revokeLink(refOf(account, thread));
    return {};
  };

/** A message of the owner or one of their personas. */
export const replyToThread =
  ({ people }: Acting): Rpc<typeof ConversationsService.method.replyToThread> =>
  async ({ thread, message, persona, onlyRepeat, ownerName }, { account, operation }) => {
    const ref = refOf(account, thread);
    const text = checkMessage(message, MAX_MESSAGE);
    const sender = persona && personaOf(persona);
    if (!onlyRepeat) await people.reply(ref, operation, text, sender, boundedText('owner_name', ownerName, MAX_NAME));
    else if (!(await people.hasSaid(ref, operation))) throw notFound('This operation has stored no message.');
    return {};
  };

/** Sets status, priority or both. */
export const updateThread =
  ({ people }: Acting): Rpc<typeof ConversationsService.method.updateThread> =>
  async ({ thread, ...given }, { account, operation, context }) => {
    const status = valueAt('status', STATUSES, given.status);
    const priority = valueAt('priority', PRIORITIES, given.priority);
    if (status === undefined && priority === undefined) throw invalidArgument('status or priority must be given.');
    await people.update(refOf(account, thread), operation, context.keyId ?? '', { status, priority });
    return {};
  };

const MAX_URL = 2_048;

const personaOf = ({ id, name, imageUrl }: PersonaSender): Persona => ({
  id: requiredText('persona.id', id, 100),
  name: requiredText('persona.name', name, MAX_NAME),
  image_url: imageUrl === undefined ? null : boundedText('persona.image_url', imageUrl, MAX_URL),
});
