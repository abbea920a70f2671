import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FreshDatabase } from '@parley/embedded/testing';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { callAs, randomId, readEnv, rpcClient } from '@parley/runtime';
import { readConfig } from './config.ts';
import { createAuth } from './create.ts';

export const secret = randomId();

/** What an auth service on the database is told; it listens on any free port of the loopback address. */
export const variablesFor = ({ uri, name }: FreshDatabase) => ({
  MONGODB_URI: uri,
  MONGODB_DATABASE_PREFIX: name,
  PARLEY_SECRET: secret,
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
});

/** An auth service that runs, and what one asks it. */
export async function startAuth(variables: Record<string, string>) {
  const auth = createAuth(readConfig(readEnv(variables)));
  await auth.start();
  const address = `127.0.0.1:${auth.port()}`;
  const rpc = rpcClient(AuthService, { address });
  return {
    address,
    verify: (key: string) => rpc.verifyKey({ key }, callAs(secret, { operation: randomId() })),
    revoke: (account: string, id: string) =>
      rpc.revokeApiKey({ id }, callAs(secret, { account, operation: randomId() })),
    accounts: async () => (await rpc.listAccounts({}, callAs(secret, { operator: true, operation: randomId() }))).items,
    async [Symbol.asyncDispose]() {
      await rpc[Symbol.asyncDispose]();
      await auth.stop();
    },
  };
}

/** A program of this folder in a process of its own; `ended` has all that it wrote. */
export function runProgram(name: 'main.ts' | 'account.ts', args: string[], variables: Record<string, string>) {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...args], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const wrote = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text) => {
      wrote[name] += text;
    });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...wrote }));
  return { child, ended };
}
