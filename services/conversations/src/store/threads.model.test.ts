import { expect, test } from '@jest/globals';
import { deriveId, randomId } from '@parley/runtime';
import fc from 'fast-check';
import type { Claim } from './claims.ts';
import { answerId, changeId, type Kind, type ThreadDoc } from './model.ts';
import { openWith, type Stores, storesOn, threadDatabase } from './testing/threads.ts';

const database = threadDatabase();

/** The expected state of a thread. */
interface Model {
  said: { id: string; by: string; text: string; in_reply_to: string | null }[];
  pending: { entry: string; fence: number; expired: boolean } | null;
  fence: number;
  hold: boolean;
  blocked: boolean;
  failed: string | null;
  status: string | null;
  priority: string | null;
  /** The entry that the draft answers, and its text. */
  draft: { entry: string; text: string; changed: boolean } | null;
  answered: boolean;
  /** Operations that sent a draft. */
  sent: string | undefined;
  /** All claims so far. */
  claims: Claim[];
  /** Changes of status and priority. */
  changes: { field: string; from: string | null; to: string; by: string }[];
  /** Published events: changes, messages, and that a person has to see to it. */
  events: string[];
  /** By entry of the user: the evidence of its answer, or else of its latest failure. */
  evidence: Map<string, { entry: string; outcome: string; answerer: string }>;
}

const EMPTY: Omit<Model, 'said' | 'claims' | 'changes' | 'evidence' | 'events'> = {
  pending: null,
  fence: 0,
  hold: false,
  blocked: false,
  failed: null,
  status: 'open',
  priority: 'medium',
  draft: null,
  answered: false,
  sent: undefined,
};

/** Numbers pick one of a few operations, so that retries and reuse happen, or one of the claims so far. */
type Step = {
  do:
    | 'say'
    | 'claim'
    | 'answer'
    | 'fail'
    | 'extend'
    | 'postpone'
    | 'decline'
    | 'draft'
    | 'edit'
    | 'send'
    | 'discard'
    | 'on'
    | 'off'
    | 'expire'
    | 'reply'
    | 'status'
    | 'priority'
    | 'both'
    | 'block'
    | 'unblock';
  which: number;
  replica: 0 | 1;
  /** The process dies before it has copied the newest entry. */
  killed: boolean;
};

/** Actions in tickets and emails. Repeated entries are more frequent. */
const ACTS: Step['do'][] = [
  ...(['say', 'say', 'say', 'claim', 'claim', 'claim', 'answer', 'answer', 'fail', 'extend'] as const),
  ...(['postpone', 'decline', 'draft', 'draft', 'edit', 'send', 'send', 'discard', 'on', 'on', 'off'] as const),
  ...(['expire', 'expire', 'reply', 'status', 'priority', 'both', 'both', 'block', 'unblock', 'unblock'] as const),
];
const ACTS_OF_CHATS: Step['do'][] = [
  ...(['say', 'say', 'say', 'answer', 'answer', 'fail', 'extend', 'expire', 'block', 'unblock', 'unblock'] as const),
];

const steps = (acts: readonly Step['do'][]): fc.Arbitrary<Step[]> => {
  const replica = fc.constantFrom(0 as const, 1 as const);
  const step = fc.record({ do: fc.constantFrom(...acts), which: fc.nat(5), replica, killed: fc.boolean() });
  return fc.array(step, { minLength: 15, maxLength: 60, size: 'max' });
};

test.each<[Kind, Step['do'][]]>([
  ['ticket', ACTS],
  ['chat', ACTS_OF_CHATS],
])(
  'no order of acts of users, AI and owner in a %s, with retries, kills and two replicas, breaks its rules',
  async (kind, acts) => {
    await fc.assert(
      fc.asyncProperty(steps(acts), async (sequence) => {
        const world = await begin(kind);
        for (const step of sequence) {
          await take(world, step);
          await compare(world, step.killed);
        }
        await compare(world, true);
      }),
      { numRuns: 8 },
    );
  },
  300_000,
);

type World = Awaited<ReturnType<typeof begin>>;

async function begin(kind: Kind) {
  const db = database.db;
  const [account, id] = [randomId(), randomId()];
  const waiting: (() => Promise<void>)[] = [];
  const replica = () => storesOn(db, (work) => waiting.push(work));
  const replicas: [Stores, Stores] = [replica(), replica()];
  // Those of earlier runs are not due any more.
  await replicas[0].threads.collection.unlisted.updateMany({ account: { $ne: account } }, { $set: { pending: null } });
  const model: Model = { ...EMPTY, said: [], claims: [], changes: [], events: [], evidence: new Map() };
  // It exists before its first message.
  const ref = { account, kind, assistant: randomId(), id };
  await openWith(replicas[0], ref, address);
  /** Another ticket of the same address: a block of one is a block of both. */
  const sibling = { ...ref, id: randomId() };
  await openWith(replicas[0], sibling, kind === 'chat' ? 'another@example.com' : address);
  return { kind, account, id, ref, sibling, replicas, waiting, model };
}

const address = 'ann@example.com';

async function take(world: World, step: Step) {
  await act(world, world.replicas[step.replica], step);
  if (!step.killed) for (const work of world.waiting) await work();
  world.waiting.length = 0;
}

async function act(world: World, stores: Stores, { do: what, which }: Step): Promise<unknown> {
  const { id, model: m } = world;
  const op = deriveId(id, what, String(which));
  const claim = m.claims[which % (m.claims.length || 1)];
  const known = m.said.some((entry) => entry.id === op);
  switch (what) {
    case 'say':
      return world.kind === 'chat' ? ask(world, stores, op) : say(world, stores, op);
    case 'claim':
      return claimPending(world, stores, which);
    case 'expire':
      if (m.pending) m.pending.expired = true;
      return stores.threads.collection.unlisted.updateOne({ _id: id, pending: { $ne: null } }, expired);
    case 'answer':
    case 'fail':
    case 'extend':
    case 'postpone':
    case 'decline':
    case 'draft':
      return claim && useClaim(world, stores, what, claim);
    case 'reply':
      await stores.people.reply(world.ref, op, `r${which}`);
      if (known) return;
      takeOver(m, { id: op, by: 'owner', text: `r${which}`, in_reply_to: null });
      m.events.push('threadMessageAdded owner');
      m.draft = null;
      return;
    case 'edit':
    case 'send':
    case 'discard':
      return useDraft(world, stores, what, op);
    case 'on':
    case 'off':
      return setAi(world, stores, what === 'on');
    case 'status':
    case 'priority':
    case 'both':
      return change(world, stores, what, op, which);
    case 'block':
      await stores.blocks.block(await either(world, stores, which));
      if (!m.blocked) Object.assign(m, { pending: null, draft: null });
      setBlocked(world, true);
      return;
    default:
      await stores.blocks.unblock(await either(world, stores, which));
      setBlocked(world, false);
  }
}

/** The event is the thread's own if the block is: that of an address has its own document. */
function setBlocked({ kind, model: m }: World, blocked: boolean): void {
  if (kind === 'chat' && m.blocked !== blocked) m.events.push('userBlocked');
  m.blocked = blocked;
}

/** The thread, or the other one of the same address. */
const either = ({ kind, ref, sibling }: World, { threads }: Stores, which: number) =>
  threads.find(which % 2 && kind !== 'chat' ? sibling : ref);

const expired = { $set: { 'pending.until': new Date(0) } };
const LEASE_MS = 60_000;

async function say({ ref, model: m }: World, { people }: Stores, op: string) {
  const said = people.addUserMessage(ref, op, op);
  if (m.said.some((entry) => entry.id === op)) return said;
  if (m.blocked) return expect(said).rejects.toMatchObject({ code: 'permission_denied' });
  await said;
  if (m.status === 'closed') {
    m.said.push({ id: changeId(op, 'status'), by: 'system', text: '', in_reply_to: null });
    m.changes.push({ field: 'status', from: 'closed', to: 'open', by: 'user' });
    m.events.push('threadStatusChanged closed open');
    m.status = 'open';
  }
  m.said.push({ id: op, by: 'user', text: op, in_reply_to: null });
  m.events.push('threadMessageAdded user');
  if (m.hold) m.events.push('threadWaiting');
  makeDue(m, op);
  if (m.hold) m.pending = null;
}

/** Not claimed yet. */
function makeDue(m: Model, entry: string) {
  m.fence += 1;
  Object.assign(m, { pending: { entry, fence: m.fence, expired: true }, failed: null, draft: null, answered: false });
}

async function useDraft({ ref, model: m }: World, { drafts }: Stores, what: 'edit' | 'send' | 'discard', op: string) {
  if (what === 'discard') {
    await drafts.discard(ref);
    m.draft = null;
    return;
  }
  if (what === 'send' && m.sent === op) return drafts.send(ref, op);
  const done = what === 'edit' ? drafts.change(ref, `edited ${op}`) : drafts.send(ref, op);
  if (!m.draft) return expect(done).rejects.toMatchObject({ code: 'not_found' });
  await done;
  if (what === 'edit') {
    Object.assign(m.draft, { text: `edited ${op}`, changed: true });
    return;
  }
  const { entry, text, changed } = m.draft;
  const by = changed ? 'owner' : 'ai';
  m.said.push({ id: answerId(entry), by, text, in_reply_to: entry });
  m.evidence.set(entry, { ...m.evidence.get(entry)!, entry: answerId(entry) });
  m.events.push(`threadMessageAdded ${by}`);
  Object.assign(m, { draft: null, answered: true, sent: op });
}

async function setAi({ ref, model: m }: World, { drafts }: Stores, on: boolean) {
  await drafts.setAi(ref, on);
  if (!on) return Object.assign(m, { hold: true, pending: null, failed: null });
  m.hold = false;
  const newest = m.said.findLast(({ by }) => by !== 'system');
  if (newest?.by === 'user' && !m.pending && !m.draft && !m.blocked) makeDue(m, newest.id);
}

async function ask({ account, id, model: m }: World, { questions, threads }: Stores, op: string) {
  const asked = questions.ask(await threads.thread(account, id), { op, text: op }, LEASE_MS);
  if (m.blocked) return expect(asked).rejects.toMatchObject({ code: 'permission_denied' });
  const answer = m.said.find(({ in_reply_to }) => in_reply_to === op);
  if (answer) return expect((await asked)?.answer?.text).toBe(answer.text);
  if (m.pending && !m.pending.expired) return expect(await asked).toBeUndefined();
  expect(await asked).toMatchObject({ question: { _id: op } });
  if (!m.said.some((entry) => entry.id === op)) {
    m.said.push({ id: op, by: 'user', text: op, in_reply_to: null });
    m.events.push('chatMessageAdded');
  }
  m.fence += 1;
  m.pending = { entry: op, fence: m.fence, expired: false };
  m.failed = null;
  m.claims.push({ thread: id, entry: op, fence: m.fence });
}

async function claimPending({ account, id, model: m }: World, { dueAnswers }: Stores, which: number) {
  const isExcepted = which === 5;
  const due = await dueAnswers.claim(LEASE_MS, isExcepted ? [account] : [], 3);
  if (isExcepted || !m.pending?.expired) return expect(due).toBeUndefined();
  const { entry } = m.pending;
  m.fence += 1;
  m.pending = { entry, fence: m.fence, expired: false };
  expect(due).toMatchObject({ claim: { thread: id, entry, fence: m.fence }, thread: { _id: id } });
  const said = m.said.filter(({ by }) => by !== 'system');
  const at = said.findIndex((one) => one.id === entry);
  expect(due!.said.map(({ _id }) => _id)).toEqual(said.slice(Math.max(0, at - 2), at + 1).map((one) => one.id));
  m.claims.push(due!.claim);
}

async function useClaim({ kind, account, model: m }: World, { claims, dueAnswers }: Stores, how: string, claim: Claim) {
  const holds = m.pending?.entry === claim.entry && m.pending.fence === claim.fence;
  if (how === 'postpone') {
    expect(await dueAnswers.postpone(account, claim, 0, true)).toBe(holds);
    if (holds) m.pending!.expired = true;
    return;
  }
  if (how === 'decline') {
    expect(await dueAnswers.decline(account, claim)).toBe(holds);
    if (!holds) return;
    m.pending = null;
    m.events.push('answerEnded no_evidence', 'threadWaiting');
    return;
  }
  if (how === 'draft') return storeDraft({ account, model: m }, dueAnswers, claim, holds);
  if (how === 'extend') {
    expect(await claims.extend(account, claim, LEASE_MS)).toBe(holds);
    if (holds) m.pending!.expired = false;
  } else if (how === 'fail') {
    const answerer = `by claim ${claim.fence}`;
    expect(await claims.fail(account, claim, { outcome: 'failed', answerer, offered: [], cited: [] })).toBe(holds);
    if (!holds) return;
    m.events.push('answerEnded failed', ...(kind === 'chat' ? [] : ['threadWaiting']));
    Object.assign(m, { pending: null, failed: claim.entry });
    m.evidence.set(claim.entry, { entry: claim.entry, outcome: 'failed', answerer });
  } else {
    const text = `by claim ${claim.fence}`;
    const evidence = { outcome: 'answered', answerer: text, offered: [], cited: [] } as const;
    const answered = claims.answer(account, claim, {
      text,
      sources: [],
      evidence: { ...evidence, offered: [], cited: [] },
    });
    const earlier = m.said.find(({ in_reply_to }) => in_reply_to === claim.entry);
    if (earlier) return expect((await answered).text).toBe(earlier.text);
    if (!holds) return expect(answered).rejects.toMatchObject({ code: 'aborted' });
    await answered;
    m.said.push({ id: answerId(claim.entry), by: 'ai', text, in_reply_to: claim.entry });
    Object.assign(m, { pending: null, failed: null, answered: kind !== 'chat' });
    m.events.push(...(kind === 'chat' ? [] : ['threadMessageAdded ai']), 'answerEnded answered');
    m.evidence.set(claim.entry, { entry: answerId(claim.entry), outcome: 'answered', answerer: text });
  }
}

async function storeDraft(
  { account, model: m }: Pick<World, 'account' | 'model'>,
  dueAnswers: Stores['dueAnswers'],
  claim: Claim,
  holds: boolean,
) {
  const text = `drafted by claim ${claim.fence}`;
  const evidence = { outcome: 'answered', answerer: text, offered: [], cited: [] } as const;
  const given = { text, sources: [], evidence: { ...evidence, offered: [], cited: [] } };
  const drafted = dueAnswers.draft(account, claim, given);
  if (holds) {
    await drafted;
    Object.assign(m, { pending: null, failed: null, draft: { entry: claim.entry, fence: claim.fence, text } });
    m.evidence.set(claim.entry, { entry: claim.entry, outcome: 'answered', answerer: text });
    m.events.push('draftMade', 'threadWaiting');
  } else if ((m.draft as { fence?: number } | null)?.fence === claim.fence) await drafted;
  else await expect(drafted).rejects.toMatchObject({ code: 'aborted' });
}

async function change({ ref, model: m }: World, { people }: Stores, what: string, op: string, which: number) {
  const to = which % 2 ? 'a' : 'closed';
  const fields = (['status', 'priority'] as const).filter((field) => what === field || what === 'both');
  const known = fields.some((field) => m.said.some(({ id }) => id === changeId(op, field)));
  await people.update(ref, op, `key ${which}`, Object.fromEntries(fields.map((field) => [field, to])));
  if (!known && fields.includes('status')) Object.assign(m, { hold: true, pending: null, failed: null });
  for (const field of known ? [] : fields) {
    if (m[field] === to) continue;
    m.changes.push({ field, from: m[field], to, by: `key ${which}` });
    m.events.push(`${field === 'status' ? 'threadStatusChanged' : 'threadPriorityChanged'} ${m[field]} ${to}`);
    m[field] = to;
    const entry = { id: changeId(op, field), by: 'system', text: '', in_reply_to: null };
    if (field === 'status') takeOver(m, entry);
    else m.said.push(entry);
  }
}

function takeOver(m: Model, entry: Model['said'][number]) {
  m.said.push(entry);
  Object.assign(m, { pending: null, failed: null, hold: true });
}

async function compare(
  { kind, account, id, sibling, replicas: [{ threads, entries }], model: m }: World,
  read: boolean,
) {
  const thread = await threads.thread(account, id);
  if (read) {
    const found = await entries.of(thread);
    expect(found.map(({ _id, by, text, in_reply_to }) => ({ id: _id, by, text, in_reply_to }))).toEqual(m.said);
    expect(found.map(({ n }) => n)).toEqual(found.map((_, i) => i + 1));
    const said = found.filter(({ by }) => by !== 'system');
    expect(await entries.of(thread, { said: true })).toEqual(said);
    expect(await entries.of(thread, { said: true, limit: 3 })).toEqual(said.slice(-3));
    const all = { limit: 100, nextCursor: '' };
    expect((await entries.changes(thread, all)).items.map(({ change }) => change)).toEqual(m.changes.toReversed());
    const evidence = (await entries.evidenceOf(thread, all)).items;
    expect(evidence).toMatchObject(m.said.toReversed().flatMap((entry) => m.evidence.get(entry.id) ?? []));
    expect(evidence.map(({ _id }) => _id)).toEqual(
      m.said
        .toReversed()
        .filter((e) => m.evidence.has(e.id))
        .map((e) => e.id),
    );
  }
  const events = (thread.outbox ?? []).map(({ payload }) => {
    const { assistantId, chatbotId, by, from, to, outcome, ...value } = payload.value as Record<string, string>;
    expect(assistantId ?? chatbotId).toBe(sibling.assistant);
    if (assistantId && payload.case !== 'threadWaiting') expect(value['kind']).toBe(kind);
    return [payload.case, by, from, to, outcome].filter(Boolean).join(' ');
  });
  expect(events).toEqual(m.events);
  expect((await threads.find(sibling)).blocked_at !== null).toBe(m.blocked && kind !== 'chat');
  expect({
    draft: null,
    answered: false,
    ...thread,
    hold: thread.hold !== null,
    blocked: thread.blocked_at !== null,
  } as unknown as ThreadDoc).toMatchObject({
    n: m.said.length,
    fence: m.fence,
    failed: m.failed,
    status: m.status,
    priority: m.priority,
    hold: m.hold,
    blocked: m.blocked,
    questions: m.said.filter(({ by }) => by === 'user').length,
    pending: m.pending && { entry: m.pending.entry, fence: m.pending.fence },
    ...(kind !== 'chat' && {
      draft: m.draft && { entry: m.draft.entry, text: m.draft.text },
      answered: m.answered,
    }),
  });
}
