import { ContextOverflowError } from '@langchain/core/errors';
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { linkedSignal, openAiFailure } from '@parley/runtime';
import type { ModelConfig } from '../config.ts';
import { ANSWER_FORM } from './ground.ts';
import { ModelUnavailable, PromptTooLong, RequestRejected } from './model-errors.ts';
import type { Prompt } from './prompt.ts';

export interface ChatServer extends ModelConfig {
  /** The longest silence within an answer. */
  idleMs: number;
}

export interface ChatRequest {
  prompt: Prompt;
  /** Holds the model to the form of its answer, where the server can do that. */
  structured: boolean;
  signal: AbortSignal;
}

const MAX_CHARACTERS = 50_000;

const FORM = {
  type: 'json_schema' as const,
  json_schema: { name: 'answer', strict: true, schema: ANSWER_FORM },
};

/**
 * Gives what the model of a server writes to a prompt, tried once. The server's own messages are never passed on: they
 * may quote the key. Throws ModelUnavailable for what may pass, PromptTooLong, RequestRejected, a plain Error for what
 * needs a person, the signal's reason once it aborts.
 */
export function createChat(server: ChatServer): (request: ChatRequest) => Promise<string> {
  const model = createModel(server);
  return async ({ signal, ...request }) => {
    const silence = new AbortController();
    // LangChain's own timeout does not end a stalled stream.
    const timer = setTimeout(() => silence.abort(), server.idleMs);
    try {
      using linked = linkedSignal([signal, silence.signal]);
      return await readStream(model, { ...request, signal: linked.signal }, () => timer.refresh());
    } catch (error) {
      signal.throwIfAborted();
      if (silence.signal.aborted)
        throw new ModelUnavailable(`The model's server (OPENAI_BASE_URL) was silent for ${server.idleMs / 1000} s.`);
      throw error instanceof ModelUnavailable || error instanceof PromptTooLong ? error : translated(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function readStream(model: ChatOpenAI, request: ChatRequest, heard: () => void): Promise<string> {
  const { prompt, structured, signal } = request;
  const { system, user, correction } = prompt;
  const messages: BaseMessage[] = [new SystemMessage(system), new HumanMessage(user)];
  if (correction) messages.push(new AIMessage(correction.written), new HumanMessage(correction.told));
  let written = '';
  let finished: unknown;
  const options = { signal, ...(structured && { response_format: FORM }) };
  for await (const chunk of await model.stream(messages, options)) {
    heard();
    written += chunk.text;
    finished ||= chunk.response_metadata['finish_reason'];
    if (written.length > MAX_CHARACTERS) throw new ModelUnavailable('The model went on and on.');
  }
  if (!finished) throw new ModelUnavailable("The model's server (OPENAI_BASE_URL) broke off its answer.");
  if (finished === 'length') throw new PromptTooLong();
  return written;
}

export function createModel({ apiKey, baseUrl, model }: ModelConfig): ChatOpenAI {
  return new OfflineChatOpenAI({
    apiKey,
    model,
    // Reasoning models refuse any temperature.
    ...(!/^(o\d|gpt-5)/.test(model) && { temperature: 0 }),
    maxRetries: 0,
    // Some servers reject `stream_options`.
    streamUsage: false,
    configuration: { baseURL: baseUrl },
  });
}

class OfflineChatOpenAI extends ChatOpenAI {
  /** LangChain would fetch its tables from the network, and wait 85 s where there is none. */
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

/** OpenAI's own error is LangChain's to tell; llama.cpp, vLLM and others have words of their own for it. */
function isOverflow(error: unknown): boolean {
  if (ContextOverflowError.isInstance(error)) return true;
  const { status, message } = error as { status?: number; message?: string };
  return status === 413 || (status === 400 && /\bcontext\b/i.test(message ?? ''));
}
