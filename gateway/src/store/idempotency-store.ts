import { createHmac } from 'node:crypto';
import { deriveKeys, type RootSecret, seal, unavailable, unseal, within } from '@parley/runtime';
import { compute, fromNow, insertOnce, passed, set } from '@parley/runtime/mongo';
import type { Binary, Db } from 'mongodb';

/** The response to a request. */
export interface StoredResponse {
  status: number;
  /** JSON */
  body: string;
}

export type Claim =
  /** The operation is the one of whoever claimed it first. */
  | { state: 'ours'; operation: string }
  | { state: 'answered'; answer: StoredResponse }
  /** Another owner is working on it, until their lease ends. */
  | { state: 'running' }
  /** The key was used for another request. */
  | { state: 'different' };

/** Keeps the responses to requests with an idempotency key for 24 hours. Methods throw UNAVAILABLE without the database. */
export interface IdempotencyStore {
  /** Claims the request for a lease of `ttlMs`, unless another owner holds it or has finished it. */
  claim(request: KeptRequest): Promise<Claim>;
  /** Renews the lease; false if the owner has lost it. */
  renew(id: string, owner: string, ttlMs: number): Promise<boolean>;
  /**
   * Stores the owner's response; without one, releases the request to the next retry. False if another owner has taken the
   * request over; true if nobody has it any more, because its account was deleted.
   */
  finish(request: Omit<KeptRequest, 'ttlMs' | 'account' | 'operation'>, answer?: StoredResponse): Promise<boolean>;
}

export interface KeptRequest {
  id: string;
  account: string;
  /** The id of the effect, which happens once, whoever works on the request. */
  operation: string;
  hash: string;
  owner: string;
  ttlMs: number;
  /** If the response shows a secret: something that only the caller knows, without which not even Parley can read it. */
  sealedWith?: string | undefined;
}

interface Document {
  _id: string;
  account: string;
  /** Absent from what an older release has stored. */
  operation?: string;
  request_hash: string;
  owner: string;
  until: Date;
  status?: number;
  body?: Binary;
}

const KEEP_MS = 24 * 60 * 60_000;
const PATIENCE_MS = 3_000;

export function idempotencyStore(db: Db, secret: RootSecret): IdempotencyStore {
  const records = db.collection<Document>('idempotency');
  const vault = createVault(deriveKeys(secret, 'stored-response'));

  async function claim({ id, account, operation, hash, owner, ttlMs, sealedWith }: KeptRequest): Promise<Claim> {
    const lease = compute({ until: fromNow(ttlMs) });
    const record = { _id: id, account, operation, request_hash: hash, owner };
    if (await insertOnce(records, record, [lease, compute({ expires_at: fromNow(KEEP_MS) })]))
      return { state: 'ours', operation };
    const abandoned = { _id: id, request_hash: hash, status: { $exists: false }, ...passed('until') };
    const taken = await records.findOneAndUpdate(abandoned, [set({ owner }), lease]);
    if (taken) return { state: 'ours', operation: taken.operation ?? operation };
    const found = await records.findOne({ _id: id });
    if (!found) return { state: 'running' };
    if (found.request_hash !== hash) return { state: 'different' };
    if (found.status === undefined || !found.body) return { state: 'running' };
    return { state: 'answered', answer: { status: found.status, body: vault.open(id, found.body.buffer, sealedWith) } };
  }

  return {
    claim: (request) => bounded(claim(request)),
    renew: async (id, owner, ttlMs) => {
      const renewed = await bounded(records.updateOne({ _id: id, owner }, [compute({ until: fromNow(ttlMs) })]));
      return renewed.matchedCount === 1;
    },
    async finish({ id, owner, sealedWith }, answer) {
      const kept = answer && set({ status: answer.status, body: vault.seal(id, answer.body, sealedWith) });
      const finished = await bounded(records.updateOne({ _id: id, owner }, [kept ?? compute({ until: '$$NOW' })]));
      return finished.matchedCount === 1 || (await bounded(records.findOne({ _id: id }))) === null;
    },
  };
}

async function bounded<T>(work: Promise<T>): Promise<T> {
  try {
    return (await within(PATIENCE_MS, work, 'The database took too long to answer.'))!;
  } catch (error) {
    throw unavailable("Idempotency-Key can't be honoured for the moment. Try again.", error);
  }
}

/**
 * A response may contain data that only its account may read, and is bound to its record. One that shows a secret is also
 * sealed with the caller's key, so that the system's secret alone can't open it.
 */
function createVault([system, ...others]: readonly [Buffer, ...Buffer[]]) {
  const keyFor = (sealedWith: string | undefined, key: Buffer) =>
    sealedWith === undefined ? key : createHmac('sha256', key).update(sealedWith).digest();
  return {
    seal: (id: string, text: string, sealedWith?: string): Buffer => seal(keyFor(sealedWith, system), id, text),
    open: (id: string, bytes: Uint8Array, sealedWith?: string): string =>
      unseal([keyFor(sealedWith, system), ...others.map((key) => keyFor(sealedWith, key))], id, bytes),
  };
}
