/**
 * Writes questions one after the other, until standard input closes, and repeats what was not acknowledged as a well-behaved
 * client does. Trains and asks at the end. The last line reports what was acknowledged and what is there.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@parley/runtime/testing';
import { keyed, type Send } from '../../e2e/api.ts';
import type { FaqItem } from '../../e2e/resources.ts';
import { insist } from '../../stack/insist.ts';
import { askedToEnd, newAccount, tell } from './world.ts';

const PAUSE_MS = 250;
const PATIENCE_MS = 5_000;

let ending = false;
const end = askedToEnd().then(() => {
  ending = true;
});
const account = await newAccount('Ledger');
/** A connection to a pod that was killed may stay open, and no answer comes. */
const patient: Send = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
const api = keyed(account.api.baseUrl, account.key, patient);
const faq = await account.faq('Ledger', { 'What is the first number?': 'The first number is 17.' });
await account.train(faq);
const bot = await account.chatbot(faq);

const acknowledged: string[] = [];
let longestMs = 0;
/** Of what Parley promises to have done once, however often it is asked. */
async function write(number: number) {
  const body = { question: `What is number ${number}?`, answer: `It is ${number}.` };
  const headers = { 'Idempotency-Key': randomUUID() };
  const began = performance.now();
  await insist(() => api.post<FaqItem>(`/knowledge/${faq.id}/faq-item`, body, headers));
  longestMs = Math.max(longestMs, performance.now() - began);
  acknowledged.push(body.question);
}

for (let number = 1; number <= 10; number++) await write(number);
tell({ started: true });
for (let number = 11; !ending; number++) {
  await write(number);
  await pause(PAUSE_MS);
}
await end;

const stored = (await api.all<FaqItem>(`/knowledge/${faq.id}/faq-items`)).map(({ question }) => question);
const { training_failed_with: reason } = await account.train(faq);
const { message } = await account.ask(bot, 'What is the first number?');
const finished = (events: { type: string }[]) => events.filter(({ type }) => type === 'training.finished').length;
const events = await until(
  () => api.all<{ type: string; number: number }>('/events'),
  (all) => finished(all) >= 2,
);
tell({
  acknowledged: acknowledged.length,
  lost: acknowledged.filter((question) => !stored.includes(question)),
  twice: stored.filter((question, i) => stored.indexOf(question) !== i),
  longestMs: Math.round(longestMs),
  reason,
  answered: message.includes('17'),
  gaps: events.filter(({ number }, i) => number !== i + 1).length,
  trainings: finished(events),
});
process.exit(0);
