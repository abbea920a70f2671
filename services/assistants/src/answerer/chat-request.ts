import { ContextOverflowError } from '@langchain/core/errors';
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
} from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { activeHeaders, estimateTokens, linkedSignal, type OpenAiServer, openAiFailure } from '@parley/runtime';
import { AnswerTooLong, ModelUnavailable, PromptTooLong, RequestRejected } from './model-errors.ts';
import { type Prompt, textOf } from './prompt.ts';

export interface ChatServer extends OpenAiServer {
  model: string;
  /** The model stops after as many. */
  maxTokens: number;
  /** The longest silence while an answer is streamed. */
  idleMs: number;
}

export interface ChatRequest {
  prompt: Prompt;
  /** Asks for the likeliest answer. Models that reason refuse any temperature. */
  steady: boolean;
  /** Asks the server how many tokens it used. */
  counted: boolean;
  /** Called with each part of what the model writes, as it arrives. */
  write(text: string): void;
  /** Called once, even if the request fails: the tokens that it cost, estimated unless the server reports them. */
  spent(tokens: number): void;
  signal: AbortSignal;
}

const MAX_CHARACTERS = 50_000;

/**
 * Sends a prompt to the model of a server, in one attempt. Never passes on messages of the server, which may contain the
 * key. Throws ModelUnavailable for transient failures, PromptTooLong, RequestRejected, AnswerTooLong, a plain Error if a
 * person has to act, or the signal's reason once it aborts.
 */
export function createChat(server: ChatServer): (request: ChatRequest) => Promise<void> {
  const [steady, free] = [createModel(server, true), createModel(server, false)];
  return async ({ signal, ...request }) => {
    const silence = new AbortController();
    // LangChain's own timeout does not end a stalled stream.
    const timer = setTimeout(() => silence.abort(), server.idleMs);
    try {
      using linked = linkedSignal([signal, silence.signal]);
      const model = request.steady ? steady : free;
      const stream = await readStream(model, { ...request, signal: linked.signal }, () => timer.refresh());
      checkComplete(stream, server.maxTokens);
    } catch (error) {
      signal.throwIfAborted();
      if (silence.signal.aborted)
        throw new ModelUnavailable(`The model's server (OPENAI_BASE_URL) was silent for ${server.idleMs / 1000} s.`);
      throw OWN.some((own) => error instanceof own) ? error : translated(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

const OWN = [ModelUnavailable, PromptTooLong, AnswerTooLong];

interface Stream {
  written: string;
  /** About one for each token. */
  chunks: number;
  finished?: unknown;
  used?: { total: number; written: number };
}

async function readStream(model: ChatOpenAI, request: ChatRequest, received: () => void): Promise<Stream> {
  const { prompt, counted, signal } = request;
  const options = {
    ...onward(signal),
    ...(counted && { stream_options: { include_usage: true } }),
  };
  const stream: Stream = { written: '', chunks: 0 };
  const read = (chunk: AIMessageChunk) => {
    received();
    take(chunk, stream);
    request.write(chunk.text);
    if (stream.written.length > MAX_CHARACTERS) throw new ModelUnavailable('The model did not stop writing.');
  };
  try {
    for await (const chunk of await model.stream(messagesOf(prompt), options)) read(chunk);
    // A server that knows no streaming has answered in a form that is not read.
    if (stream.chunks === 0) read(await model.invoke(messagesOf(prompt), onward(signal)));
    return stream;
  } finally {
    // A server that refuses a request charges nothing for it.
    request.spent(stream.chunks === 0 ? 0 : (stream.used?.total ?? estimate(prompt, stream)));
  }
}

/** Returns what each request has besides its prompt. */
const onward = (signal: AbortSignal) => ({ signal, options: { headers: activeHeaders() } });

const estimate = (prompt: Prompt, { written }: Stream): number =>
  estimateTokens(textOf(prompt)) + estimateTokens(written);

function checkComplete({ chunks, finished, used }: Stream, maxTokens: number): void {
  if (!finished) throw new ModelUnavailable("The model's server (OPENAI_BASE_URL) broke off its answer.");
  if (finished === 'length') throw (used?.written ?? chunks) >= maxTokens ? new AnswerTooLong() : new PromptTooLong();
}

function take(chunk: AIMessageChunk, stream: Stream): void {
  stream.chunks++;
  stream.written += chunk.text;
  stream.finished ||= chunk.response_metadata['finish_reason'];
  const { usage_metadata: usage } = chunk;
  if (usage) stream.used = { total: usage.total_tokens, written: usage.output_tokens };
}

function messagesOf({ system, user, correction }: Prompt): BaseMessage[] {
  const messages: BaseMessage[] = [new SystemMessage(system), new HumanMessage(user)];
  if (correction) messages.push(new AIMessage(correction.written), new HumanMessage(correction.reply));
  return messages;
}

export function createModel({ apiKey, baseUrl, model, maxTokens }: Omit<ChatServer, 'idleMs'>, steady: boolean) {
  return new OfflineChatOpenAI({
    apiKey,
    model,
    ...(steady && { temperature: 0 }),
    maxTokens,
    maxRetries: 0,
    // Some servers reject `stream_options`.
    streamUsage: false,
    configuration: { baseURL: baseUrl },
  });
}

class OfflineChatOpenAI extends ChatOpenAI {
  /** LangChain would fetch its tables from the network, and wait 85 s without one. */
  override async getNumTokens(content: Parameters<ChatOpenAI['getNumTokens']>[0]): Promise<number> {
    return Math.ceil(JSON.stringify(content).length / 4);
  }
}

function translated(error: unknown): Error {
  if (isOverflow(error)) return new PromptTooLong();
  const { sentence, passing, retryAfterMs } = openAiFailure(error, {
    name: "model's server",
    modelVariable: 'OPENAI_MODEL',
  });
  if (passing) return new ModelUnavailable(sentence, retryAfterMs);
  const { status } = error as { status?: number };
  return status === 400 || status === 422 ? new RequestRejected(sentence) : new Error(sentence);
}

/** LangChain recognises OpenAI's error; llama.cpp, vLLM and others word theirs differently. */
function isOverflow(error: unknown): boolean {
  if (ContextOverflowError.isInstance(error)) return true;
  const { status, message } = error as { status?: number; message?: string };
  return status === 413 || (status === 400 && /\bcontext\b/i.test(message ?? ''));
}
