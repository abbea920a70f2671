import inspector from 'node:inspector';
import { join, relative, resolve } from 'node:path';
import { startTracing } from '@parley/runtime';
import { misspelt } from '@parley/runtime/settings';
import { readInspected } from '../../inspect.ts';
import { type EmbeddedConfig, readConfig } from './config.ts';
import type { Demo } from './demo.ts';
import { type Parley, startParley } from './start-parley.ts';

const QUESTION = 'How do I move the data folder?';
/** Moves to the previous line and clears it. */
const LINE_BEFORE = '\x1b[1A\x1b[2K';

let lastLine: string | undefined;

const stopping = new AbortController();
const stop = () => {
  if (stopping.signal.aborted) process.exit(1);
  say('Stopping …');
  stopping.abort();
};
process.on('SIGINT', stop).on('SIGTERM', stop);

try {
  const config = readConfig(process.env);
  for (const sentence of misspelt(process.env)) say(sentence);
  // Every service runs in this process, so one debugger shows them all.
  if (readInspected(process.argv.slice(2))) inspector.open();
  const endTracing = await startTracing(process.env);
  const { demo, demoPort, ...options } = config;
  const { signal } = stopping;
  const parley = await startParley({ ...options, ...(demo && { demo: { port: demoPort } }), say, signal });
  announce(parley, config);
  await Promise.race([parley.failed, aborted(signal)]);
  await parley.stop();
  await endTracing?.();
  say('Stopped. All data is kept.');
  process.exit(0);
} catch (error) {
  if (stopping.signal.aborted) {
    say('Stopped.');
    process.exit(0);
  }
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}

function announce({ baseUrl, demo, mail }: Parley, config: EmbeddedConfig): void {
  if (config.withoutEmbeddings) say('Search compares words only, because EMBEDDINGS is none.');
  say(`\nParley runs: ${baseUrl}/v1 (Ctrl-C stops it)`);
  const outbox = fromShell(join(config.dataDir, 'outbox'), config);
  say(
    `Mail to an email inbox, as ALIAS@${mail.domain}, is received on 127.0.0.1:${mail.port}; what is sent is written to ${outbox}`,
  );
  if (demo) announceDemo(baseUrl, demo, config);
  else say('Create an account and its first key: npm run account -- create NAME');
}

function announceDemo(baseUrl: string, { publicId, site, key, keyFile, isNew }: Demo, config: EmbeddedConfig): void {
  say(`Chat with the demo: ${baseUrl}/chat/${publicId}`);
  if (site) say(`or on its website: ${site}`);
  const file = fromShell(keyFile, config);
  say(isNew ? `API key of the demo account, also in ${file}: ${key}` : `API key of the demo account: in ${file}`);
  const body = JSON.stringify({ message: QUESTION });
  say(`Ask its chatbot:

curl -s ${baseUrl}/v1/chatbot/${publicId}/reply -H "Authorization: Bearer $(cat ${quoted(file)})" -H 'Content-Type: application/json' -d '${body}'
`);
}

/** A path that works in the user's shell; the short one if its working directory is the same. */
function fromShell(path: string, { shellIsElsewhere }: EmbeddedConfig): string {
  const short = relative('', path);
  return shellIsElsewhere || short.startsWith('..') ? resolve(path) : short;
}

/** Quotes a word for the shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
  });
}

/** Writes a line, unless it says nothing new; on a terminal, progress of the same step replaces the line before. */
function say(line: string): void {
  if (line === lastLine) return;
  const step = stepOf(line);
  const isUpdate = process.stdout.isTTY && step !== undefined && step === stepOf(lastLine);
  process.stdout.write(`${isUpdate ? LINE_BEFORE : ''}${line}\n`);
  lastLine = line;
}

function stepOf(line: string | undefined): string | undefined {
  return /^.+ …/.exec(line ?? '')?.[0];
}
