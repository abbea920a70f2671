import { type OutboundClients, OutboundError, type OutboundFailure } from '@parley/runtime/outbound';
import type { NewEvent } from '../domain/event.ts';
import { signedHeaders } from '../domain/signature.ts';
import type { Outcome } from '../store/deliveries.ts';
import type { WebhookDoc } from '../store/webhooks.ts';
import type { Secrets } from './secrets.ts';

/** The part of an event that is delivered. */
export type DeliveredEvent = Pick<NewEvent, '_id' | 'at' | 'data'> & { type: string };

/** Posts an event to an endpoint, once. Rejects only if the signal aborts. */
export type Send = (webhook: WebhookDoc, event: DeliveredEvent, signal?: AbortSignal) => Promise<Outcome>;

const GONE = 410;
/** Bytes read of a response, which is otherwise ignored. */
const MAX_BYTES = 64 * 1_024;

/** The receiver wants nothing more. */
export const isGone = ({ status }: Outcome): boolean => status === GONE;
export const isAccepted = ({ reason }: Outcome): boolean => reason === null;

/** @param timeoutMs for everything, from the lookup of the name to the end of the response */
export function createSend(clients: OutboundClients, secrets: Secrets, timeoutMs: number): Send {
  return async (webhook, { _id: id, type, at, data }, signal) => {
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders({ id, timestamp, body }, secrets.signing(webhook)),
    };
    const limits = { maxBytes: MAX_BYTES, timeoutMs, accept: () => false, ...(signal && { signal }) };
    const began = performance.now();
    const ms = () => Math.round(performance.now() - began);
    try {
      const { status } = await clients.of(webhook.account).post(webhook.url, body, { headers, ...limits });
      return { status, ms: ms(), reason: refusalOf(status) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { status: null, ms: ms(), reason: sentenceOf(error.failure) };
    }
  };
}

function refusalOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered ${status}. Redirects are not followed.`;
  return `It answered ${status}.`;
}

/** Says what the owner of the endpoint can know of it, and nothing about our network. */
function sentenceOf(failure: OutboundFailure): string {
  if (failure.kind === 'timeout') return `It took longer than ${failure.timeoutMs / 1_000} seconds.`;
  if (failure.kind === 'refused') return 'Its address is private, or may not be reached from here.';
  if (failure.kind !== 'network') return 'Its address or its response is not valid.';
  const { code } = failure;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Its name was not found.';
  if (code === 'ECONNREFUSED') return 'It refused the connection.';
  if (/CERT|TLS|SSL|SIGNATURE/.test(code)) return 'Its certificate is not trusted.';
  return 'The connection failed.';
}
