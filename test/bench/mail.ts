import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Errand } from './mail-client.ts';
import { inTurns } from './measure.ts';
import { type Program, startProgram } from './program.ts';
import { type System, startSystem, trainItem } from './system.ts';
import type { Bench, Table } from './table.ts';

/** A mail and a reply to it in each. */
const THREADS = 500;
const ROUNDS = 5;
const WARM_UP = 50;
const BOUND = 0.4;
const QUESTION = 'How long are repairs free of charge?';
/** Longer than it takes to send all, so that no answer takes time from what is received. */
const QUIET_SECONDS = 60;
const ANSWERED_WITHIN_MS = 600_000;
const LOOK_EVERY_MS = 500;

/** A thousand mails in: accepted and threaded, beside a bare server that only stores them; and then answered. */
export const mail: Bench = { name: 'mail', run };

async function run(): Promise<Table> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-bench-mail-'));
  try {
    await using bare = await startProgram<number>(module('mail-bare'), { variables: { DIR: dir } });
    await using client = await startProgram<true>(module('mail-client'));
    await using parley = await startSystem({
      variables: { MAIL_TRUSTED: '127.0.0.0/8', AI_QUIET_SECONDS: `${QUIET_SECONDS}` },
    });
    const inbox = await knowingInbox(parley);
    const { port, domain } = parley.parley.mail;
    let first = 0;
    const sendTo = (port: number) => async (threads: number) => {
      const perSecond = await send(client, { port, to: `support@${domain}`, first, threads, text: QUESTION });
      first += threads;
      return perSecond;
    };
    const servers = [sendTo(bare.ready), sendTo(port)];
    for (const warm of servers) await warm(WARM_UP);
    const rates = await inTurns(
      ROUNDS,
      servers.map((server) => () => server(THREADS / ROUNDS)),
    );
    const ratio = rates[1]! / rates[0]!;
    const answers = await answered(parley, inbox, THREADS + WARM_UP);
    return {
      about: `${2 * THREADS} mails of 2 kB over ten connections, half of them replies to the others; client, servers and database share ${availableParallelism()} cores. Each 250 comes after the message is on disk. Afterwards each conversation is answered once, from an FAQ and without a model. Ratios are to the first row.`,
      head: ['', 'a second', 'ratio'],
      rows: [
        ['mails received by a bare smtp-server that stores them', rates[0]!.toFixed(0), '1.00'],
        ['mails received by all of Parley in one process, parsed and threaded', rates[1]!.toFixed(0), ratio.toFixed(2)],
        ['conversations answered, the answers written to files', answers.toFixed(1), ''],
      ],
      bound: {
        says: `mail must be received at no less than ${BOUND} of the bare server's rate; it is ${ratio.toFixed(2)}.`,
        met: ratio >= BOUND,
      },
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const module = (name: string) => new URL(`./${name}.ts`, import.meta.url);

async function send({ child }: Program<true>, errand: Errand): Promise<number> {
  const done = new Promise<{ perSecond: number }>((resolve) => child.once('message', (sent) => resolve(sent as never)));
  child.send(errand);
  return (await done).perSecond;
}

/** An inbox whose AI knows the answer and may send it. */
async function knowingInbox(parley: System): Promise<string> {
  const { send } = parley;
  const faq = await send<{ id: string }>('POST', '/knowledge/faq', { title: 'Repairs' });
  const item = { question: QUESTION, answer: 'Repairs are free of charge for two years.' };
  await send('POST', `/knowledge/${faq.id}/faq-item`, item);
  await trainItem(parley, faq.id);
  const inbox = await send<{ id: string }>('POST', '/email-inboxes', {
    alias: 'support',
    title: 'Support',
    ai_reply: 'auto',
  });
  await send('PUT', `/email-inbox/${inbox.id}/knowledge`, { knowledge_id: faq.id });
  return `/email-inbox/${inbox.id}/emails`;
}

interface Page {
  items: { id: string; ai: string }[];
  total: number;
  has_more: boolean;
  next_cursor?: string;
}

/** Waits until each conversation is answered, and returns how many were in a second. @throws Error if there are others. */
async function answered({ send }: System, path: string, threads: number): Promise<number> {
  let began: number | undefined;
  for (const end = performance.now() + ANSWERED_WITHIN_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
    const states: string[] = [];
    for (let next = ''; ; ) {
      const page = await send<Page>('GET', `${path}?limit=100${next}`);
      if (page.total !== threads) throw new Error(`There are ${page.total} conversations instead of ${threads}.`);
      states.push(...page.items.map(({ ai }) => ai));
      if (!page.has_more) break;
      next = `&next_cursor=${encodeURIComponent(page.next_cursor!)}`;
    }
    const done = states.filter((state) => state === 'answered').length;
    if (done > 0) began ??= performance.now();
    if (done === threads) return (threads * 1000) / (performance.now() - began!);
    const odd = states.find((state) => state !== 'answered' && state !== 'pending');
    if (odd) throw new Error(`A conversation is ${odd}.`);
  }
  throw new Error('The answers took too long.');
}
