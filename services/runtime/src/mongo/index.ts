/** A service's own database: connection, migrations, leases, outbox, pages, tombstones, deleted accounts. */

export { type Mongo, type MongoConfig, openMongo } from './connect.ts';
export {
  type AccountEraser,
  accountEraser,
  createAccountSweeper,
  DELETED_ACCOUNT_INDEX,
  type DeletedAccountDoc,
  type ErasePart,
  eraseFrom,
} from './deleted-accounts.ts';
export { duplicateIndex, isDatabaseUnavailable, isDuplicate } from './errors.ts';
export {
  createGoneSweeper,
  GONE_INDEXES,
  type GoneDoc,
  type GoneParents,
  goneCollection,
  goneParents,
} from './gone.ts';
export { fromNow, keepLease, LeaseLost, passed, withLease } from './lease.ts';
export type { Migration } from './migrations.ts';
export { type Fact, MAX_OUTBOX, OUTBOX_INDEX, outbox, type WithOutbox } from './outbox.ts';
export { type Owned, ownedBy, refuse } from './owned.ts';
export { NEWEST_FIRST, type Order, type Page, type PageRequest, page, pageLimit } from './page.ts';
export { createRelay } from './relay.ts';
export { type ListName, STAMPS, type StampDoc, type Stamps, stampStore } from './stamps.ts';
export { createPurge, LIVE, TOMBSTONE_INDEX, tombstone } from './tombstone.ts';
export { createdWithin, type Dates, type Totals, totalsOf } from './totals.ts';
export { compute, deleteInParts, deletePart, insertOnce, literal, set, whole } from './write.ts';
