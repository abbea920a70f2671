import { insertOnce, LIVE, notFound, outbox, type Page, type PageRequest, page } from '@parley/runtime';
import type { Collection, Db } from 'mongodb';
import { type ChatDoc, sessionId, type TurnDoc } from './model.ts';

export const chatCollection = (db: Db): Collection<ChatDoc> => db.collection<ChatDoc>('chats');

export type Chats = ReturnType<typeof chatStore>;

export function chatStore(db: Db) {
  const chats = chatCollection(db);

  return {
    /** Newest first; both dates are exclusive. */
    list(
      account: string,
      assistant: string,
      { before, after, ...request }: PageRequest & { before?: Date | undefined; after?: Date | undefined },
    ): Promise<Page<ChatDoc>> {
      const within = { ...(before && { $lt: before }), ...(after && { $gt: after }) };
      return page(chats, { account, assistant, ...LIVE, ...((before || after) && { created_at: within }) }, request);
    },

    async chat(account: string, assistant: string, id: string): Promise<ChatDoc> {
      const chat = await chats.findOne({ _id: id, account, assistant, ...LIVE });
      if (!chat) throw notFound('There is no such chat.');
      return chat;
    },

    async bySession(account: string, assistant: string, session: string): Promise<ChatDoc> {
      const chat = await chats.findOne({ session_id: session, account, assistant, ...LIVE });
      if (!chat) throw notFound('There is no such session.');
      return chat;
    },

    /**
     * Makes the chat that a turn is the first of, unless there is one. All that this needs is in the turn, so that
     * whoever ends the turn, or the sweeper, can make up for a process that died before it came to this.
     */
    async begin({ _id, account, assistant, thread, n }: TurnDoc): Promise<void> {
      if (n > 1) return;
      const chat = { _id: thread, account, assistant, session_id: sessionId(_id), deleted_at: null };
      await insertOnce(chats, chat, outbox({ case: 'chatStarted', value: { chatbotId: assistant } }));
    },
  };
}
