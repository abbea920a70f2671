import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import type { AssistantsService, ReplyRequest } from '@parley/proto/assistants/v1/assistants_service_pb';
import { type BeginTurnResponse, Role } from '@parley/proto/conversations/v1/conversations_service_pb';
import {
  type Call,
  keepLease,
  LeaseLost,
  linkedSignal,
  monotonicNow,
  type Rpc,
  stillUnavailable,
} from '@parley/runtime';
import type { Said } from '../answerer/answerer.ts';
import { type CitedAnswer, NO_EVIDENCE } from '../domain/cite.ts';
import { evidenceOf } from '../domain/evidence.ts';
import type { Parts } from '../parts.ts';
import type { AssistantDoc } from '../store/assistants.ts';
import { kindOf } from './messages.ts';

type Replying = Pick<
  Parts,
  'store' | 'recall' | 'knowledge' | 'conversations' | 'answerer' | 'replies' | 'replyMs' | 'leaseMs'
>;
type Turn = NonNullable<BeginTurnResponse['turn']>;

const SEARCH_MS = 15_000;
const ABANDON_MS = 5_000;
/** Kept back from the caller's deadline, to tell it why it waited in vain. */
const MARGIN_MS = 250;

/**
 * Answers a message, exactly once for an operation: stores the question, searches meanwhile, asks the model, stores the
 * answer. Once begun it goes on when the caller hangs up, and its caller, or the next one with the same operation, is
 * given what was stored.
 */
export const reply =
  (parts: Replying): Rpc<typeof AssistantsService.method.reply> =>
  async (request, call) => {
    const { assistant, searching } = await beginSearch(parts, request, call);
    return parts.replies.track(replyOnce(parts, assistant, searching, request, call));
  };

/**
 * Reads the assistant, and searches what it has attached. That is nearly always what it had when it was last asked, so
 * the search begins with that, beside the read; where it is something else by now, it begins again.
 */
async function beginSearch(parts: Replying, { message, assistantId, ...request }: ReplyRequest, call: Call) {
  const { store, recall } = parts;
  const named = { account: call.account, kind: kindOf(request.kind), id: assistantId };
  const begin = (items: readonly string[]) => {
    const searching = search(parts, items, message, call.detached(SEARCH_MS));
    // Its failure matters only once the question is stored.
    searching.catch(() => {});
    return searching;
  };
  const before = recall.attachedTo(named);
  const ahead = before && begin(before);
  const assistant = await store.assistant(named.account, named.kind, named.id);
  const now = assistant.knowledge.map(({ item }) => item);
  recall.remember(named, now);
  return { assistant, searching: ahead && before.join() === now.join() ? ahead : begin(now) };
}

async function replyOnce(
  parts: Replying,
  assistant: AssistantDoc,
  searching: Promise<Passages>,
  request: ReplyRequest,
  call: Call,
) {
  const { turn, history } = await beginTurn(parts, assistant, request, call);
  const answer = turn.answer ?? (await answerTurn(parts, turn, history, searching, call.detached(parts.replyMs)));
  const sources = answer.sources.map(({ n, title, url }) => ({ n, title, url }));
  return { id: turn.threadId, sessionId: turn.sessionId, message: answer.message, sources };
}

/** The passages that are good enough to answer from, best first. */
async function search({ knowledge }: Replying, items: readonly string[], query: string, call: Call) {
  if (items.length === 0) return [];
  const { passages } = await knowledge.search({ knowledgeIds: [...items], query }, call.onward());
  return evidenceOf(passages);
}

type Passages = Awaited<ReturnType<typeof search>>;

/** Waits no longer than the caller does, or a question would be stored that its asker was told to ask again. */
async function beginTurn(parts: Replying, assistant: AssistantDoc, request: ReplyRequest, call: Call) {
  const waiting = call.detached(Math.max(1, Math.min(call.deadline - monotonicNow() - MARGIN_MS, parts.replyMs)));
  const { turn, history } = await parts.conversations.beginTurn(
    {
      assistantId: assistant._id,
      sessionId: request.sessionId,
      question: request.message,
      lease: durationFromMs(parts.leaseMs),
    },
    waiting.onward(),
  );
  return { turn: turn!, history: history.map(said) };
}

const said = ({ role, message }: BeginTurnResponse['history'][number]): Said => ({
  by: role === Role.USER ? 'user' : 'assistant',
  message,
});

/** Finds the answer and stores it, while the turn is ours; gives the turn up where there is none to be had. */
async function answerTurn(parts: Replying, turn: Turn, history: Said[], searching: Promise<Passages>, call: Call) {
  const { conversations, leaseMs, replies } = parts;
  const held = { turnId: turn.id, fence: turn.fence };
  using bounds = linkedSignal([replies.signal], call.deadline - monotonicNow());
  const lease = { ttlMs: leaseMs, renew: () => extend(parts, held, call), signal: bounds.signal };
  return await keepLease(lease, async (signal) => {
    try {
      const answer = await findAnswer(parts, turn.question, history, await searching, signal);
      await conversations.answerTurn({ ...held, answer }, call.onward('answer'));
      return answer;
    } catch (error) {
      if (error instanceof LeaseLost || isAborted(error))
        throw stillUnavailable('Another attempt has taken over this question. Try again.', error);
      await conversations
        .abandonTurn(held, call.detached(ABANDON_MS).onward('abandon'))
        .catch((failure) => call.log.warn({ err: failure }, 'a turn was left to its lease'));
      throw error;
    }
  });
}

async function findAnswer(
  { answerer }: Replying,
  question: string,
  history: Said[],
  passages: Passages,
  signal: AbortSignal,
): Promise<CitedAnswer> {
  if (passages.length === 0) return NO_EVIDENCE;
  return answerer.answer({ question, history, passages }, signal).catch((error) => {
    if (error instanceof LeaseLost) throw error;
    throw stillUnavailable('The model is away for the moment. Try again.', error);
  });
}

/** False once the turn is no longer ours. */
async function extend({ conversations, leaseMs }: Replying, held: { turnId: string; fence: number }, call: Call) {
  try {
    await conversations.extendTurn({ ...held, lease: durationFromMs(leaseMs) }, call.onward('extend'));
    return true;
  } catch (error) {
    if (isAborted(error)) return false;
    throw error;
  }
}

const isAborted = (error: unknown): boolean => error instanceof ConnectError && error.code === Code.Aborted;
