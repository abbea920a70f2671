import { join } from 'node:path';
import { until } from '@parley/runtime/testing';
import { freePort } from '../../deploy/stack/server.ts';
import type { Stops, World } from '../e2e/world.ts';
import { startProgram } from './child.ts';

export interface GatewayProcess {
  /** Ends with `/v1`. */
  baseUrl: string;
  kill(): Promise<void>;
}

/** On a busy machine. */
export const WITHIN_MS = 120_000;

/** Starts another gateway of a system, in a process of its own. */
export async function startGateway(
  { parley, uri, dataDir }: World,
  stops: Stops,
  variables: Record<string, string> = {},
): Promise<GatewayProcess> {
  const port = await freePort();
  const { auth, knowledge, assistants, conversations, events } = parley.endpoints;
  const child = startProgram('gateway/src/main.ts', {
    HOST: '127.0.0.1',
    PORT: String(port),
    PARLEY_SECRET: parley.secret,
    MONGODB_URI: uri,
    OBJECTS_DIR: join(dataDir, 'objects'),
    AUTH_ADDRESS: auth,
    KNOWLEDGE_ADDRESS: knowledge,
    ASSISTANTS_ADDRESS: assistants,
    CONVERSATIONS_ADDRESS: conversations,
    EVENTS_ADDRESS: events,
    LOG_LEVEL: 'error',
    // The machine may be busy.
    BODY_TIMEOUT_SECONDS: '600',
    REQUEST_TIMEOUT_SECONDS: '60',
    ...variables,
  });
  const kill = () => child.end('SIGKILL');
  stops.push(kill);
  const address = `http://127.0.0.1:${port}`;
  const isUp = async () => (await fetch(`${address}/healthz`)).ok;
  await until(() => isUp().catch(() => false), Boolean, WITHIN_MS);
  return { baseUrl: `${address}/v1`, kill };
}
