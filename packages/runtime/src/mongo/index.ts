/** A service's own database: connection, migrations, leases, outbox, pages, tombstones, deleted accounts. */

export type { Page, PageRequest } from '../paging.ts';
export { type Mongo, type MongoConfig, mongoClient, openMongo } from './connect.ts';
export {
  type AccountEraser,
  accountEraser,
  createAccountSweeper,
  DELETED_ACCOUNT_INDEX,
  type DeletedAccountDoc,
  type ErasePart,
  eraseFrom,
} from './deleted-accounts.ts';
export {
  createOrphanSweeper,
  DELETED_PARENT_INDEXES,
  deletedParentCollection,
  deletedParents,
} from './deleted-parents.ts';
export { CLAIM_MS, type Claimed, workOnDue } from './due.ts';
export { isDatabaseUnavailable, isDuplicate } from './errors.ts';
export { fromNow, keepLease, LeaseLost, passed } from './lease.ts';
export { LIST_VERSIONS, type ListVersionDoc, type ListVersions, listVersionStore } from './list-versions.ts';
export { type Listed, listed } from './listed.ts';
export type { Migration } from './migrations.ts';
export { deletePublished, type EventPayload, OUTBOX_INDEX, outbox, type WithOutbox } from './outbox.ts';
export { type Owned, ownedBy, refuse } from './owned.ts';
export { page } from './page.ts';
export { type MongoProgram, runMongoProgram } from './program.ts';
export { runInPod } from './program-in-pod.ts';
export { type Amounts, type Limit, QUOTAS, type Quota, QuotaExceeded, quotaCollection, quotaStore } from './quota.ts';
export { createRelay, createRelays } from './relay.ts';
export { TOKENS_INDEXES, type TokenBudget, tokenBudget, tokensCollection } from './token-budget.ts';
export { createPurge, LIVE, TOMBSTONE_INDEX, tombstone } from './tombstone.ts';
export { createdWithin, type Dates, totalsOf } from './totals.ts';
export { runUsageProgram } from './usage-program.ts';
export {
  compute,
  deleteAndCount,
  deleteInParts,
  deletePart,
  insertOnce,
  literal,
  set,
  whole,
} from './write.ts';
