import type { MessageInitShape } from '@bufbuild/protobuf';
import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { languageOf } from '@parley/language';
import {
  type AnswerSchema,
  type Claim,
  type EvidenceSchema,
  type Message,
  Role,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { linkedSignal, unavailableDoNotRetry } from '@parley/runtime';
import { keepLease, LeaseLost } from '@parley/runtime/mongo';
import { type Call, monotonicNow } from '@parley/runtime/rpc';
import type { AnswerSink, Said } from '../answerer/answerer.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AnswerSettings } from '../domain/answer-settings.ts';
import { LANGUAGES, noEvidence, talkAnswer, talkOf } from '../domain/canned-replies.ts';
import type { CitedAnswer } from '../domain/cite.ts';
import { confidenceNumber, evidenceMessage } from './evidence-message.ts';
import { type Found, findPassages, type searching } from './find-passages.ts';

type Answering = Pick<Dependencies, 'conversations' | 'answerer' | 'replies' | 'leaseMs'>;

/** A message that is to be answered, and how. */
export interface Asked {
  question: string;
  history: Said[];
  settings: AnswerSettings;
  search: ReturnType<typeof searching>;
  /** The search for the question, if it has begun. */
  begun?: Promise<Found> | undefined;
  /** Its deadline is that of the answer. */
  call: Call;
  sink?: AnswerSink | undefined;
}

/** How a claim ends. */
export interface Ends<T> {
  answered(
    answer: MessageInitShape<typeof AnswerSchema>,
    evidence: MessageInitShape<typeof EvidenceSchema>,
    cited: CitedAnswer,
  ): Promise<T>;
  /** Not called once the claim is lost. */
  failed(evidence: MessageInitShape<typeof EvidenceSchema>, error: unknown): Promise<unknown>;
}

/**
 * Finds the answer to a claimed message while the claim is ours, and ends the claim.
 *
 * @throws what `failed` got, or an error that `isLost` knows.
 */
export async function answerClaim<T>(dependencies: Answering, claim: Claim, asked: Asked, ends: Ends<T>): Promise<T> {
  const { leaseMs, replies, answerer } = dependencies;
  const { call } = asked;
  using bounds = linkedSignal([replies.signal], call.deadline - monotonicNow());
  const lease = { ttlMs: leaseMs, renew: () => extend(dependencies, claim, call), signal: bounds.signal };
  return await keepLease(lease, async (signal) => {
    let offered: Found['passages'] = [];
    try {
      const found = await find(dependencies, asked, signal);
      offered = found.passages;
      const cited = await findAnswer(dependencies, asked, found, signal);
      const { message, sources, confidence } = cited;
      const answer = { message, sources, confidence: confidenceNumber(confidence) };
      return await ends.answered(answer, evidenceMessage(answerer.name, offered, cited), cited);
    } catch (error) {
      if (!isLost(error)) await ends.failed(evidenceMessage(answerer.name, offered), error);
      throw error;
    }
  });
}

/** Returns whether the claim went to someone else, or its time is over. */
export const isLost = (error: unknown): boolean => error instanceof LeaseLost || isAborted(error);

export const isAborted = (error: unknown): error is ConnectError =>
  error instanceof ConnectError && error.code === Code.Aborted;

/** A message of a conversation as answerers take it. */
export const said = ({ role, message }: Message): Said => ({ by: role === Role.USER ? 'user' : 'assistant', message });

const userMessages = (history: readonly Said[]) =>
  history.filter(({ by }) => by === 'user').map(({ message }) => message);

async function find({ answerer }: Answering, asked: Asked, signal: AbortSignal): Promise<Found> {
  const { question, history, settings, search, begun, call } = asked;
  const first = await (begun ?? search(question, userMessages(history)));
  const all = { question, history, account: call.account };
  return await findPassages(all, { search, first, answerer, faqFirst: settings.faq_first }, signal);
}

async function findAnswer(
  { answerer }: Answering,
  { question, history, settings, call, sink }: Asked,
  { passages, searched, asksNothing }: Found,
  signal: AbortSignal,
): Promise<CitedAnswer> {
  const messages = [...userMessages(history), question];
  const language = messages.map((message) => languageOf(message)).findLast(Boolean);
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
async function extend({ conversations, leaseMs }: Answering, claim: Claim, call: Call) {
  try {
    await conversations.extendClaim({ claim, lease: durationFromMs(leaseMs) }, call.onward('extend'));
    return true;
  } catch (error) {
    if (isAborted(error)) return false;
    throw error;
  }
}
