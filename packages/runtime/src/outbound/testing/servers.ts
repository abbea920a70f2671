import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { afterEach, expect } from '@jest/globals';
import { createOutboundClient, type OutboundClient } from '../client.ts';
import type { Resolve } from '../connector.ts';
import { parseAllowList } from '../guard.ts';
import { OutboundError, type OutboundFailure } from '../outbound-error.ts';

export const bounds = { maxBytes: 100_000, timeoutMs: 5000 };
const ends: (() => unknown)[] = [];

/** To be called when the test has ended. */
export const ending = (end: () => unknown): unknown => ends.push(end);

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Returns the port. */
export async function listen(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

/** Returns the origin. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  const port = await listen(server);
  ending(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${port}`;
}

/** @param origins that may be reached although they are private. */
export function clientFor(origins: string[], resolve?: Resolve, proxy?: string): OutboundClient {
  const pairs = origins.map((origin) => new URL(origin).host);
  const allow = parseAllowList(pairs.join());
  const client = createOutboundClient({ allow, userAgent: 'ParleyBot/test', resolve, proxy });
  ending(() => client.close());
  return client;
}

export async function failure(loading: Promise<unknown>): Promise<OutboundFailure> {
  const error = await loading.then(
    () => new Error('was loaded'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return (error as OutboundError).failure;
}

export const refused = (sentence: RegExp) => ({ kind: 'refused', sentence: expect.stringMatching(sentence) });
export const network = (code: string, host = '127.0.0.1') => ({ kind: 'network', host, code });
export const tooLarge = { kind: 'too_large', maxBytes: 100_000 };
