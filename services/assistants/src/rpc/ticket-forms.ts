import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { checkDomains, checkTitle } from '../domain/chatbot.ts';
import { checkFields, withIds } from '../domain/form-fields.ts';
import { answerFields } from './answer-settings.ts';
import { caseFields } from './case-settings.ts';
import { given } from './given.ts';
import { fieldInputs, ticketFormMessage } from './messages.ts';

type Service = typeof AssistantsService.method;
type Store = Pick<Dependencies, 'store'>;

/** Creates a ticket form. Idempotent: the same operation returns the same form. */
export const createTicketForm =
  ({ store }: Store): Rpc<Service['createTicketForm']> =>
  async ({ title, allowedDomains, fields, cases }, call) => {
    const form = {
      title: checkTitle(title),
      allowed_domains: checkDomains(allowedDomains),
      fields: withIds(checkFields(fieldInputs(fields)), call.operation),
      ...caseFields(cases),
    };
    return { ticketForm: ticketFormMessage(await store.createTicketForm(call.account, call.operation, form)) };
  };

export const getTicketForm =
  ({ store }: Store): Rpc<Service['getTicketForm']> =>
  async ({ id }, call) => ({ ticketForm: ticketFormMessage(await store.assistant(call.account, 'ticket_form', id)) });

/** All ticket forms of an account, newest first. */
export const listTicketForms =
  ({ store }: Store): Rpc<Service['listTicketForms']> =>
  async (_, call) => ({ ticketForms: (await store.list(call.account, 'ticket_form')).map(ticketFormMessage) });

/** Changes what is present. The list of fields is replaced as a whole; a field with a known id keeps its id. */
export const updateTicketForm =
  ({ store }: Store): Rpc<Service['updateTicketForm']> =>
  async ({ id, title, allowedDomains, fields, answers, cases }, call) => {
    const { account, operation } = call;
    const changes = given({
      title: title === undefined ? undefined : checkTitle(title),
      allowed_domains: allowedDomains && checkDomains(allowedDomains.values),
      ...answerFields(answers),
      ...caseFields(cases),
    });
    const replacing = fields && checkFields(fieldInputs(fields.values));
    const updated = await store.updateTicketForm(
      account,
      id,
      operation,
      changes,
      replacing && ((current) => withIds(replacing, operation, current)),
    );
    return { ticketForm: ticketFormMessage(updated) };
  };

/** Returns the form as it was. Idempotent by operation. */
export const deleteTicketForm =
  ({ store }: Store): Rpc<Service['deleteTicketForm']> =>
  async ({ id }, call) => ({
    ticketForm: ticketFormMessage(await store.deleteTicketForm(call.account, id, call.operation)),
  });
