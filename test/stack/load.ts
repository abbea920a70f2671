import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Account } from '../e2e/account.ts';
import type { Chatbot, FaqItem, KnowledgeItem, Reply } from '../e2e/resources.ts';
import { html, type Site, site } from '../e2e/site.ts';
import { insist } from './insist.ts';

/** Writes that the system acknowledged, to compare with those that it stored. */
export interface Acknowledged {
  account: Account;
  chatbot: Chatbot;
  /** Items that are trained repeatedly. */
  items: { id: string }[];
  /** Added FAQ items, by FAQ. */
  added: Map<string, FaqItem[]>;
  /** Questions and their replies, in order, by session. */
  sessions: { question: string; reply: Reply }[][];
}

export interface Load extends Acknowledged {
  /** Resolves when every loop has completed one more full iteration; rejects if one fails permanently. */
  round(): Promise<void>;
  /** Lets each loop finish its current iteration. */
  stop(): Promise<void>;
}

const SITES = 2;
const FAQS = 2;
const SESSIONS = 3;
/** Keeps the load continuous, but leaves a machine with two cores the capacity to restart killed processes. */
const PAUSE_MS = 500;
const TRAINED_WITHIN_MS = 150_000;

/** Trains changing websites and FAQs and asks questions, each in a separate loop, until stopped. */
export async function startLoad(account: Account): Promise<Load> {
  const sites = await Promise.all(Array.from({ length: SITES }, openSite));
  const websites = await Promise.all(sites.map(({ url }) => account.website(url)));
  const faqs = await Promise.all(
    Array.from({ length: FAQS }, (_, i) => account.faq(`Kiln ${i}`, { 'Hot?': 'Very hot.' })),
  );
  const items = [...websites, ...faqs];
  await Promise.all(items.map((item) => train(account, item)));
  const chatbot = await account.chatbot(...items);
  const added = new Map(faqs.map(({ id }) => [id, [] as FaqItem[]]));
  const sessions = Array.from({ length: SESSIONS }, (): { question: string; reply: Reply }[] => []);

  const loops = [
    ...websites.map((item, i) =>
      repeat(async (n) => {
        sites[i]!.pages['/glaze'] = glaze(n);
        await train(account, item);
      }),
    ),
    ...faqs.map((item) =>
      repeat(async (n) => {
        added.get(item.id)!.push(await add(account, item, n));
        await train(account, item);
      }),
    ),
    ...sessions.map((turns) =>
      repeat(async (n) => {
        const question = `At how many degrees does the glaze melt? (${n})`;
        turns.push({ question, reply: await ask(account, chatbot, question, turns[0]?.reply.session_id) });
      }),
    ),
  ];
  return {
    ...{ account, chatbot, items, added, sessions },
    async round() {
      await Promise.all(loops.map((loop) => loop.round()));
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      for (const open of sites) await open[Symbol.asyncDispose]();
    },
  };
}

/** A website whose page `/glaze` changes. */
export const openSite = (): Promise<Site> =>
  site({
    '/': html('Pottery', 'The pottery has a small kiln and a large one.', ['/clay', '/glaze']),
    '/clay': html('Clay', 'The clay comes from the pit behind the mill and rests for a year.'),
    '/glaze': html('Glaze', 'The glaze melts in the small kiln.'),
  });

export const glaze = (n: number): string =>
  html('Glaze', `Glaze number ${n} melts at ${900 + n} degrees in the small kiln.`);

/** Requests a training and waits until it succeeds; throws if it fails. */
export async function train({ api }: Account, { id }: { id: string }): Promise<void> {
  await insist(() => api.put(`/knowledge/${id}/train`));
  for (const end = performance.now() + TRAINED_WITHIN_MS; ; await pause(PAUSE_MS)) {
    const item = await insist(() => api.get<KnowledgeItem>(`/knowledge/${id}`));
    if (item.training_failed_with) throw new Error(`A training failed: ${item.training_failed_with}`);
    if (item.trained_at) return;
    if (performance.now() > end) throw new Error(`A training does not end: ${JSON.stringify(item)}`);
  }
}

async function add({ api }: Account, { id }: { id: string }, n: number): Promise<FaqItem> {
  const body = { question: `What is shelf ${n} for?`, answer: `Shelf ${n} is for bowls.` };
  const key = { 'Idempotency-Key': randomUUID() };
  return insist(() => api.post<FaqItem>(`/knowledge/${id}/faq-item`, body, key));
}

async function ask({ api }: Account, { id }: Chatbot, message: string, session_id?: string): Promise<Reply> {
  const body = { message, ...(session_id && { session_id }) };
  const key = { 'Idempotency-Key': randomUUID() };
  return insist(() => api.post<Reply>(`/chatbot/${id}/reply`, body, key));
}

/** Repeats `act` with a pause in between. A failure ends the loop and rejects everything that waits for it. */
export function repeat(act: (n: number) => Promise<void>, pauseMs = () => PAUSE_MS) {
  let stopped = false;
  let begun = 0;
  let done = 0;
  const ended = (async () => {
    while (!stopped) {
      await act(++begun);
      done = begun;
      await pause(pauseMs());
    }
  })();
  ended.catch(() => {}); // Prevents an unhandled rejection before anyone awaits it.
  return {
    /** Waits for an iteration that starts after this call to finish. */
    async round() {
      for (const wanted = begun + 1; done < wanted && !stopped; ) await Promise.race([ended, pause(50)]);
    },
    async stop() {
      stopped = true;
      await ended;
    },
  };
}
