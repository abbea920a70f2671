import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { languageOf } from '@parley/language';
import type { ReplyRequest } from '@parley/proto/assistants/v1/assistants_service_pb';
import {
  type Answer,
  type AskQuestionResponse,
  type Claim,
  Role,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument, linkedSignal, unavailableDoNotRetry } from '@parley/runtime';
import { keepLease, LeaseLost } from '@parley/runtime/mongo';
import { type Call, monotonicNow } from '@parley/runtime/rpc';
import type { AnswerSink, Said } from '../answerer/answerer.ts';
import type { Dependencies } from '../dependencies.ts';
import { type AnswerSettings, answerSettings } from '../domain/answer-settings.ts';
import { LANGUAGES, noEvidence, talkAnswer, talkOf } from '../domain/canned-replies.ts';
import type { CitedAnswer } from '../domain/cite.ts';
import type { ChatbotDoc } from '../store/model.ts';
import { confidenceNumber, evidenceMessage } from './evidence-message.ts';
import { type Found, findPassages, searching } from './find-passages.ts';
import { kindOf } from './messages.ts';

export type Replying = Pick<
  Dependencies,
  'store' | 'knowledge' | 'conversations' | 'answerer' | 'replies' | 'replyMs' | 'leaseMs'
>;

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

const said = ({ role, message }: AskQuestionResponse['history'][number]): Said => ({
  by: role === Role.USER ? 'user' : 'assistant',
  message,
});

interface Asked {
  question: string;
  history: Said[];
  settings: AnswerSettings;
  search: ReturnType<typeof searching>;
  begun: Promise<Found> | undefined;
  /** Its deadline is that of the reply. */
  call: Call;
  sink: AnswerSink | undefined;
}

/** Finds and stores the answer while the claim is ours. Releases the claim if there is no answer. */
async function answer(dependencies: Replying, claim: Claim, asked: Asked): Promise<Answer> {
  const { conversations, leaseMs, replies, answerer } = dependencies;
  const { call } = asked;
  using bounds = linkedSignal([replies.signal], call.deadline - monotonicNow());
  const lease = { ttlMs: leaseMs, renew: () => extend(dependencies, claim, call), signal: bounds.signal };
  return await keepLease(lease, async (signal) => {
    let offered: Found['passages'] = [];
    try {
      const found = await find(dependencies, asked, signal);
      offered = found.passages;
      const { message, sources, ...answered } = await findAnswer(dependencies, asked, found, signal);
      const evidence = evidenceMessage(answerer.name, offered, answered);
      const answer = { message, sources, confidence: confidenceNumber(answered.confidence) };
      return (await conversations.answerQuestion({ claim, answer, evidence }, call.onward('answer'))).answer!;
    } catch (error) {
      if (error instanceof LeaseLost)
        throw unavailableDoNotRetry('The reply could not be finished in time. Try again.', error);
      if (isAborted(error)) throw unavailableDoNotRetry(`${error.rawMessage} Try again.`, error);
      const evidence = evidenceMessage(answerer.name, offered);
      await conversations
        .failQuestion({ claim, evidence }, call.detached(FAIL_MS).onward('fail'))
        .catch((failure) => call.log.warn({ err: failure }, 'a claim was not released; it will expire'));
      throw error;
    }
  });
}

async function find(
  { answerer }: Replying,
  { question, history, settings, search, begun, call }: Asked,
  signal: AbortSignal,
): Promise<Found> {
  const said = history.filter(({ by }) => by === 'user').map(({ message }) => message);
  const first = await (begun ?? search(question, said));
  const asked = { question, history, account: call.account };
  return await findPassages(asked, { search, first, answerer, faqFirst: settings.faq_first }, signal);
}

async function findAnswer(
  { answerer }: Replying,
  { question, history, settings, call, sink }: Asked,
  { passages, searched, asksNothing }: Found,
  signal: AbortSignal,
): Promise<CitedAnswer> {
  const said = [...history.filter(({ by }) => by === 'user').map(({ message }) => message), question];
  const language = said.map((message) => languageOf(message)).findLast(Boolean);
  const talk = talkOf(question) ?? (asksNothing && { kind: 'thanks', languages: LANGUAGES });
  if (talk) return talkAnswer(talk, settings, language);
  if (passages.length === 0) return noEvidence(settings, language);
  const { tone, low_confidence_message: lowConfidence } = settings;
  const asked = { question, history, account: call.account, passages, searched: searched || question };
  const how = { lowConfidence, ...(tone !== null && { tone }), ...(language && { language }) };
  const answer = await answerer.answer({ ...asked, ...how }, signal, sink).catch((error) => {
    if (error instanceof LeaseLost) throw error;
    throw unavailableDoNotRetry('The model is unavailable. Try again in a moment.', error);
  });
  return answer.cited.length > 0 ? answer : { ...answer, ...noEvidence(settings, language) };
}

/** False once the claim is no longer ours. */
async function extend({ conversations, leaseMs }: Replying, claim: Claim, call: Call) {
  try {
    await conversations.extendClaim({ claim, lease: durationFromMs(leaseMs) }, call.onward('extend'));
    return true;
  } catch (error) {
    if (isAborted(error)) return false;
    throw error;
  }
}

const isAborted = (error: unknown): error is ConnectError =>
  error instanceof ConnectError && error.code === Code.Aborted;
