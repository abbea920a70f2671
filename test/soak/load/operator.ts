import { runAccountProgram } from '@parley/auth';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { ConversationsService, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { retry } from '@parley/runtime';
import { callAs, codeOf, randomId, rpcClient } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import type { StackDescription } from '../../../deploy/stack/start-stack.ts';
import type { Recorder } from '../recorder.ts';
import type { Opening } from './tenant.ts';

/** Acts by RPC instead of the REST API: for the operator, and for the senders of tickets and emails. */
export interface Operator extends AsyncDisposable {
  createAccount(name: string): Promise<{ id: string; key: string }>;
  /** As `npm run account -- delete` does, again if it is interrupted. */
  deleteAccount(id: string): Promise<void>;
  /** As `npm run seed` does. */
  open(opening: Opening): Promise<string>;
}

const KINDS = { ticket: ThreadKind.TICKET, email: ThreadKind.EMAIL };
const ATTEMPTS = 60;
const PAUSE_MS = 1_000;
const DELETED_WITHIN_MS = 180_000;

export function operatorOf({ endpoints, secret }: StackDescription, recorder: Recorder): Operator {
  const auth = rpcClient(AuthService, { address: endpoints.auth });
  const conversations = rpcClient(ConversationsService, { address: endpoints.conversations });

  /** Repeats a call, whose operation stays the same, while its service is unavailable. */
  function insist<T>(what: string, call: () => Promise<T>): Promise<T> {
    const attempt = () => {
      const began = performance.now();
      return call().catch((error) => {
        if (isUnavailable(error)) recorder.putOff(`${what}: ${codeOf(error)}`, began);
        throw error;
      });
    };
    const pauseAfter = (error: unknown) => (isUnavailable(error) ? PAUSE_MS : undefined);
    const policy = { attempts: ATTEMPTS, backoffMs: PAUSE_MS, longestPauseMs: PAUSE_MS, pauseAfter };
    return retry(attempt, policy, new AbortController().signal);
  }

  /** Returns whether the account is deleted now. */
  async function tryToDelete(id: string): Promise<boolean> {
    const began = performance.now();
    let errors = '';
    const code = await runAccountProgram({
      args: ['delete', id],
      command: 'npm run account --',
      find: async () => ({ auth: endpoints.auth, secret, data: () => endpoints }),
      away: 'The auth service does not answer.',
      output: {
        stdout: { write: () => {} },
        stderr: {
          write(text) {
            errors += text;
          },
        },
      },
    });
    if (code === 0) return true;
    // An earlier attempt may have finished without an answer.
    if (errors.startsWith('There is no account') && recorder.isDisturbed(began - DELETED_WITHIN_MS)) return true;
    recorder.putOff(`Deleting an account: ${errors.trim()}`, began);
    return false;
  }

  return {
    async createAccount(name) {
      const options = callAs(secret, { operation: randomId() });
      const { account, key } = await insist('Creating an account', () => auth.createAccount({ name }, options));
      return { id: account!.id, key };
    },
    deleteAccount: async (id) => void (await until(() => tryToDelete(id), Boolean, DELETED_WITHIN_MS, PAUSE_MS)),
    async open({ account, kind, parent, email, message }) {
      const began = performance.now();
      const options = callAs(secret, { account, operation: randomId() });
      const opening = { kind: KINDS[kind], assistantId: parent, fromEmail: email, message };
      const { thread } = await insist(`Opening: ${kind}`, () => conversations.openThread(opening, options));
      recorder.answered('open', began);
      return thread!.id;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([auth[Symbol.asyncDispose](), conversations[Symbol.asyncDispose]()]);
    },
  };
}

const isUnavailable = (error: unknown) => ['unavailable', 'deadline_exceeded'].includes(codeOf(error));
