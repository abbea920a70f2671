import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { freePort } from '../../stack/server.ts';
import { dependenciesOf, watchDependencies } from './dependencies.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Watches the servers in the variables at short intervals; returns its messages. */
function watch(variables: Record<string, string>, repeatEveryMs = 60_000): string[] {
  const messages: string[] = [];
  ends.push(
    watchDependencies(dependenciesOf(variables), (line) => messages.push(line), { lookEveryMs: 20, repeatEveryMs }),
  );
  return messages;
}

async function answering(status: number, port = 0): Promise<number> {
  const server: Server = createServer((_, response) => response.writeHead(status).end());
  await once(server.listen(port, '127.0.0.1'), 'listening');
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

test('each server that does not respond is reported once, with its address and what to do, but no password', async () => {
  const port = await freePort();
  const messages = watch({
    MONGODB_URI: `mongodb://user:very-secret@127.0.0.1:${port}/?directConnection=true`,
    KAFKA_BROKERS: `127.0.0.1:${port}`,
    MINIO_ENDPOINT: `http://127.0.0.1:${port}`,
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_API_KEY: 'very-secret',
  });
  await until(() => messages.length === 4);
  for (const name of ['MongoDB', 'Kafka', 'The file store', 'The model server'])
    expect(messages).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${name} does not respond at \\S*127\\.0\\.0\\.1:${port}\\S* Start it or correct`),
      ),
    );
  expect(messages.join()).not.toContain('very-secret');
});

test('a server that stays silent is reported again periodically, and once more when it responds', async () => {
  const port = await freePort();
  const messages = watch({ MINIO_ENDPOINT: `http://127.0.0.1:${port}` }, 100);
  await until(() => messages.length >= 2);
  expect(messages[1]).toBe(messages[0]);
  await answering(403, port);
  await until(() => messages.at(-1) === 'The file store is available again.');
});

test('a model server that refuses the key is distinguished from one that does not respond', async () => {
  const port = await answering(401);
  const messages = watch({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'very-secret' });
  await until(() => messages.length > 0);
  expect(messages[0]).toBe(
    `The model server at http://127.0.0.1:${port}/v1 refuses the key (401). Check OPENAI_API_KEY.`,
  );
});

test('an invalid MongoDB address is refused at once, without being repeated', () => {
  expect(() => dependenciesOf({ MONGODB_URI: 'postgres://user:very-secret@db' })).toThrow(
    /^MONGODB_URI must be an address such as mongodb:/,
  );
});
