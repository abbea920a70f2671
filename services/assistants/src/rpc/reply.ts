import { durationFromMs } from '@bufbuild/protobuf/wkt';
import type { ReplyRequest } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Answer, Claim } from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument, unavailableDoNotRetry } from '@parley/runtime';
import { type Call, monotonicNow } from '@parley/runtime/rpc';
import type { AnswerSink } from '../answerer/answerer.ts';
import type { Dependencies } from '../dependencies.ts';
import { answerSettings } from '../domain/answer-settings.ts';
import type { ChatbotDoc } from '../store/model.ts';
import { type Asked, answerClaim, isAborted, isLost, said } from './answer-claim.ts';
import { searching } from './find-passages.ts';
import { kindOf } from './messages.ts';

export type Replying = Pick<
  Dependencies,
  'store' | 'knowledge' | 'conversations' | 'answerer' | 'replies' | 'replyMs' | 'leaseMs'
> &
  Partial<Pick<Dependencies, 'metrics'>>;

const SEARCH_MS = 15_000;
const FAIL_MS = 5_000;
/** Reserved at the end of the caller's deadline to report why it failed. */
const MARGIN_MS = 250;

/**
 * Answers a message, exactly once per operation: stores the question, searches, asks the model, stores the answer. A reply
 * goes on when its caller hangs up; a retry of the operation returns the stored answer.
 *
 * @param sink gets parts of an answer that is not stored yet.
 */
export async function replyTo(dependencies: Replying, request: ReplyRequest, call: Call, sink?: AnswerSink) {
  if (kindOf(request.kind) !== 'chatbot') throw invalidArgument('kind must be chatbot: only chatbots reply.');
  const assistant = await dependencies.store.assistant(call.account, 'chatbot', request.assistantId);
  return dependencies.replies.run(call.account, assistant._id, () =>
    replyOnce(dependencies, assistant, request, call, sink),
  );
}

async function replyOnce(
  dependencies: Replying,
  assistant: ChatbotDoc,
  request: ReplyRequest,
  call: Call,
  sink: AnswerSink | undefined,
) {
  const { message: question } = request;
  const search = searching(dependencies, assistant, () => call.detached(SEARCH_MS));
  // A new conversation doesn't have to wait, and the gateway has made sure that its visitor is not blocked.
  const begun = request.sessionId === '' ? search(question) : undefined;
  begun?.catch(() => {}); // Prevents an unhandled rejection when it fails before anyone awaits it.
  const asked = await ask(dependencies, assistant, request, call);
  const { threadId, sessionId, outcome } = asked;
  const history = asked.history.map(said);
  const {
    id: messageId,
    message,
    sources,
    confidence,
  } = outcome.case === 'answer'
    ? outcome.value
    : await answer(dependencies, outcome.value!, {
        question,
        history,
        settings: answerSettings(assistant),
        search,
        begun,
        call: call.detached(dependencies.replyMs),
        sink,
      });
  const listed = sources.map(({ n, title, url }) => ({ n, title, url }));
  return { id: threadId, sessionId, messageId, message, sources: listed, confidence };
}

/** Waits no longer than the caller, or it might store a question after the caller was asked to try again. */
function ask(dependencies: Replying, assistant: ChatbotDoc, request: ReplyRequest, call: Call) {
  const waiting = call.detached(
    Math.max(1, Math.min(call.deadline - monotonicNow() - MARGIN_MS, dependencies.replyMs)),
  );
  return dependencies.conversations.askQuestion(
    {
      assistantId: assistant._id,
      sessionId: request.sessionId,
      question: request.message,
      ...(request.visitor && { visitor: request.visitor }),
      lease: durationFromMs(dependencies.leaseMs),
    },
    waiting.onward(),
  );
}

/** Finds and stores the answer. Releases the claim if there is none. */
async function answer(dependencies: Replying, claim: Claim, asked: Asked): Promise<Answer> {
  const { conversations } = dependencies;
  const { call } = asked;
  try {
    return await answerClaim(dependencies, claim, asked, {
      async answered(answer, evidence) {
        return (await conversations.answerQuestion({ claim, answer, evidence }, call.onward('answer'))).answer!;
      },
      failed: (evidence) =>
        conversations
          .failQuestion({ claim, evidence }, call.detached(FAIL_MS).onward('fail'))
          .catch((failure) => call.log.warn({ err: failure }, 'a claim was not released; it will expire')),
    });
  } catch (error) {
    if (isAborted(error)) throw unavailableDoNotRetry(`${error.rawMessage} Try again.`, error);
    if (isLost(error)) throw unavailableDoNotRetry('The reply could not be finished in time. Try again.', error);
    throw error;
  }
}
