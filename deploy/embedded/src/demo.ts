import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantKind, AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { type KnowledgeItem, KnowledgeService, SubPageState } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { callAs, codeOf, deriveId, deriveKey, type RpcClient, randomId, rpcClient } from '@parley/runtime/rpc';
import { readIfThere, writePrivate } from './data-dir.ts';
import type { DemoSite } from './demo-site.ts';
import type { Endpoints } from './endpoints.ts';

const TRAINED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 500;
const TRAINING = 'Training the demo handbook …';
const APPEARANCE = {
  suggestions: {
    values: ['How do I move the data folder?', 'Does the crawler keep to robots.txt?', 'How do I use my own model?'],
  },
};
/** More than the handbook has. */
const MAX_PAGES = 100;

export interface Demo {
  /** Public id of the chatbot that answers from the handbook. */
  publicId: string;
  /** Its website, which can carry the chat; undefined if its port was taken. */
  site: string | undefined;
  /** The demo account's API key, as in the file. */
  key: string;
  keyFile: string;
  /** The key's file did not exist before. */
  isNew: boolean;
}

export interface DemoOptions {
  dataDir: string;
  secret: string;
  /** Seed of operation ids, which never changes. */
  seed: string;
  endpoints: Pick<Endpoints, 'auth' | 'knowledge' | 'assistants'>;
  /** Absent if its port was taken; then the trained knowledge is left unchanged. */
  site: DemoSite | undefined;
  say(line: string): void;
  signal?: AbortSignal | undefined;
}

/**
 * Creates the demo account and its chatbot, trains the handbook and attaches it. Fixed operation ids let each step find what
 * an earlier start did, even one that was killed in between; anything that the user has deleted or detached since stays that
 * way. The key's file is written last, so without it the work is not complete. If it is missing, or its key does not work, the
 * account's first key gets a new secret. Undefined if the account was deleted.
 */
export async function prepareDemo(options: DemoOptions): Promise<Demo | undefined> {
  const { auth, knowledge, assistants } = options.endpoints;
  const clients = {
    auth: rpcClient(AuthService, { address: auth }),
    knowledge: rpcClient(KnowledgeService, { address: knowledge }),
    assistants: rpcClient(AssistantsService, { address: assistants }),
  };
  try {
    return await prepare(options, clients);
  } finally {
    await Promise.all(Object.values(clients).map((client) => client[Symbol.asyncDispose]()));
  }
}

async function prepare(
  { dataDir, secret, seed, site, say, signal }: DemoOptions,
  { auth, knowledge, assistants }: Clients,
): Promise<Demo | undefined> {
  const keyFile = join(dataDir, 'demo-key');
  const operations = deriveKey(seed, 'operation').toString('hex');
  const operation = (step: string) => deriveId(operations, 'demo', step);

  // An account's id is the id of the operation that created it.
  const account = operation('account');
  const asOperator = () => callAs(secret, { operation: account }, signal && { signal });
  const kept = (await readIfThere(keyFile))?.trim();
  const works = kept !== undefined && (await verifies(auth.verifyKey({ key: kept }, asOperator())));
  const creating = works ? undefined : unlessDeleted(auth.createAccount({ name: 'Demo' }, asOperator()));
  const made = await creating?.catch(unlessAccountDeleted);
  if (made === 'account deleted') {
    say('The demo account was deleted and stays deleted.');
    return undefined;
  }
  const isNew = made !== undefined;
  if (!works && !made) say("The demo account's first key was revoked and stays revoked.");
  const key = made?.key ?? kept ?? '';
  const as: CallFor = (id) => callAs(secret, { account, operation: id }, signal && { signal });
  const shown = { title: 'Parley handbook', allowedDomains: site ? [site.address] : [], appearance: APPEARANCE };
  const { chatbot } = await assistants.createChatbot(shown, as(operation('chatbot')));

  const website = site && { websiteUrl: site.url };
  const item = website && (await unlessDeleted(knowledge.createWebsite(website, as(operation('website')))))?.item;
  if (item && (isNew || !item.liveSince)) {
    const trained = item.liveSince ? item : await train(item, { knowledge, as, say, signal });
    const attachment = { kind: AssistantKind.CHATBOT, assistantId: chatbot!.id, knowledgeId: item.id };
    if (trained.liveSince) await assistants.attachKnowledge(attachment, as(operation('attachment')));
    else say(`The demo handbook is not trained: ${trained.trainingFailedWith ?? 'it takes unusually long.'}`);
  }

  if (isNew) await writePrivate(keyFile, `${key}\n`);
  return { publicId: chatbot!.publicId, site: site?.url, key, keyFile, isNew };
}

interface Clients {
  auth: RpcClient<typeof AuthService>;
  knowledge: RpcClient<typeof KnowledgeService>;
  assistants: RpcClient<typeof AssistantsService>;
}

type CallFor = (operation: string) => ReturnType<typeof callAs>;

async function verifies(verified: Promise<unknown>): Promise<boolean> {
  try {
    await verified;
    return true;
  } catch (error) {
    if (codeOf(error) === 'unauthenticated') return false;
    throw error;
  }
}

/** A repeated create finds the object, or that it was deleted. */
async function unlessDeleted<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (codeOf(error) === 'not_found') return undefined;
    throw error;
  }
}

function unlessAccountDeleted(error: unknown) {
  if (codeOf(error) === 'failed_precondition') return 'account deleted' as const;
  throw error;
}

interface Training extends Pick<Clients, 'knowledge'>, Pick<DemoOptions, 'say' | 'signal'> {
  as: CallFor;
}

/** Trains an item to completion, for at most three minutes, and reports progress. */
async function train({ id }: KnowledgeItem, { knowledge, as, say, signal }: Training): Promise<KnowledgeItem> {
  say(TRAINING);
  const deadline = performance.now() + TRAINED_WITHIN_MS;
  let { item } = await knowledge.trainKnowledgeItem({ id }, as(randomId()));
  while (item!.isTraining && performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    ({ item } = await knowledge.getKnowledgeItem({ id }, as(randomId())));
    const { sourcesDone = 0, sourcesFound = 0 } = item!.training ?? {};
    if (sourcesFound) say(`${TRAINING} ${sourcesDone} of ${sourcesFound} pages`);
  }
  const { items, total } = await knowledge.listSubPages({ knowledgeId: id, limit: MAX_PAGES }, as(randomId()));
  const trained = items.filter(({ state }) => state === SubPageState.TRAINED).length;
  say(`${TRAINING} ${trained} of ${total} pages`);
  return item!;
}
