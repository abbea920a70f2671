import type { Component, Loop, RootSecret } from '@parley/runtime';
import { type Bus, consume, Rejected } from '@parley/runtime/bus';
import { callAs } from '@parley/runtime/rpc';
import type { Dependencies } from './dependencies.ts';
import type { Stores } from './store/stores.ts';

/** Less than the bus gives a handler. */
const ANSWER_MS = 3_000;

/**
 * Leaves the conversations of assistants that were deleted to the sweeper: removing them may take minutes. Nothing brings them
 * back, so the owner of the assistants has to confirm it first.
 */
export const consumeAssistants = (
  options: Pick<Dependencies, 'bus' | 'removal' | 'assistants'> & { secret: RootSecret; sweeper: Pick<Loop, 'wake'> },
): Component =>
  consume(options.bus, {
    group: 'conversations',
    on: {
      async assistantDeleted({ accountId, entityId }) {
        const { removal, assistants, secret, sweeper } = options;
        const call = callAs(secret, { account: accountId }, { role: 'conversations', timeoutMs: ANSWER_MS });
        const { exists } = await assistants.assistantExists({ id: entityId }, call);
        if (exists) throw new Rejected('The assistants service still has this assistant.');
        await removal.forget(accountId, entityId);
        sweeper.wake();
      },
    },
  });

/** Queues the mails of messages that are to be sent. */
export const consumeMessages = (bus: Bus, { outgoing }: Pick<Stores, 'outgoing'>): Component =>
  consume(bus, {
    group: 'conversations.mails',
    on: {
      async threadMessageAdded({ accountId, entityId, payload: { value } }) {
        if (value.by !== 'user') await outgoing.queue(accountId, entityId, value.messageId);
      },
      ticketCreated: ({ accountId, entityId }) => outgoing.queueLink(accountId, entityId),
    },
  });

/** Completes the changes of threads whose process died right after the write. */
export function consumeOwn(bus: Bus, { removal }: Pick<Stores, 'removal'>): Component {
  const settle = ({ accountId, entityId }: { accountId: string; entityId: string }) =>
    removal.settle(accountId, entityId);
  return consume(bus, {
    group: 'conversations.list-versions',
    on: {
      chatStarted: settle,
      ticketCreated: settle,
      emailCreated: settle,
      threadStatusChanged: settle,
      visitorIdentified: settle,
      answerVotedOn: settle,
    },
  });
}
