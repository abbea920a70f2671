import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Attack, attacksOn } from '../attack/requests.ts';
import { createSender } from '../attack/send.ts';
import { changes, openStore } from '../attack/stored.ts';
import { targetsOf } from '../attack/targets.ts';
import { type DescribedOperation, described } from '../conformance/description.ts';
import { createJudge } from '../conformance/judge.ts';
import { populated } from '../conformance/populated.ts';
import { type Answer, holdToTheEnvelope, must } from './api.ts';
import type { TicketForm } from './resources.ts';
import { shared } from './shared.ts';

/** Requests to each operation, of which there are about 70. */
const REQUESTS = Number(process.env.ATTACKS ?? 3);
/** Statuses for a body that an operation does not take. */
const NO_BODY = [400, 413, 415];

const { a, baseUrl, mongo, accounts, armed } = await shared(async ({ a, b, open, baseUrl }) => {
  const mine = await populated(a, async (rows) => {
    const opened = rows.map(({ parent, ...row }) => open({ ...row, account: a, assistant: parent }));
    return { ids: await Promise.all(opened), error: undefined };
  });
  const theirs = [
    await b.faq('Theirs'),
    await b.chatbot(),
    must(await b.api.post<TicketForm>('/ticket-forms', { title: 'Theirs' })),
  ];
  const me = await Promise.all([a, b].map(async ({ api }) => must(await api.get<{ account: { id: string } }>('/me'))));
  return {
    accounts: me.map(({ account }) => account.id),
    armed: {
      description: await described(baseUrl),
      key: a.key,
      targets: await targetsOf(mine),
      foreign: theirs.map(({ id }) => id),
    },
  };
});

const { send, close } = createSender(baseUrl);
afterAll(close);
const judge = createJudge(armed.description);

const operations = armed.description.operations.map((one) => ({ ...one, name: `${one.method} ${one.path}` }));
const [reads, others] = partition(operations, ({ method }) => method === 'GET');
const [deletions, changing] = partition(others, ({ method }) => method === 'DELETE');
/** Deletions would make others fail, so they come last, children before their parents. */
const writes = [...changing, ...deletions.sort((a, b) => b.path.length - a.path.length)];

function partition<T>(all: T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function expectDescribed(operation: DescribedOperation, { method, path, body }: Attack, answer: Answer<unknown>) {
  const { status, text } = answer;
  expect({ status, text, isFault: status >= 500 }).toMatchObject({ isFault: false });
  const isFile = status === 200 && answer.body === undefined;
  if (!isFile) holdToTheEnvelope(answer, `${method} ${path}`);
  const isStray = !operation.requestBody && body !== undefined && NO_BODY.includes(status);
  if (!isStray) expect(judge(operation, answer)).toBeUndefined();
}

const store = await openStore(mongo, accounts);
const begun = await store.settled();

test.each(reads)('no request to $name fails, or gets what is not described', async (one) => {
  await fc.assert(
    fc.asyncProperty(attacksOn(one, armed), async (attack) =>
      expectDescribed(one.operation, attack, await send(attack)),
    ),
    { numRuns: REQUESTS },
  );
});

test('reading stores nothing', async () => {
  expect(changes(begun, await store.read())).toEqual([]);
});

/** The state before each request, and whether a purge is changing what a deleted resource had. */
let before = begun;
let isPurging = false;

test.each(writes)(
  'no request to $name fails, gets what is not described, or stores anything if refused',
  async (one) => {
    await fc.assert(
      fc.asyncProperty(attacksOn(one, armed), async (attack) => {
        const answer = await send(attack);
        expectDescribed(one.operation, attack, answer);
        if (answer.status === 200) {
          isPurging ||= one.method === 'DELETE';
          before = await store.settled();
          return;
        }
        const changed = changes(before, await store.read());
        expect(isPurging ? changed.filter((id) => !before.has(id)) : changed).toEqual([]);
      }),
      { numRuns: REQUESTS },
    );
  },
);

test('after all of them the system serves its users', async () => {
  const faq = await a.faq('Zoo', { 'Where do the otters live?': 'The otters live by the northern pond.' });
  await a.train(faq);
  const { message } = await a.ask(await a.chatbot(faq), 'Where do the otters live?');
  expect(message).toContain('The otters live by the northern pond.');
});
