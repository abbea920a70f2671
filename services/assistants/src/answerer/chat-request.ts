import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { openAiFailure } from '@parley/runtime';
import type { ModelConfig } from '../config.ts';
import type { Prompt } from './prompt.ts';

export interface ChatServer extends ModelConfig {
  /** The longest silence within an answer. */
  idleMs: number;
}

/** The model's server is away or busy: worth trying again. */
export class ModelUnavailable extends Error {
  override name = 'ModelUnavailable';
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

const MAX_CHARACTERS = 50_000;

/**
 * What the model writes to a prompt, tried once. The server's own messages are never passed on: they may quote the key.
 * Throws ModelUnavailable for what may pass, a plain Error for what needs a person, the signal's reason once it aborts.
 */
export async function requestAnswer(server: ChatServer, prompt: Prompt, signal: AbortSignal): Promise<string> {
  const silence = new AbortController();
  // LangChain's own timeout does not end a stalled stream.
  const timer = setTimeout(() => silence.abort(), server.idleMs);
  try {
    const model = createModel(server, AbortSignal.any([signal, silence.signal]));
    return await readStream(model, prompt, () => timer.refresh());
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted)
      throw new ModelUnavailable(`The model's server (OPENAI_BASE_URL) was silent for ${server.idleMs / 1000} s.`);
    throw error instanceof ModelUnavailable ? error : translated(error);
  } finally {
    clearTimeout(timer);
  }
}

async function readStream(model: ChatOpenAI, { system, user }: Prompt, heard: () => void): Promise<string> {
  let written = '';
  let finished = false;
  for await (const chunk of await model.stream([new SystemMessage(system), new HumanMessage(user)])) {
    heard();
    written += chunk.text;
    finished ||= Boolean(chunk.response_metadata['finish_reason']);
    if (written.length > MAX_CHARACTERS) throw new ModelUnavailable('The model went on and on.');
  }
  if (!finished) throw new ModelUnavailable("The model's server (OPENAI_BASE_URL) broke off its answer.");
  return written;
}

/** For one request: a signal that is given to fetch ends the body too. */
export function createModel({ apiKey, baseUrl, model }: ModelConfig, signal: AbortSignal): ChatOpenAI {
  return new OfflineChatOpenAI({
    apiKey,
    model,
    // Reasoning models refuse any temperature.
    ...(!/^(o\d|gpt-5)/.test(model) && { temperature: 0 }),
    maxRetries: 0,
    // Some servers reject `stream_options`.
    streamUsage: false,
    configuration: {
      baseURL: baseUrl,
      fetch: (url, init) =>
        fetch(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
    },
  });
}

class OfflineChatOpenAI extends ChatOpenAI {
  /** LangChain would fetch its tables from the network, and wait 85 s where there is none. */
  override async getNumTokens(content: Parameters<ChatOpenAI['getNumTokens']>[0]): Promise<number> {
    return Math.ceil(JSON.stringify(content).length / 4);
  }
}

function translated(error: unknown): Error {
  const { sentence, passing, retryAfterMs } = openAiFailure(error, {
    name: "model's server",
    modelVariable: 'OPENAI_MODEL',
  });
  return passing ? new ModelUnavailable(sentence, retryAfterMs) : new Error(sentence);
}
