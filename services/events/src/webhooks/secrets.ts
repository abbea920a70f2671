import { deriveKey, seal, unseal } from '@parley/runtime';
import { newSecret } from '../domain/signature.ts';
import type { SealedSecret } from '../domain/webhook.ts';
import type { WebhookDoc } from '../store/webhooks.ts';

/** Makes the secrets of webhooks, and opens them. They are stored encrypted, each for its webhook. */
export interface Secrets {
  /** A new secret of a webhook. */
  create(webhook: string, op: string): Omit<SealedSecret, 'until'>;
  /** The secret that an operation made; undefined if it does not sign any more. */
  of(webhook: Pick<WebhookDoc, '_id' | 'secrets'>, op: string): string | undefined;
  /** Those that sign now, the current one first. */
  signing(webhook: Pick<WebhookDoc, '_id' | 'secrets'>): string[];
}

/** @param secret that of the system */
export function createSecrets(secret: string): Secrets {
  const key = deriveKey(secret, 'webhook');
  const open = (id: string, { sealed }: SealedSecret) => unseal(key, id, bytesOf(sealed));
  return {
    create: (webhook, op) => ({ op, sealed: seal(key, webhook, newSecret()) }),
    of({ _id, secrets }, op) {
      const found = secrets.find((one) => one.op === op);
      return found && open(_id, found);
    },
    signing({ _id, secrets }) {
      const now = new Date();
      return secrets.filter(({ until }) => until === null || until > now).map((one) => open(_id, one));
    },
  };
}

/** MongoDB's driver wraps bytes. */
const bytesOf = (stored: Uint8Array | { buffer: Uint8Array }): Uint8Array =>
  stored instanceof Uint8Array ? stored : stored.buffer;
