/**
 * Sends the requests that clients send, from CLIENTS at once, each PAUSE_MS after the one before, until standard input closes. Its last line says how
 * many requests succeeded, and why the others failed.
 */
import { openShop, requestsOf } from './requests.ts';
import { askedToEnd, newAccount, tell } from './world.ts';

const CLIENTS = Number(process.env.CLIENTS);
const PAUSE_MS = Number(process.env.PAUSE_MS);
const KEPT_FAILURES = 10;

const shop = await openShop(await newAccount('Load'));

const failures: string[] = [];
let succeeded = 0;
let slowestMs = 0;
let ending = false;

async function client() {
  const requests = await requestsOf(shop);
  for (let i = 0; !ending; i++) {
    const began = performance.now();
    try {
      await requests[i % requests.length]!();
      succeeded += 1;
    } catch (error) {
      const { message, cause } = error as Error;
      failures.push(`${new Date().toISOString()} ${message}${cause ? ` (${cause})` : ''}`);
    }
    slowestMs = Math.max(slowestMs, performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const clients = Array.from({ length: CLIENTS }, client);
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
