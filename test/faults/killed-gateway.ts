import { randomUUID } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { until } from '@parley/runtime/testing';
import { FILES } from '../conformance/files.ts';
import { HOOK, unique } from '../conformance/operations.ts';
import { keyed, must } from '../e2e/api.ts';
import { fetchStreamed } from '../e2e/events.ts';
import { pausedUpload } from '../e2e/paused-upload.ts';
import type { EmailInbox, NewDocument, Persona, TicketForm } from '../e2e/resources.ts';
import { publicApi, visitorOf } from '../e2e/visitor.ts';
import { type Stops, type World, world } from '../e2e/world.ts';
import { type GatewayProcess, startGateway, WITHIN_MS } from './gateway-process.ts';
import { type Given, madeBy, type Post, postsOn, QUESTION } from './posts.ts';
import { barrier, heldRequests, onPort, socketOf, startProxy } from './proxy.ts';
import { growth, type Stored, settled } from './stored.ts';

/** A request with its key, which can be sent to any gateway. */
export interface KeyedPost extends Post {
  headers: { 'Idempotency-Key': string };
}

/** Documents by how far their uploads got before the gateway died. */
interface Uploads {
  /** Not the whole file has arrived. */
  begun: NewDocument;
  /** The file is stored, but not yet the document's. */
  stored: NewDocument;
  completed: NewDocument;
}

export interface KilledGateway extends World {
  /** Every POST with one set of resources, and with another one. */
  posts: [KeyedPost[], KeyedPost[]];
  uploads: Uploads;
  /** The stored effects when the gateway had died. */
  effects: Stored;
  /** A gateway that started afterwards. The world's own was running all along. */
  successor: GatewayProcess;
}

/**
 * A system with two gateways, one of which was killed: every POST had had its effect there, but no answer was recorded; and
 * uploads had got to different points.
 */
export async function killedGateway(stops: Stops): Promise<Omit<KilledGateway, 'stop'>> {
  const w: World = await world({ embeddings: 'none', variables: { AI_QUIET_SECONDS: '3600' } });
  stops.push(w.stop);
  const [posts, doomed] = await Promise.all([prepare(w), startDoomed(w, stops)]);
  const [begun, stored, completed] = [await newDocument(w), await newDocument(w), await newDocument(w)];
  const uploads = { begun, stored, completed };
  const before = await settled(w.mongo);
  await killAfterEffects(w, doomed, posts.flat(), uploads);
  await ageUnfinished(w);
  const made = madeBy(posts.length);
  const [effects, successor] = await Promise.all([
    until(
      () => settled(w.mongo),
      (after) => isDeepStrictEqual(growth(before, after, made), made),
    ),
    startGateway(w, stops),
  ]);
  return { ...w, posts, uploads, effects, successor };
}

async function prepare(w: World): Promise<[KeyedPost[], KeyedPost[]]> {
  const { a, open } = w;
  const faq = await a.faq('Opening hours', { [QUESTION]: 'The shop opens at nine in the morning.' });
  await a.train(faq);
  const chatbot = await a.chatbot(faq);
  const form = must(await a.api.post<TicketForm>('/ticket-forms', { title: 'Contact' }));
  const inbox = must(await a.api.post<EmailInbox>('/email-inboxes', { alias: unique(), title: 'Mail' }));
  for (const at of [`/ticket-form/${form.id}`, `/email-inbox/${inbox.id}`])
    must(await a.api.put(`${at}/knowledge`, { knowledge_id: faq.id }));
  const persona = must(await a.api.post<Persona>('/personas', { name: 'Ada' }));
  const opening = { account: a, email: 'eve@example.org', message: 'Is it open?' };
  const shared = { faq: faq.id, chatbot: chatbot.id, form: form.id, inbox: inbox.id, persona: persona.id };

  async function given(): Promise<Given> {
    const { id: document, upload_url } = await newDocument(w);
    await fetch(upload_url, { method: 'PUT', body: FILES.text });
    const ticketOf = (message: string) => open({ ...opening, message, kind: 'ticket', assistant: form });
    const emailOf = (message: string) =>
      open({ ...opening, message, kind: 'email', assistant: inbox, subject: 'Hours' });
    const [ticket, email] = [await ticketOf('Hello?'), await emailOf('Hello?')];
    const drafted = { ticket: await ticketOf(QUESTION), email: await emailOf(QUESTION) };
    await draft(w, `/ticket-form/${form.id}/tickets/${drafted.ticket}`);
    await draft(w, `/email-inbox/${inbox.id}/emails/${drafted.email}`);
    const filled = { body: { email: 'eve@example.org', answers: [] } };
    const atForm = `/public/v1/ticket-forms/${form.public_id}/tickets`;
    const { token } = must(await publicApi(w.baseUrl).request<{ token: string }>('POST', atForm, filled));
    const asked = { publicForm: form.public_id, ticketToken: token };
    const { id: webhook } = must(await a.api.post<{ id: string }>('/webhooks', { ...HOOK, enabled: false }));
    const { session_id } = await a.ask(chatbot, QUESTION);
    const person = visitorOf(w.baseUrl, chatbot.public_id);
    const { message_id: message } = await person.told(QUESTION);
    const visitor = { publicId: chatbot.public_id, message, token: person.token()! };
    return { ids: { ...shared, document, ticket, email, webhook }, session: session_id, visitor, form: asked, drafted };
  }
  return [keyedPosts(await given()), keyedPosts(await given())];
}

/** Has the AI draft an answer at once. */
async function draft({ a: { api } }: World, at: string): Promise<void> {
  for (const on of [false, true]) must(await api.put(`${at}/ai`, { on }));
  await until(async () => (await api.get(`${at}/draft`)).status === 200);
}

const newDocument = async ({ a }: World) =>
  must(await a.api.post<NewDocument>('/knowledge/document', { file_type: 'text/plain' }));

const keyedPosts = (given: Given): KeyedPost[] =>
  postsOn(given).map((post) => ({ ...post, headers: { 'Idempotency-Key': randomUUID() } }));

/** Sends the request to a gateway; again if that says so, as a busy one may. */
export function send({ a }: World, gateway: string, { path, body, headers: sent, streams, visitor }: KeyedPost) {
  const fetching = streams ? fetchStreamed : fetch;
  const api = visitor ? publicApi(gateway, fetching) : keyed(gateway, a.key, fetching);
  const headers = { ...sent, ...(visitor?.token && { 'x-visitor-token': visitor.token }) };
  return until(
    () => api.request<Partial<Answered>>('POST', path, { ...(body && { body }), headers }),
    ({ headers }) => headers.get('retry-after') === null,
    WITHIN_MS,
    500,
  );
}

/** Fields in the answers to POSTs that identify their effect. */
interface Answered {
  id: string;
  message: string;
  key: string;
}

interface Doomed extends GatewayProcess {
  /** Number of answers that it tried to record. They do not reach the database. */
  records(): number;
  /** From now on the knowledge service gets no more calls. */
  loseCalls(): void;
  /** From now on the knowledge service's results do not arrive. */
  loseResults(): void;
}

async function startDoomed(w: World, stops: Stops): Promise<Doomed> {
  const records = heldRequests(recordsAnswer);
  const [calls, results] = [barrier(), barrier()];
  const database = await startProxy({ path: socketOf(w.uri) }, { requests: records.through });
  const { hostname: host, port } = new URL(`http://${w.parley.endpoints.knowledge}`);
  const passage = { requests: calls.through, answers: results.through };
  const knowledge = await startProxy({ host, port: Number(port) }, passage);
  stops.push(database.stop, knowledge.stop);
  const gateway = await startGateway(w, stops, {
    MONGODB_URI: onPort(w.uri, database),
    KNOWLEDGE_ADDRESS: `127.0.0.1:${knowledge.port}`,
  });
  return { ...gateway, records: () => records.count, loseCalls: calls.close, loseResults: results.close };
}

/** Returns whether a request of the gateway to its database stores the body of an answer. */
const recordsAnswer = (request: Buffer): boolean => request.includes('idempotency') && request.includes('\x03body\0');

async function killAfterEffects(w: World, doomed: Doomed, posts: KeyedPost[], uploads: Uploads): Promise<void> {
  const upload = (document: NewDocument) => pausedUpload(uploadUrl(doomed.baseUrl, document), 'Tea is served at four');
  const [begun, stored, completed] = [upload(uploads.begun), upload(uploads.stored), upload(uploads.completed)];
  await until(
    () => unfinished(w),
    ({ length }) => length === 3,
  );
  const sent = posts.map((post) => send(w, doomed.baseUrl, post));
  // A gateway that can't record an answer within three seconds gives it all the same.
  const ended = Promise.allSettled([...sent, begun.answered, stored.answered, completed.answered]);
  await until(() => doomed.records() === posts.length, Boolean, WITHIN_MS);
  doomed.loseResults();
  completed.finish();
  await until(() => corpusOf(w).findOne({ _id: uploads.completed.id, 'document.upload': { $ne: null } }));
  doomed.loseCalls();
  stored.finish();
  await until(async () => (await filesOf(w, uploads.stored)).length === 1);
  await doomed.kill();
  await ended;
}

export const corpusOf = ({ mongo }: World) => mongo.db('parley_corpus').collection<{ _id: string }>('knowledge_items');

const unfinishedIn = ({ dataDir }: World): string => join(dataDir, 'objects', '.unfinished');
export const unfinished = (w: World): Promise<string[]> => readdir(unfinishedIn(w));

/** As if the gateway had died two hours ago: what it left unfinished is removed at the next start. */
async function ageUnfinished(w: World): Promise<void> {
  const then = new Date(Date.now() - 2 * 3_600_000);
  for (const name of await unfinished(w)) await utimes(join(unfinishedIn(w), name), then, then);
}

/** The same address at another gateway. */
export const uploadUrl = (gateway: string, { upload_url }: NewDocument): string =>
  gateway + upload_url.slice(upload_url.indexOf('/v1') + '/v1'.length);

/** The stored objects of a document. */
export async function filesOf({ objects }: World, { id }: { id: string }): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects.list('')) if (key.includes(id)) keys.push(key);
  return keys;
}
