import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { compute, deriveKey, fromNow, insertOnce, passed, set, unavailable, within } from '@parley/runtime';
import type { Binary, Db } from 'mongodb';

/** What a request was answered with. */
export interface KeptAnswer {
  status: number;
  /** JSON */
  body: string;
}

export type Claim =
  | { state: 'ours' }
  | { state: 'answered'; answer: KeptAnswer }
  /** Someone else is at it, until their lease ends. */
  | { state: 'running' }
  /** The key was used for another request. */
  | { state: 'different' };

/** The answers given under idempotency keys, for 24 hours. Every method throws UNAVAILABLE where the database is away. */
export interface KeptAnswers {
  /** Makes the request the owner's for a lease of `ttlMs`, unless someone else has it or has answered it. */
  claim(request: { id: string; hash: string; owner: string; ttlMs: number }): Promise<Claim>;
  /** Whether it is still the owner's. */
  renew(id: string, owner: string, ttlMs: number): Promise<boolean>;
  /** Keeps the owner's answer; without one the next who asks may have the request. */
  finish(id: string, owner: string, answer?: KeptAnswer): Promise<void>;
}

interface Document {
  _id: string;
  request_hash: string;
  owner: string;
  until: Date;
  status?: number;
  body?: Binary;
}

const KEEP_MS = 24 * 60 * 60_000;
const PATIENCE_MS = 3_000;

export function keptAnswers(db: Db, secret: string): KeptAnswers {
  const records = db.collection<Document>('idempotency');
  const vault = createVault(deriveKey(secret, 'stored-response'));

  async function claim({ id, hash, owner, ttlMs }: Parameters<KeptAnswers['claim']>[0]): Promise<Claim> {
    const lease = compute({ until: fromNow(ttlMs) });
    const record = { _id: id, request_hash: hash, owner };
    if (await insertOnce(records, record, [lease, compute({ expires_at: fromNow(KEEP_MS) })])) return { state: 'ours' };
    const abandoned = { _id: id, request_hash: hash, status: { $exists: false }, ...passed('until') };
    const { matchedCount } = await records.updateOne(abandoned, [set({ owner }), lease]);
    if (matchedCount === 1) return { state: 'ours' };
    const found = await records.findOne({ _id: id });
    if (!found) return { state: 'running' };
    if (found.request_hash !== hash) return { state: 'different' };
    if (found.status === undefined || !found.body) return { state: 'running' };
    return { state: 'answered', answer: { status: found.status, body: vault.open(id, found.body.buffer) } };
  }

  return {
    claim: (request) => bounded(claim(request)),
    renew: async (id, owner, ttlMs) => {
      const renewed = await bounded(records.updateOne({ _id: id, owner }, [compute({ until: fromNow(ttlMs) })]));
      return renewed.matchedCount === 1;
    },
    async finish(id, owner, answer) {
      const kept = answer && set({ status: answer.status, body: vault.seal(id, answer.body) });
      await bounded(records.updateOne({ _id: id, owner }, [kept ?? compute({ until: '$$NOW' })]));
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

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: an answer may hold a secret (a new API key), and belongs to its own record only. */
function createVault(key: Buffer) {
  return {
    seal(id: string, text: string): Buffer {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    open(id: string, bytes: Uint8Array): string {
      const iv = bytes.subarray(0, IV_BYTES);
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id)).setAuthTag(tag);
      const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
      return Buffer.concat(opened).toString('utf8');
    },
  };
}
