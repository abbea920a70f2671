import { until } from '@parley/runtime/testing';
import type { MongoClient } from 'mongodb';
import type { Parley } from '../../../clients/typescript/src/index.ts';
import { createParley, ParleyError } from '../../../clients/typescript/src/index.ts';
import type { Ends } from '../../stack/whole.ts';
import type { Recorder } from '../recorder.ts';
import { kindOf } from '../requests.ts';

/** Shared state of the activities of all accounts. */
export interface World {
  recorder: Recorder;
  mongo: MongoClient;
  /** The ends of all trainings, as heard on the bus. */
  ends: Ends;
  /** Opens a ticket or an email as its sender does, and returns its id. */
  open(opening: Opening): Promise<string>;
}

export interface Opening {
  account: string;
  kind: 'ticket' | 'email';
  /** Id of the ticket form or the email inbox. */
  parent: string;
  email: string;
  message: string;
}

/** An account while it is in use. */
export interface Tenant {
  id: string;
  /** The URL of the REST API, with its `/v1`. */
  baseUrl: string;
  parley: Parley;
  /** A trained FAQ, which stays as long as the account. */
  library: string;
  world: World;
}

/** A part of the load on one account, which is repeated. */
export interface Activity {
  name: string;
  /** One round; `n` counts from 1. */
  round(n: number): Promise<void>;
  /** Compares what was acknowledged with what is stored, while no round runs; throws if they differ. */
  check?(): Promise<void>;
  /** Ends what the activity itself keeps open. */
  close?(): Promise<void>;
}

/** Enough for a process that takes a minute to be ready again. */
const RETRIES = 40;
const TRAINED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 150;
/** Statuses after which the typed client sends a request again. */
const LATER = new Set([409, 429, 503]);

/** The typed client, each of whose attempts is recorded. */
export function recordedClient(baseUrl: string, apiKey: string, recorder: Recorder): Parley {
  return createParley({
    baseUrl,
    apiKey,
    retries: RETRIES,
    async fetch(request) {
      const began = performance.now();
      const { pathname } = new URL(request.url);
      const what = `${request.method} ${pathname}`;
      try {
        const response = await fetch(request);
        if (LATER.has(response.status)) recorder.putOff(`${what}: ${response.status}`, began);
        else recorder.answered(kindOf(request.method, pathname), began);
        return response;
      } catch (error) {
        const { message, cause } = error as Error;
        recorder.putOff(`${what}: ${message} ${cause ?? ''}`, began);
        throw error;
      }
    },
  });
}

/** Requests a training, and waits until it has succeeded. */
export async function train({ parley, world: { recorder } }: Tenant, id: string): Promise<void> {
  const began = performance.now();
  await parley.put('/knowledge/{id}/train', { path: { id } });
  const item = await until(
    () => parley.get('/knowledge/{id}', { path: { id } }),
    ({ is_training }) => !is_training,
    TRAINED_WITHIN_MS,
    LOOK_EVERY_MS,
  );
  if (item.training_failed_with !== null) throw new Error(`A training failed: ${item.training_failed_with}`);
  recorder.answered('training', began);
}

/** Settles a deletion: one that is repeated because a restart swallowed the answer finds nothing any more. */
export async function deleted({ world: { recorder } }: Tenant, act: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await act().catch((error) => {
    if (!(isStatus(error, 404) && recorder.isDisturbed(began))) throw error;
  });
}

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ParleyError && error.status === status;

/** Expects a refusal with this status. */
export async function refused(status: number, what: string, act: () => Promise<unknown>): Promise<void> {
  const outcome = await act().then(
    () => 'succeeded',
    (error) => error,
  );
  if (!isStatus(outcome, status)) throw new Error(`${what} should be refused with ${status}: ${outcome}`);
}

/** All items of a list. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
