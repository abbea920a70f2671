import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { codeOf, publicError, type RpcClient, randomId, readEnv, rpcClient } from '@parley/runtime';
import { callAs } from './call-as.ts';
import { readDataDir } from './config.ts';
import { readOrMakeSecret } from './data-dir.ts';
import { readEndpoints } from './endpoints.ts';

const USAGE = `Usage: npm run account -- create NAME   makes an account and prints its first key, which holds every scope
       npm run account -- list          lists the accounts`;

type Auth = RpcClient<typeof AuthService>;
type CallOptions = ReturnType<typeof callAs>;

const dataDir = readDataDir(readEnv(process.env));
const [command, ...words] = process.argv.slice(2);
if (command === 'create' && words.length > 0)
  await onRunningSystem((auth, call) => create(auth, call, words.join(' ')));
else if (command === 'list' && words.length === 0) await onRunningSystem(list);
else fail(USAGE, 2);

async function create(auth: Auth, call: () => CallOptions, name: string): Promise<void> {
  const { account, key } = await auth.createAccount({ name }, call());
  say(`Account: ${account!.id}  ${account!.name}`);
  say(`API key: ${key}  (shown only this once)`);
}

async function list(auth: Auth, call: () => CallOptions): Promise<void> {
  let nextCursor = '';
  do {
    const page = await auth.listAccounts({ limit: 100, nextCursor }, call());
    for (const { id, name } of page.items) say(`${id}  ${name}`);
    ({ nextCursor } = page);
  } while (nextCursor);
}

/** Does something as the operator of the system that runs on the data directory. */
async function onRunningSystem(act: (auth: Auth, call: () => CallOptions) => Promise<void>): Promise<void> {
  const endpoints = await readEndpoints(dataDir);
  if (!endpoints) return fail(notRunning(), 1);
  const secret = await readOrMakeSecret(dataDir);
  const auth = rpcClient(AuthService, { address: endpoints.auth });
  try {
    await act(auth, () => callAs(secret, { operator: true, operation: randomId() }));
  } catch (error) {
    const away = ['unavailable', 'deadline_exceeded'].includes(codeOf(error));
    fail(away ? notRunning() : publicError(error).message, 1);
  } finally {
    await auth[Symbol.asyncDispose]();
  }
}

function notRunning(): string {
  return `No Parley runs on the data directory ${dataDir}. Start it with: npm start`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(sentence: string, code: number): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = code;
}
