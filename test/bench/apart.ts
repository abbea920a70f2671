import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Endpoints } from '@parley/embedded';
import { type Program, startProgram } from './program.ts';
import { PLENTY } from './system.ts';

/** A system that runs in one process. */
interface Whole {
  endpoints: Endpoints;
  /** Address of the database. */
  uri: string;
  secret: string;
  /** Directory of the object store. */
  objectsDir: string;
}

export interface Gateway extends Pick<Program<number>, 'pid' | 'kill'> {
  /** With `/v1`. */
  url: string;
}

/** The first gateway, and all that is behind it. */
export interface Apart extends Gateway, AsyncDisposable {
  /** Starts another gateway of the same services. */
  another(): Promise<Gateway>;
}

/**
 * Starts services and then a gateway, one process each, on the data of a system. A service that isn't named is the system's.
 *
 * @param services in the order in which they start: before those that call them
 */
export async function startApart(
  { endpoints, uri, secret, objectsDir }: Whole,
  services: readonly ('knowledge' | 'conversations' | 'assistants' | 'events')[],
  more: Record<string, string> = {},
): Promise<Apart> {
  const index = await mkdtemp(join(tmpdir(), 'parley-bench-index-'));
  const variables: Record<string, string> = {
    ...{ HOST: '127.0.0.1', PORT: '0', MONGODB_URI: uri, PARLEY_SECRET: secret },
    ...{ OBJECTS_DIR: objectsDir, INDEX_DIR: index },
    ...{ AUTH_ADDRESS: endpoints.auth, KNOWLEDGE_ADDRESS: endpoints.knowledge },
    ...{ ASSISTANTS_ADDRESS: endpoints.assistants, CONVERSATIONS_ADDRESS: endpoints.conversations },
    EVENTS_ADDRESS: endpoints.events,
    ...{ RATE_LIMIT_PER_MINUTE: PLENTY, EMBEDDINGS: 'none', ...more },
  };
  const started: Program<number>[] = [];
  async function start(name: string) {
    const program = await startProgram<number>(SERVICE, { args: [name], variables });
    started.push(program);
    return program;
  }
  for (const name of services) variables[`${name.toUpperCase()}_ADDRESS`] = `127.0.0.1:${(await start(name)).ready}`;
  async function another(): Promise<Gateway> {
    const { ready, pid, kill } = await start('gateway');
    return { url: `http://127.0.0.1:${ready}/v1`, pid, kill };
  }
  return {
    ...(await another()),
    another,
    async [Symbol.asyncDispose]() {
      for (const program of started.reverse()) await program[Symbol.asyncDispose]();
      await rm(index, { recursive: true, force: true });
    },
  };
}

const SERVICE = new URL('./service.ts', import.meta.url);
