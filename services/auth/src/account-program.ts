import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { ConfigError, createLog, type RootSecret } from '@parley/runtime';
import {
  callAs,
  codeOf,
  deriveId,
  openRpcTls,
  publicError,
  type RpcClient,
  type RpcTls,
  type RpcTlsConfig,
  randomId,
  rpcClient,
} from '@parley/runtime/rpc';
import { type DataAddresses, deleteAccount } from './delete-account.ts';

export interface AccountProgram {
  /** The arguments after the program's name. */
  args: string[];
  /** The command line that starts it, for the usage text. */
  command: string;
  /** Finds the running system; undefined if there is none. */
  find(): Promise<RunningSystem | undefined>;
  /** The message if none answers. */
  away: string;
  /** Where its lines go: by default to the process's own output. */
  output?: Record<'stdout' | 'stderr', { write(text: string): unknown }>;
}

export interface RunningSystem {
  /** host:port of its auth service. */
  auth: string;
  secret: RootSecret;
  rpcTls?: RpcTlsConfig | undefined;
  /** Where the data of accounts is. @throws ConfigError if an address is not known. */
  data(): DataAddresses;
}

/** The dependencies of an action. */
interface Operator {
  auth: RpcClient<typeof AuthService>;
  tls: RpcTls | undefined;
  as(operation: string): ReturnType<typeof callAs>;
  system: RunningSystem;
  say(line: string): void;
}

type Action = (operator: Operator) => Promise<void>;

/** Creates, lists and deletes accounts, as the operator of a running system. Resolves to the program's exit code. */
export async function runAccountProgram(program: AccountProgram): Promise<number> {
  const { args, command, find, away, output = process } = program;
  const say = (line: string) => void output.stdout.write(`${line}\n`);
  const fail = (sentence: string, code: number) => {
    output.stderr.write(`${sentence}\n`);
    return code;
  };
  const act = actionOf(args);
  if (!act) return fail(usage(command), 2);
  const system = await find();
  if (!system) return fail(away, 1);
  const tls = system.rpcTls && openRpcTls(system.rpcTls, createLog('account', 'silent'));
  const auth = rpcClient(AuthService, { address: system.auth, tls });
  try {
    const as = (operation: string) => callAs(system.secret, { operation });
    await act({ auth, tls, as, system, say });
    return 0;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const isUnavailable = ['unavailable', 'deadline_exceeded'].includes(codeOf(error));
    return fail(isUnavailable ? away : publicError(error).message, 1);
  } finally {
    await auth[Symbol.asyncDispose]();
  }
}

const usage = (
  command: string,
) => `Usage: ${command} create NAME          creates an account and prints its first key, which holds every scope
       ${command} create --once NAME   the same, but running it again gives the same account a new first key, and the old one stops working
       ${command} list                 lists the accounts
       ${command} delete ID            deletes an account and everything it has; does not ask, and can't be undone`;

function actionOf([verb, ...words]: string[]): Action | undefined {
  const [word, ...more] = words;
  if (verb === 'list' && !word) return list;
  if (verb === 'delete' && word && more.length === 0) return (operator) => remove(operator, word);
  const once = word === '--once';
  const name = (once ? more : words).join(' ');
  if (verb !== 'create' || name === '') return undefined;
  return (operator) => (once ? createOnce(operator, name) : create(operator, name, randomId()));
}

async function create({ auth, as, say }: Operator, name: string, operation: string): Promise<void> {
  const { account, key } = await auth.createAccount({ name }, as(operation));
  say(`Account: ${account!.id}  ${account!.name}`);
  say(`API key: ${key}  (shown only this once)`);
}

/** How often an account of the same name may be deleted and created again. */
const MAX_LIVES = 100;

/** The same name leads to the same account, until that is deleted; from then on to the next one. */
async function createOnce(operator: Operator, name: string): Promise<void> {
  for (let life = 1; ; life++) {
    const operation = deriveId('account made once', name, ...(life === 1 ? [] : [String(life)]));
    try {
      return await create(operator, name, operation);
    } catch (error) {
      if (codeOf(error) !== 'failed_precondition' || life === MAX_LIVES) throw error;
    }
  }
}

async function list({ auth, as, say }: Operator): Promise<void> {
  let nextCursor = '';
  do {
    const page = await auth.listAccounts({ limit: 100, nextCursor }, as(randomId()));
    for (const { id, name, deletedAt } of page.items)
      say(`${id}  ${name}${deletedAt ? `  (being deleted; to go on: delete ${id})` : ''}`);
    ({ nextCursor } = page);
  } while (nextCursor);
}

const remove = ({ auth, tls, as, system, say }: Operator, id: string): Promise<void> =>
  deleteAccount({ auth, tls, addresses: system.data(), as: () => as(randomId()), say }, id);
