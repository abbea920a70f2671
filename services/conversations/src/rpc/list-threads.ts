import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { valueAt } from '../domain/enums.ts';
import { STATUSES } from '../domain/status.ts';
import { VOTES } from '../domain/visitors.ts';
import { chatMessage, kindOf, threadMessage } from './messages.ts';

type Listing = Pick<Dependencies, 'threads'>;

/** Newest first. */
export const listChats =
  ({ threads }: Listing): Rpc<typeof ConversationsService.method.listChats> =>
  async ({ chatbotId: assistant, vote, verified, limit, nextCursor, ...dates }, { account }) => {
    const filter = { ...datesOf(dates), vote: valueAt('vote', VOTES, vote), verified };
    const found = await threads.list({ account, kind: 'chat', assistant }, filter, { limit, nextCursor });
    return { ...found, items: found.items.map(chatMessage) };
  };

/** Newest first. */
export const listThreads =
  ({ threads }: Listing): Rpc<typeof ConversationsService.method.listThreads> =>
  async ({ kind, assistantId: assistant, statuses, limit, nextCursor, ...dates }, { account }) => {
    const filter = { ...datesOf(dates), statuses: statuses.map(statusOf) };
    const found = await threads.list({ account, kind: kindOf(kind), assistant }, filter, { limit, nextCursor });
    return { ...found, items: found.items.map(threadMessage) };
  };

const datesOf = ({ createdBefore, createdAfter }: { createdBefore?: Timestamp; createdAfter?: Timestamp }) => ({
  before: createdBefore && timestampDate(createdBefore),
  after: createdAfter && timestampDate(createdAfter),
});

function statusOf(number: number): string {
  const status = valueAt('statuses', STATUSES, number);
  if (status === undefined) throw invalidArgument('statuses must not have an unspecified status.');
  return status;
}
