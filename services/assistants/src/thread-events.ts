import { NoticeTopic, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Component, RootSecret } from '@parley/runtime';
import { consume } from '@parley/runtime/bus';
import { callAs } from '@parley/runtime/rpc';
import type { Dependencies } from './dependencies.ts';
import { caseSettings } from './domain/case-settings.ts';

/** Less than the bus gives a handler. */
const QUEUE_MS = 3_000;

const THREADS = { ticket_form: ThreadKind.TICKET, email_inbox: ThreadKind.EMAIL };

/** Where a thread event happened. */
interface Happened {
  accountId: string;
  entityId: string;
}

/** Notifies the addresses of forms and inboxes of new tickets and emails, and of those that wait for a person. */
export function consumeThreads(
  options: Pick<Dependencies, 'bus' | 'store' | 'conversations'> & { secret: RootSecret },
): Component {
  const { bus, store, conversations, secret } = options;

  async function tell({ accountId, entityId: id }: Happened, assistantId: string, topic: NoticeTopic): Promise<void> {
    const assistant = await store.find(accountId, assistantId);
    if (!assistant || assistant.kind === 'chatbot') return;
    const { notify: addresses } = caseSettings(assistant);
    if (addresses.length === 0) return;
    const call = callAs(secret, { account: accountId }, { role: 'assistants', timeoutMs: QUEUE_MS });
    const thread = { kind: THREADS[assistant.kind], assistantId, id };
    await conversations.queueNotice({ thread, topic, addresses }, call);
  }

  return consume(bus, {
    group: 'assistants.notices',
    on: {
      ticketCreated: (event) => tell(event, event.payload.value.ticketFormId, NoticeTopic.NEW),
      async emailCreated(event) {
        const { emailInboxId, automatic } = event.payload.value;
        if (!automatic) await tell(event, emailInboxId, NoticeTopic.NEW);
      },
      threadWaiting: (event) => tell(event, event.payload.value.assistantId, NoticeTopic.WAITING),
    },
  });
}
