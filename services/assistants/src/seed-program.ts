import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { AssistantKind, AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { ConversationsService, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { createLog, type RootSecret } from '@parley/runtime';
import { callAs, codeOf, openRpcTls, publicError, type RpcTlsConfig, randomId, rpcClient } from '@parley/runtime/rpc';
import { BadLine, linesOf, parseLine, type SeedLine } from './seed-lines.ts';

export interface SeedProgram {
  /** JSON lines. */
  input: AsyncIterable<Uint8Array>;
  output: Writable;
  errors: Writable;
  /** Finds the running system; undefined if there is none. */
  find(): Promise<SeededSystem | undefined>;
  /** The message if none answers. */
  unavailable: string;
}

export interface SeededSystem {
  /** host:port of each service. */
  assistants: string;
  conversations: string;
  secret: RootSecret;
  rpcTls?: RpcTlsConfig | undefined;
}

/** Lines under way at a time. Those of one parent are opened one after the other, so that its list has their order. */
const AT_ONCE = 16;
/** Parents that are remembered. */
const MAX_PARENTS = 1_000;

const ASSISTANT = { ticket: AssistantKind.TICKET_FORM, email: AssistantKind.EMAIL_INBOX };
const THREAD = { ticket: ThreadKind.TICKET, email: ThreadKind.EMAIL };

/**
 * Opens a ticket or an email for each line of the input, as its sender would, and prints the id of each, in order. A line
 * in error ends it: what is before it is opened, and nothing after it. Resolves to the program's exit code.
 */
export async function runSeedProgram(program: SeedProgram): Promise<number> {
  const { errors, unavailable } = program;
  const fail = (sentence: string) => {
    errors.write(`${sentence}\n`);
    return 1;
  };
  const system = await program.find();
  if (!system) return fail(unavailable);
  await using seeder = seederOf(system);
  try {
    await inOrder(program, seeder);
    return 0;
  } catch (error) {
    if (!(error instanceof BadLine)) return fail(publicError(error).message);
    return fail(isUnavailable(error.cause) ? `${error.message} ${unavailable}` : error.message);
  }
}

const isUnavailable = (error: unknown) => ['unavailable', 'deadline_exceeded'].includes(codeOf(error));

/** Starts lines in order, prints their ids in order, and stops at the first that fails. */
async function inOrder({ input, output }: SeedProgram, seeder: Seeder): Promise<void> {
  const started: Promise<string>[] = [];
  const printFirst = async () => {
    const id = await started[0]!;
    started.shift();
    if (!output.write(`${id}\n`)) await once(output, 'drain');
  };
  let failure: unknown;
  try {
    for await (const { number, line } of linesOf(input)) {
      if (started.length >= AT_ONCE) await printFirst();
      const { id } = await seeder.start(number, parseLine(number, line));
      id.catch(() => {}); // Awaited in order.
      started.push(id);
    }
  } catch (error) {
    failure = error;
  }
  // What was started before the line at fault. If one of those fails as well, it is the first.
  while (started.length > 0) await printFirst();
  if (failure) throw failure;
}

type Seeder = ReturnType<typeof seederOf>;

function seederOf({ secret, rpcTls, ...addresses }: SeededSystem) {
  const tls = rpcTls && openRpcTls(rpcTls, createLog('seed', 'silent'));
  const assistants = rpcClient(AssistantsService, { address: addresses.assistants, tls });
  const conversations = rpcClient(ConversationsService, { address: addresses.conversations, tls });
  const parents = new Map<string, { account: string; id: string }>();
  /** The last opening of each parent that is under way. */
  const latest = new Map<string, Promise<unknown>>();
  /** The first line that failed. No later one is opened. */
  let failed = Infinity;

  async function parentOf({ kind, parent }: SeedLine) {
    const key = `${kind} ${parent.id}`;
    const known = parents.get(key);
    if (known) return known;
    const { accountId: account, id } = await assistants.resolveAssistant(
      { kind: ASSISTANT[kind], id: parent.id },
      callAs(secret, { operation: randomId() }),
    );
    if (parents.size >= MAX_PARENTS) parents.clear();
    parents.set(key, { account, id });
    return { account, id };
  }

  async function open({ kind, email, name, subject, message }: SeedLine, parent: { account: string; id: string }) {
    const { thread } = await conversations.openThread(
      {
        kind: THREAD[kind],
        assistantId: parent.id,
        fromEmail: email,
        fromName: name ?? '',
        subject: subject ?? '',
        message,
      },
      callAs(secret, { account: parent.account, operation: randomId() }),
    );
    return thread!.id;
  }

  const orFail =
    (number: number, field = '') =>
    (error: unknown): never => {
      failed = Math.min(failed, number);
      if (error instanceof BadLine) throw error;
      throw Object.assign(new BadLine(number, `${field}${publicError(error).message}`), { cause: error });
    };

  return {
    /** Resolves as soon as the line is under way, or waits for the one before it of the same parent. */
    async start(number: number, line: SeedLine): Promise<{ id: Promise<string> }> {
      const parent = await parentOf(line).catch(orFail(number, 'parent.id: '));
      const before = latest.get(parent.id);
      const id = (async () => {
        await before?.catch(() => {});
        if (number > failed) throw new BadLine(number, 'it was not opened, because an earlier line failed.');
        return open(line, parent).catch(orFail(number));
      })();
      latest.set(parent.id, id);
      const forget = () => latest.get(parent.id) === id && latest.delete(parent.id);
      id.then(forget, forget);
      return { id };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([assistants[Symbol.asyncDispose](), conversations[Symbol.asyncDispose]()]);
    },
  };
}
