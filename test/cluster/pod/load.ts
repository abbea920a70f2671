/**
 * Asks for what clients ask for, from several sides at once, until it is told to end. Its last line tells how many requests
 * succeeded, and why the others did not.
 */
import { must } from '../../e2e/api.ts';
import { askedToEnd, newAccount, tell } from './world.ts';

const CLIENTS = 6;
/** As many requests in a second as a pod of each kind has time for, also on a small machine. */
const PAUSE_MS = 50;
const KEPT_FAILURES = 10;

const account = await newAccount('Load');
const faq = await account.faq('Hours', { 'When is the shop open?': 'The shop is open from nine to five.' });
await account.train(faq);
const chatbot = await account.chatbot(faq);

const requests = [
  () => account.api.get('/knowledge'),
  () => account.api.get(`/chatbot/${chatbot.id}`),
  () => account.api.post('/chatbots', { title: 'Made under load' }),
  () => account.api.post(`/chatbot/${chatbot.id}/reply`, { message: 'When is the shop open?' }),
];

const failures: string[] = [];
let succeeded = 0;
let slowestMs = 0;
let ending = false;

async function client(first: number) {
  for (let i = first; !ending; i++) {
    const began = performance.now();
    try {
      must(await requests[i % requests.length]!());
      succeeded += 1;
    } catch (error) {
      const { message, cause } = error as Error;
      failures.push(`${new Date().toISOString()} ${message}${cause ? ` (${cause})` : ''}`);
    }
    slowestMs = Math.max(slowestMs, performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const clients = Array.from({ length: CLIENTS }, (_, i) => client(i));
tell({ started: true });
await askedToEnd();
ending = true;
await Promise.all(clients);
tell({
  succeeded,
  failed: failures.length,
  slowestMs: Math.round(slowestMs),
  failures: failures.slice(0, KEPT_FAILURES),
});
process.exit(0);
