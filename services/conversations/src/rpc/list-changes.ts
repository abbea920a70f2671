import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import type { EntryDoc } from '../store/model.ts';
import { refOf } from './messages.ts';

/** Newest first. */
export const listChanges =
  ({ threads }: Pick<Dependencies, 'threads'>): Rpc<typeof ConversationsService.method.listChanges> =>
  async ({ thread, limit, nextCursor }, { account }) => {
    const ref = refOf(account, thread);
    if (ref.kind === 'chat') throw notFound('There is no such ticket or email.');
    const found = await threads.entries.changes(await threads.find(ref), { limit, nextCursor });
    return { ...found, items: found.items.map(changeMessage) };
  };

function changeMessage({ at, change }: EntryDoc) {
  const { by, field, from, to } = change!;
  return { at: timestampFromDate(at), by, field, from: from ?? '', to };
}
