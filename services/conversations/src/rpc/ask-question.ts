import type { AskQuestionRequest, ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { alreadyExists, notFound, unavailableDoNotRetry } from '@parley/runtime';
import { type Call, monotonicNow, type Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { checkMessage, MAX_HISTORY, MAX_MESSAGE } from '../domain/limits.ts';
import { chatId } from '../store/model.ts';
import type { Asked, Question } from '../store/questions.ts';
import { answerMessage, conversation, leaseMs, visitorOf } from './messages.ts';

type Asking = Pick<Dependencies, 'threads' | 'questions' | 'notifier'>;

/** How often a waiting question polls whether another replica has finished the answer before it. */
const LOOK_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Reserved at the end of the caller's deadline to report why it failed. */
const MARGIN_MS = 1_000;

/**
 * Stores a question and claims its answer, or returns the answer that the same operation got before. Waits for its turn
 * until the caller's deadline at most.
 */
export const askQuestion =
  (dependencies: Asking): Rpc<typeof ConversationsService.method.askQuestion> =>
  async (request, call) => {
    checkMessage(request.question, MAX_MESSAGE);
    const { thread, question, answer } = await ask(dependencies, request, leaseMs(request.lease), call);
    const before =
      question.n === 1 ? [] : await dependencies.threads.entries.of(thread, { before: question.n, limit: MAX_HISTORY });
    return {
      threadId: thread._id,
      sessionId: thread.session_id!,
      outcome: answer
        ? { case: 'answer', value: answerMessage(answer) }
        : { case: 'claim', value: { threadId: thread._id, questionId: question._id, fence: thread.fence } },
      history: conversation(before),
    };
  };

async function ask(dependencies: Asking, request: AskQuestionRequest, lease: number, call: Call): Promise<Asked> {
  const { threads, questions } = dependencies;
  const { account, operation: op } = call;
  const { assistantId, sessionId } = request;
  const visitor = request.visitor && visitorOf(request.visitor);
  const question = { op, text: request.question, visitor };
  const begun = sessionId === '' && (await questions.begin(account, assistantId, question, lease));
  if (begun) return begun;
  const chat = sessionId
    ? await threads.bySession(account, assistantId, sessionId)
    : await threads.thread(account, chatId(op));
  if (visitor && chat.visitor?.id !== visitor.id) throw notFound('There is no such session.');
  if (chat.assistant !== assistantId) throw alreadyExists('This operation was used for another assistant.');
  return (await questions.ask(chat, question, lease)) ?? whenFirst(dependencies, chat._id, question, lease, call);
}

async function whenFirst({ questions, notifier }: Asking, chat: string, question: Question, lease: number, call: Call) {
  using listener = notifier.listen(chat);
  const giveUp = Math.min(call.deadline - MARGIN_MS, monotonicNow() + LONGEST_WAIT_MS);
  let asked: Asked | undefined;
  try {
    for (;;) {
      const { thread, position } = await questions.queue(call.account, chat, question.op);
      if (position === 'none') throw tryAgain('Two more questions in this conversation are already waiting.');
      if (position === 'first') asked = await questions.ask(thread, question, lease);
      if (asked) return asked;
      const leftMs = giveUp - monotonicNow();
      if (leftMs <= 0) throw tryAgain('Another question in this conversation is still being answered.');
      if (position === 'waiting') await listener.next(Math.min(LOOK_MS, leftMs), call.signal);
    }
  } finally {
    // Asking a question removes its position in the same write. If leaving fails, the position expires.
    if (!asked || asked.answer) await questions.leave(call.account, chat, question.op).catch(() => {});
  }
}

const tryAgain = (reason: string) => unavailableDoNotRetry(`${reason} Try again in a moment.`);
