import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { readEnv } from '@parley/runtime';
import { callAs, randomId, rpcClient } from '@parley/runtime/rpc';
import type { FreshDatabase } from '@parley/runtime/testing';
import { readConfig } from './config.ts';
import { createAuth } from './create.ts';
import { ALL_SCOPES } from './domain/scopes.ts';

export const secret = randomId();

/** The environment of an auth service on the database; it listens on a free loopback port. */
export const variablesFor = ({ uri, name }: FreshDatabase) => ({
  MONGODB_URI: uri,
  MONGODB_DATABASE_PREFIX: name,
  PARLEY_SECRET: secret,
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
});

/** A running auth service, and the calls that tests make to it. */
export async function startAuth(variables: Record<string, string>) {
  const auth = createAuth(readConfig(readEnv(variables)));
  await auth.start();
  const address = `127.0.0.1:${auth.port()}`;
  const rpc = rpcClient(AuthService, { address });
  return {
    address,
    verify: (key: string) => rpc.verifyKey({ key }, callAs(secret, { operation: randomId() })),
    revoke: (account: string, id: string) =>
      rpc.revokeApiKey({ id }, callAs(secret, { account, scopes: ALL_SCOPES, operation: randomId() })),
    accounts: async () => (await rpc.listAccounts({}, callAs(secret, { operation: randomId() }))).items,
    /** Deletes an account that has nothing but keys. */
    async deleteAccount(id: string) {
      const asOperator = () => callAs(secret, { operation: randomId() });
      await rpc.deleteAccount({ id }, asOperator());
      await rpc.finishAccountDeletion({ id }, asOperator());
    },
    async [Symbol.asyncDispose]() {
      await rpc[Symbol.asyncDispose]();
      await auth.stop();
    },
  };
}

/** Runs a program of this folder in its own process; `ended` has all its output. */
export function runProgram(name: 'main.ts' | 'account.ts', args: string[], variables: Record<string, string>) {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, [program, ...args], {
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
