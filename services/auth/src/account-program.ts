import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { callAs, codeOf, deriveId, publicError, type RpcClient, randomId, rpcClient } from '@parley/runtime';

export interface AccountProgram {
  /** The words after the program's name. */
  args: string[];
  /** How one starts it, for its usage. */
  command: string;
  /** The running system that is meant; undefined where there is none. */
  find(): Promise<RunningSystem | undefined>;
  /** What to say where none answers. */
  away: string;
}

export interface RunningSystem {
  /** host:port of its auth service. */
  auth: string;
  secret: string;
}

type Auth = RpcClient<typeof AuthService>;
type As = (operation: string) => ReturnType<typeof callAs>;

/** Makes and lists accounts, as the operator of a running system. Resolves to the program's exit code. */
export async function runAccountProgram({ args, command, find, away }: AccountProgram): Promise<number> {
  const act = actOf(args);
  if (!act) return fail(usage(command), 2);
  const system = await find();
  if (!system) return fail(away, 1);
  const auth = rpcClient(AuthService, { address: system.auth });
  try {
    await act(auth, (operation) => callAs(system.secret, { operator: true, operation }));
    return 0;
  } catch (error) {
    const isAway = ['unavailable', 'deadline_exceeded'].includes(codeOf(error));
    return fail(isAway ? away : publicError(error).message, 1);
  } finally {
    await auth[Symbol.asyncDispose]();
  }
}

const usage = (
  command: string,
) => `Usage: ${command} create NAME          makes an account and prints its first key, which holds every scope
       ${command} create --once NAME   the same, but again gives the same account and key
       ${command} list                 lists the accounts`;

function actOf([verb, ...words]: string[]): ((auth: Auth, as: As) => Promise<void>) | undefined {
  if (verb === 'list' && words.length === 0) return list;
  const once = words[0] === '--once';
  const name = (once ? words.slice(1) : words).join(' ');
  if (verb !== 'create' || name === '') return undefined;
  return (auth, as) => create(auth, as(once ? deriveId('account made once', name) : randomId()), name);
}

async function create(auth: Auth, options: ReturnType<As>, name: string): Promise<void> {
  const { account, key } = await auth.createAccount({ name }, options);
  say(`Account: ${account!.id}  ${account!.name}`);
  say(`API key: ${key}  (shown only this once)`);
}

async function list(auth: Auth, as: As): Promise<void> {
  let nextCursor = '';
  do {
    const page = await auth.listAccounts({ limit: 100, nextCursor }, as(randomId()));
    for (const { id, name } of page.items) say(`${id}  ${name}`);
    ({ nextCursor } = page);
  } while (nextCursor);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(sentence: string, code: number): number {
  process.stderr.write(`${sentence}\n`);
  return code;
}
