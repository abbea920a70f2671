import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantKind, AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { type KnowledgeItem, KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { callAs, codeOf, deriveId, deriveKey, type RpcClient, randomId, rpcClient } from '@parley/runtime';
import { readIfThere, writePrivate } from './data-dir.ts';
import type { DemoSite } from './demo-site.ts';
import type { Endpoints } from './endpoints.ts';

const TRAINED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 500;

export interface Demo {
  /** Of the chatbot that answers from the handbook. */
  publicId: string;
  /** The demo account's API key, which the file holds too. */
  key: string;
  keyFile: string;
  /** The key's file was not there before. */
  isNew: boolean;
}

export interface DemoOptions {
  dataDir: string;
  secret: string;
  endpoints: Pick<Endpoints, 'auth' | 'knowledge' | 'assistants'>;
  /** Absent where its port was taken: then what is trained is left as it is. */
  site: DemoSite | undefined;
  say(line: string): void;
  signal?: AbortSignal | undefined;
}

/**
 * Makes the demo account and its chatbot, trains the handbook and attaches it. Operation ids that never change make each
 * step find what an earlier start has done, also one that was killed in between; what the user has deleted or detached
 * since stays so. The key's file is written last: while there is none, the work is not done.
 */
export async function prepareDemo(options: DemoOptions): Promise<Demo> {
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

async function prepare({ dataDir, secret, site, say, signal }: DemoOptions, { auth, knowledge, assistants }: Clients) {
  const keyFile = join(dataDir, 'demo-key');
  const isNew = (await readIfThere(keyFile)) === undefined;
  const seed = deriveKey(secret, 'operation').toString('hex');
  const operation = (step: string) => deriveId(seed, 'demo', step);

  const asOperator = callAs(secret, { operator: true, operation: operation('account') }, signal);
  const { account, key } = await auth.createAccount({ name: 'Demo' }, asOperator);
  const as: CallFor = (id) => callAs(secret, { account: account!.id, operation: id }, signal);
  const { chatbot } = await assistants.createChatbot({ title: 'Parley handbook' }, as(operation('chatbot')));

  const website = site && { websiteUrl: site.url };
  const item = website && (await unlessDeleted(knowledge.createWebsite(website, as(operation('website')))))?.item;
  if (item && (isNew || !item.liveSince)) {
    const trained = item.liveSince ? item : await train(item, { knowledge, as, say, signal });
    const attachment = { kind: AssistantKind.CHATBOT, assistantId: chatbot!.id, knowledgeId: item.id };
    if (trained.liveSince) await assistants.attachKnowledge(attachment, as(operation('attachment')));
    else say(`The demo handbook is not trained: ${trained.trainingFailedWith ?? 'it takes unusually long.'}`);
  }

  if (isNew) await writePrivate(keyFile, `${key}\n`);
  return { publicId: chatbot!.publicId, key, keyFile, isNew };
}

interface Clients {
  auth: RpcClient<typeof AuthService>;
  knowledge: RpcClient<typeof KnowledgeService>;
  assistants: RpcClient<typeof AssistantsService>;
}

type CallFor = (operation: string) => ReturnType<typeof callAs>;

/** A create that is repeated finds what it made, or that it was deleted. */
async function unlessDeleted<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (codeOf(error) === 'not_found') return undefined;
    throw error;
  }
}

interface Training extends Pick<Clients, 'knowledge'>, Pick<DemoOptions, 'say' | 'signal'> {
  as: CallFor;
}

/** Trains an item to the end, at most three minutes, telling how far it is. */
async function train({ id }: KnowledgeItem, { knowledge, as, say, signal }: Training): Promise<KnowledgeItem> {
  say('Training the demo handbook …');
  const deadline = performance.now() + TRAINED_WITHIN_MS;
  let { item } = await knowledge.trainKnowledgeItem({ id }, as(randomId()));
  while (item!.isTraining && performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    ({ item } = await knowledge.getKnowledgeItem({ id }, as(randomId())));
    const { sourcesDone = 0, sourcesFound = 0 } = item!.training ?? {};
    if (sourcesFound) say(`Training the demo handbook … ${sourcesDone} of ${sourcesFound} pages`);
  }
  return item!;
}
