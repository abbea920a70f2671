import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import { boundedText } from '@parley/runtime/text';
import type { Dependencies } from '../dependencies.ts';
import { checkAlias } from '../domain/alias.ts';
import { checkTitle } from '../domain/chatbot.ts';
import { answerFields } from './answer-settings.ts';
import { caseFields } from './case-settings.ts';
import { given } from './given.ts';
import { emailInboxMessage } from './messages.ts';

type Service = typeof AssistantsService.method;
type Store = Pick<Dependencies, 'store'>;

const MAX_DESCRIPTION = 2_000;
const checkDescription = (text: string): string => boundedText('description', text, MAX_DESCRIPTION);

/** Creates an email inbox. Idempotent: the same operation returns the same inbox. ALREADY_EXISTS if the alias is taken. */
export const createEmailInbox =
  ({ store }: Store): Rpc<Service['createEmailInbox']> =>
  async ({ alias, title, description, cases }, call) => {
    const inbox = {
      alias: checkAlias(alias),
      title: checkTitle(title),
      description: description === undefined ? null : checkDescription(description),
      ...caseFields(cases),
    };
    return { emailInbox: emailInboxMessage(await store.createEmailInbox(call.account, call.operation, inbox)) };
  };

export const getEmailInbox =
  ({ store }: Store): Rpc<Service['getEmailInbox']> =>
  async ({ id }, call) => ({ emailInbox: emailInboxMessage(await store.assistant(call.account, 'email_inbox', id)) });

/** All email inboxes of an account, newest first. */
export const listEmailInboxes =
  ({ store }: Store): Rpc<Service['listEmailInboxes']> =>
  async (_, call) => ({ emailInboxes: (await store.list(call.account, 'email_inbox')).map(emailInboxMessage) });

/** Changes what is present. ALREADY_EXISTS if the new alias is taken. */
export const updateEmailInbox =
  ({ store }: Store): Rpc<Service['updateEmailInbox']> =>
  async ({ id, alias, title, descriptionChange: description, answers, cases }, call) => {
    const fields = given({
      alias: alias === undefined ? undefined : checkAlias(alias),
      title: title === undefined ? undefined : checkTitle(title),
      description: description.case === 'description' ? checkDescription(description.value) : undefined,
      ...(description.case === 'clearDescription' && description.value && { description: null }),
      ...answerFields(answers),
      ...caseFields(cases),
    });
    return { emailInbox: emailInboxMessage(await store.updateEmailInbox(call.account, id, call.operation, fields)) };
  };

/** Returns the inbox as it was. Its alias stays reserved for the account. Idempotent by operation. */
export const deleteEmailInbox =
  ({ store }: Store): Rpc<Service['deleteEmailInbox']> =>
  async ({ id }, call) => ({
    emailInbox: emailInboxMessage(await store.deleteEmailInbox(call.account, id, call.operation)),
  });
