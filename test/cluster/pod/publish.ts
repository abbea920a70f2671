/**
 * Publishes one build after the other of several accounts, and asks about them all the time, until standard input closes; then
 * each account publishes twice more. The last line reports what was asked, and the local copy that a server has of each
 * account's last build.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { KnowledgeItemDoc } from '@parley/corpus';
import { MongoClient } from 'mongodb';
import type { Account } from '../../e2e/account.ts';
import { must } from '../../e2e/api.ts';
import type { FaqItem } from '../../e2e/resources.ts';
import { askedToEnd, newAccount, readStack, tell } from './world.ts';

const ACCOUNTS = 4;
const ASKERS = 2;
/** Limits the rate to what one pod can handle, even on a small machine. */
const PAUSE_MS = 50;
const KEPT_FAILURES = 10;
const QUESTION = 'How many loaves are there?';

/** An account's FAQ, and the numbers of its builds: of the one that is live, and of the one that may be by now. */
interface Owner {
  account: Account;
  faq: { id: string };
  item: { id: string };
  chatbot: { id: string };
  live: number;
  next: number;
}

const answerOf = (build: number) => `There are as many as build ${build} says.`;

async function newOwner(name: string): Promise<Owner> {
  const account = await newAccount(name);
  const faq = await account.faq('Bakery', { [QUESTION]: answerOf(1) });
  const [item] = await account.api.all<FaqItem>(`/knowledge/${faq.id}/faq-items`);
  await account.train(faq);
  return { account, faq, item: item!, chatbot: await account.chatbot(faq), live: 1, next: 1 };
}

async function publish(owner: Owner) {
  const { account, faq, item } = owner;
  owner.next += 1;
  must(await account.api.del(`/knowledge/${faq.id}/faq-item/${item.id}`));
  const next = { question: QUESTION, answer: answerOf(owner.next) };
  owner.item = must(await account.api.post<FaqItem>(`/knowledge/${faq.id}/faq-item`, next));
  const { training_failed_with: reason } = await account.train(faq);
  if (reason) throw new Error(`A training failed: ${reason}`);
  owner.live = owner.next;
}

const owners: Owner[] = [];
for (let i = 0; i < ACCOUNTS; i++) owners.push(await newOwner(`Baker ${i}`));
const failures: string[] = [];
let asked = 0;
let isOver = false;

/** Expects the answer of a build that was live in the meantime. */
async function ask(owner: Owner) {
  const { live } = owner;
  const { message } = await owner.account.ask(owner.chatbot, QUESTION);
  const build = Number(/build (\d+)/.exec(message)?.[1]);
  if (!(build >= live && build <= owner.next))
    throw new Error(`Build ${live} was live, then ${owner.next}: ${message}`);
}

async function asker(first: number) {
  for (let i = first; !isOver; i++) {
    await ask(owners[i % owners.length]!).catch(({ message }: Error) => failures.push(message));
    asked += 1;
    await pause(PAUSE_MS);
  }
}

/** Each build is asked about before the next is published, so that servers have heard of it. */
async function publishAll() {
  for (const owner of owners) {
    await publish(owner);
    for (const enough = asked + 2 * ACCOUNTS; asked < enough; ) await pause(PAUSE_MS);
  }
}

let isAsked = false;
const end = askedToEnd().then(() => {
  isAsked = true;
});
const askers = Array.from({ length: ASKERS }, (_, i) => asker(i));
tell({ started: true });
while (!isAsked) await publishAll();
await end;
// Twice: a server whose questions have moved on may fetch one more build.
await publishAll();
await publishAll();
isOver = true;
await Promise.all(askers);

const { variables } = await readStack();
await using mongo = await new MongoClient(variables['MONGODB_URI']!).connect();
const items = mongo.db('parley_corpus').collection<KnowledgeItemDoc>('knowledge_items');
const stored = await items.find({ _id: { $in: owners.map(({ faq }) => faq.id) } }).toArray();
tell({
  asked,
  published: owners.reduce((sum, { live }) => sum + live, 0),
  failed: failures.length,
  failures: failures.slice(0, KEPT_FAILURES),
  copies: stored.map(({ account, live }) => `${account}.${live!.file.sha256}.sqlite`),
});
process.exit(0);
