import { deriveKeys, type RootSecret, seal, unseal } from '@parley/runtime';
import { newSecret } from '../domain/signature.ts';
import type { SealedSecret } from '../domain/webhook.ts';
import type { WebhookDoc } from '../store/webhooks.ts';

/** Makes the secrets of webhooks, and opens them. They are stored encrypted, each for its webhook. */
export interface Secrets {
  /** A new secret of a webhook. */
  create(webhook: string, op: string): Omit<SealedSecret, 'until'>;
  /** The secret that an operation made; undefined if it does not sign any more. */
  of(webhook: Pick<WebhookDoc, '_id' | 'secrets'>, op: string): string | undefined;
  /** Secrets that sign now, the current one first. */
  signing(webhook: Pick<WebhookDoc, '_id' | 'secrets'>): string[];
  /** The same secrets, encrypted with the current root secret; undefined if they are already. */
  resealed(webhook: Pick<WebhookDoc, '_id' | 'secrets'>): SealedSecret[] | undefined;
}

/** @param secret that of the system */
export function createSecrets(secret: RootSecret): Secrets {
  const keys = deriveKeys(secret, 'webhook');
  const sealed = (id: string, secret: string) => seal(keys[0], id, secret);
  const open = (id: string, { sealed }: SealedSecret) => unseal(keys, id, bytesOf(sealed));
  return {
    create: (webhook, op) => ({ op, sealed: sealed(webhook, newSecret()) }),
    of({ _id, secrets }, op) {
      const found = secrets.find((one) => one.op === op);
      return found && open(_id, found);
    },
    signing({ _id, secrets }) {
      const now = new Date();
      return secrets.filter(({ until }) => until === null || until > now).map((one) => open(_id, one));
    },
    resealed({ _id, secrets }) {
      if (secrets.every((one) => opensWith(keys[0], _id, one))) return undefined;
      return secrets.map((one) => ({ ...one, sealed: sealed(_id, open(_id, one)) }));
    },
  };
}

function opensWith(key: Buffer, id: string, { sealed }: SealedSecret): boolean {
  try {
    unseal([key], id, bytesOf(sealed));
    return true;
  } catch {
    return false;
  }
}

/** MongoDB's driver wraps bytes. */
const bytesOf = (stored: Uint8Array | { buffer: Uint8Array }): Uint8Array =>
  stored instanceof Uint8Array ? stored : stored.buffer;
