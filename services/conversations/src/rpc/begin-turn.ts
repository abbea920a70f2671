import { setTimeout as sleep } from 'node:timers/promises';
import type { BeginTurnRequest, ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { alreadyExists, type Call, monotonicNow, type Rpc, stillUnavailable } from '@parley/runtime';
import { conversation } from '../domain/conversation.ts';
import { checkQuestion, checkRoom, MAX_HISTORY } from '../domain/limits.ts';
import type { Parts } from '../parts.ts';
import { chatId, sessionId, type TurnDoc } from '../store/model.ts';
import { leaseMs, turnMessage } from './messages.ts';

type Stores = Pick<Parts, 'turns' | 'chats' | 'beginnings'>;

const POLL_MS = 100;
const LONGEST_WAIT_MS = 60_000;
/** Kept back from the caller's deadline, so that it hears why instead of nothing. */
const MARGIN_MS = 500;

/**
 * Stores a question as the next turn of its conversation, and hands the turn to the caller.
 *
 * The turn is the operation's. Where it has one already: an answered turn is returned with its answer; one that
 * someone works on is waited for; one that was given up is taken over in its old place, whatever was said since, because
 * the asker was promised an answer to that question. While another question of the conversation is pending it waits,
 * at most until the caller's deadline: UNAVAILABLE, and nothing is stored.
 */
export const beginTurn =
  (stores: Stores): Rpc<typeof ConversationsService.method.beginTurn> =>
  async (request, call) => {
    checkQuestion(request.question);
    const lease = leaseMs(request.lease);
    const place = await placeOf(stores, request, call);
    const turn = await takeTurn(stores, request, call, place.thread, lease);
    if (turn.state === 'pending') stores.beginnings.begin(turn);
    return { turn: turnMessage(turn, place.session), history: await historyOf(stores, call, turn) };
  };

/** The conversation that the question belongs to, which it begins where it names none. */
async function placeOf({ chats }: Stores, request: BeginTurnRequest, { account, operation }: Call) {
  if (request.sessionId === '') return { thread: chatId(operation), session: sessionId(operation) };
  const chat = await chats.bySession(account, request.assistantId, request.sessionId);
  return { thread: chat._id, session: chat.session_id };
}

/** The operation's turn, as soon as it can be had. */
async function takeTurn(stores: Stores, request: BeginTurnRequest, call: Call, thread: string, lease: number) {
  // Most questions that begin a conversation are new: then nothing has to be looked up.
  const opened = request.sessionId === '' ? await ask(stores, request, call, thread, null, lease) : undefined;
  if (opened) return opened;
  const giveUp = Math.min(call.deadline - MARGIN_MS, monotonicNow() + LONGEST_WAIT_MS);
  for (;;) {
    const turn = await tryOnce(stores, request, call, thread, lease);
    if (turn) return turn;
    if (monotonicNow() + POLL_MS > giveUp)
      throw stillUnavailable('Another question of this conversation is still being answered. Try again in a moment.');
    await sleep(POLL_MS, undefined, { signal: call.signal });
  }
}

/** The turn, if it can be had now. A question whose time has passed gives way, which is rare: it is looked for last. */
async function tryOnce(stores: Stores, request: BeginTurnRequest, call: Call, thread: string, lease: number) {
  const attempt = () => attemptOnce(stores, request, call, thread, lease);
  return (await attempt()) ?? ((await stores.turns.expire(call.account, thread)) ? await attempt() : undefined);
}

async function attemptOnce(stores: Stores, request: BeginTurnRequest, call: Call, thread: string, lease: number) {
  const { turns } = stores;
  const { account, operation } = call;
  const [mine, last] = await Promise.all([turns.turn(account, operation), turns.last(account, thread)]);
  if (!mine) return ask(stores, request, call, thread, last, lease);
  checkSame(mine, request, thread);
  return mine.state === 'answered' ? mine : ((await turns.claim(account, mine._id, lease)) ?? undefined);
}

async function ask(
  { turns }: Stores,
  request: BeginTurnRequest,
  call: Call,
  thread: string,
  last: TurnDoc | null,
  lease: number,
) {
  if (last?.state === 'pending') return undefined;
  const bytes = last ? last.bytes_before + bytesOf(last.question, last.answer?.message) : 0;
  if (last) checkRoom(last, bytes);
  const { assistantId: assistant, question } = request;
  const next = { _id: call.operation, assistant, thread, n: (last?.n ?? 0) + 1, question, bytes_before: bytes };
  return turns.ask(call.account, next, lease);
}

function checkSame(mine: TurnDoc, { assistantId, question }: BeginTurnRequest, thread: string) {
  if (mine.assistant === assistantId && mine.question === question && mine.thread === thread) return;
  throw alreadyExists('This operation has asked another question before.');
}

async function historyOf({ turns }: Stores, call: Call, turn: TurnDoc) {
  if (turn.n === 1) return [];
  const before = await turns.of(call.account, turn.thread, { before: turn.n, limit: MAX_HISTORY });
  return conversation(before).slice(-MAX_HISTORY);
}

const bytesOf = (...texts: (string | undefined)[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
