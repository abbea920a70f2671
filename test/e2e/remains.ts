import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import type { Document, WithId } from 'mongodb';

const MARKED = /^parley_(auth|assistants|conversations|corpus|events)\.deleted_accounts$/;

/**
 * Why a document stays after its account was deleted, as docs/operations.md says; undefined if it should be gone. The
 * marks are the account's id and two times; events on the bus are ids; reserved aliases don't say whose they were.
 *
 * @param account if given, only what stays of this account is explained.
 */
export function whyItStays(place: string, document: WithId<Document>, account?: string): string | undefined {
  const isOf = (id: unknown) => account === undefined || id === account;
  if (MARKED.test(place)) {
    const isMark = Object.keys(document).every((field) => ['_id', 'deleted_at', 'due'].includes(field));
    return isMark && isOf(document._id) ? 'marks of deleted accounts, for a day' : undefined;
  }
  if (place === 'parley_assistants.aliases') {
    const isReserved = document['account'] === '' && document['until'] instanceof Date;
    return isReserved ? 'reserved aliases, for 30 days' : undefined;
  }
  if (place !== 'parley_bus.messages') return undefined;
  const { accountId, payload } = fromBinary(EventSchema, document['value'].buffer);
  // The value of every other field is an id or a number.
  return isOf(accountId) && payload.case !== 'trainingFailed' ? 'events, for seven days' : undefined;
}
