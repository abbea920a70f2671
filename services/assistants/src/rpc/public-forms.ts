import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { Role, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { answersText, withTranscript } from '../domain/form-answers.ts';
import { ticketFormMessage } from './messages.ts';

type Service = typeof AssistantsService.method;

export const getPublicTicketForm =
  ({ store }: Pick<Dependencies, 'store'>): Rpc<Service['getPublicTicketForm']> =>
  async ({ publicId }, call) => {
    call.requireCaller('gateway');
    const form = await store.publicTicketForm(publicId);
    if (!form) throw notFound('There is no such ticket form.');
    return { accountId: form.account, ticketForm: ticketFormMessage(form) };
  };

/** Checks a filled-in form and opens a ticket with it. */
export const openTicket =
  ({ store, conversations }: Pick<Dependencies, 'store' | 'conversations'>): Rpc<Service['openTicket']> =>
  async ({ formId, email, name, answers, transcript, attachments, attachmentsFolder: folder }, call) => {
    const { _id, title, fields } = await store.assistant(call.account, 'ticket_form', formId);
    const filled = answersText(
      fields,
      answers.map(({ fieldId, values }) => ({ field: fieldId, values })),
    );
    const said = transcript.map(({ role, message }) => ({ isVisitor: role === Role.USER, text: message }));
    const { thread, attachmentsFolder } = await conversations.openThread(
      {
        ...{ kind: ThreadKind.TICKET, assistantId: _id, fromEmail: email, fromName: name, mailsLink: true },
        ...{ message: withTranscript(title, filled, said), attachments, attachmentsFolder: folder },
      },
      call.onward(),
    );
    const { id: ticketId, link } = thread!;
    return { ticketId, link, attachmentsFolder };
  };
