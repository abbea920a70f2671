import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { type DueAnswer, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { createLoop, createTurns, type Log, type Loop, type RootSecret } from '@parley/runtime';
import { type Call, codeOf, contextSigner, monotonicNow, newCall, randomId } from '@parley/runtime/rpc';
import type { Dependencies } from './dependencies.ts';
import { answerSettings } from './domain/answer-settings.ts';
import { caseSettings } from './domain/case-settings.ts';
import type { CitedAnswer } from './domain/cite.ts';
import { answerClaim, isLost, said } from './rpc/answer-claim.ts';
import { searching } from './rpc/find-passages.ts';
import type { EmailInboxDoc, TicketFormDoc } from './store/model.ts';

type Working = Pick<
  Dependencies,
  'store' | 'knowledge' | 'conversations' | 'answerer' | 'replies' | 'replyMs' | 'leaseMs'
> & { secret: RootSecret; log: Log };

const REST_MS = 1_000;
const CALL_MS = 10_000;
const SEARCH_MS = 15_000;
/** Answers in progress in a process. People who wait in a chat come first. */
const AT_ONCE = 4;
/** Attempts at one message, without those that something else than the message ended. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 60_000;
/** Errors that say nothing about the message. */
const AWAY: ReadonlySet<unknown> = new Set(['unavailable', 'deadline_exceeded']);

/**
 * Answers tickets and emails once they have been quiet for a while: it sends what the owner lets it send and is sure of, and
 * leaves the rest to the owner as drafts. Every replica may run it. Its answers in progress are replies, which a stop waits for.
 */
export function createDueAnswers(dependencies: Working): Loop {
  const callAs = callsOf(dependencies);
  const turns = createTurns(AT_ONCE);

  async function round(): Promise<boolean> {
    if (turns.isFull()) return false;
    const asked = { lease: durationFromMs(dependencies.leaseMs), exceptAccounts: turns.busy() };
    const { due } = await dependencies.conversations.claimDueAnswer(asked, callAs(CALL_MS).onward());
    if (due) turns.begin(due.accountId, answerDue(dependencies, due, callAs(dependencies.replyMs, due.accountId)));
    return due !== undefined;
  }

  return createLoop({ name: 'answering tickets and emails', restMs: REST_MS, log: dependencies.log, round });
}

type Calls = (timeoutMs: number, account?: string) => Call;

function callsOf({ secret, log }: Working): Calls {
  const sign = contextSigner(secret, 'assistants');
  return (timeoutMs, account) => {
    const context = { ...(account !== undefined && { account }), requestId: randomId(), operation: randomId() };
    return newCall(context, { sign, log, deadline: monotonicNow() + timeoutMs });
  };
}

/** Never rejects: whatever fails is logged, and the message is due again later. */
async function answerDue(dependencies: Working, due: DueAnswer, call: Call): Promise<void> {
  const { conversations, log } = dependencies;
  const claim = due.claim!;
  const thread = claim.threadId;
  try {
    const assistant = await assistantOf(dependencies, due);
    if (!assistant || caseSettings(assistant).ai_reply === 'off' || due.conversation.length === 0)
      await conversations.declineAnswer({ claim }, call.onward());
    else if (due.attempts > MAX_ATTEMPTS) await conversations.failQuestion({ claim }, call.onward());
    else await dependencies.replies.run(due.accountId, assistant._id, () => answer(dependencies, due, assistant, call));
  } catch (error) {
    if (isLost(error)) return;
    const counts = !AWAY.has(codeOf(error));
    log[counts ? 'error' : 'warn'](
      { err: error, thread },
      'a ticket or an email could not be answered; it will be tried again',
    );
    const delay = durationFromMs(RETRY_MS * (counts ? due.attempts : 1));
    await conversations
      .postponeAnswer({ claim, delay, counts }, call.detached(CALL_MS).onward('postpone'))
      .catch((failure) => log.warn({ err: failure, thread }, 'a claim was not given back; it will expire'));
  }
}

/** Undefined if it was deleted. */
async function assistantOf({ store }: Working, { kind, accountId, assistantId }: DueAnswer) {
  const name = kind === ThreadKind.TICKET ? 'ticket_form' : 'email_inbox';
  try {
    return await store.assistant(accountId, name, assistantId);
  } catch (error) {
    if (codeOf(error) === 'not_found') return undefined;
    throw error;
  }
}

async function answer(
  dependencies: Working,
  due: DueAnswer,
  assistant: TicketFormDoc | EmailInboxDoc,
  call: Call,
): Promise<void> {
  const { conversations } = dependencies;
  const claim = due.claim!;
  const mayBeSent = caseSettings(assistant).ai_reply === 'auto' && due.authenticated;
  const asked = {
    ...asQuestion(due),
    settings: answerSettings(assistant),
    search: searching(dependencies, assistant, () => call.detached(SEARCH_MS)),
    call,
  };
  await answerClaim(dependencies, claim, asked, {
    async answered(answer, evidence, cited) {
      // "I could not find an answer" is nobody's draft.
      if (!isAnswer(cited)) await conversations.declineAnswer({ claim, evidence }, call.onward('answer'));
      else if (mayBeSent && cited.confidence === 'high')
        await conversations.answerQuestion({ claim, answer, evidence }, call.onward('answer'));
      else await conversations.storeDraft({ claim, answer, evidence }, call.onward('answer'));
    },
    // Whoever began it postpones it.
    failed: async () => {},
  });
}

const isAnswer = ({ cited, isTalk }: CitedAnswer): boolean => !isTalk && cited.length > 0;

/** The message that waits is the last one. The subject of an email may be all of its question, so it counts as said before. */
function asQuestion({ conversation, subject }: DueAnswer) {
  const [last, ...earlier] = conversation.map(said).reverse();
  const about = subject === '' ? [] : [{ by: 'user' as const, message: subject }];
  return { question: last!.message, history: [...about, ...earlier.reverse()] };
}
