import type { Status } from '../../../clients/typescript/src/index.ts';
import { unique } from '../../conformance/operations.ts';
import type { CaseKind } from './case-kinds.ts';
import { type Activity, all, deleted, type Tenant } from './tenant.ts';

/** Tickets or emails after which the form or the inbox is replaced. */
const LIFE = 20;
/** One in so many senders is blocked. */
const BLOCKED = 5;
/** Statuses of each, in order. */
const STATUSES: Status[] = ['assigned', 'need_more_info', 'resolved'];

interface Case {
  id: string;
  status: Status;
  /** In order. */
  said: string[];
}

/** Opens tickets or emails, answers them as a persona, changes their status, and lists them with filters. */
export const cases =
  (kind: CaseKind) =>
  async (tenant: Tenant): Promise<Activity> => {
    const { parley, world } = tenant;
    const { id: persona } = await parley.post('/personas', { body: { name: 'Ada' } });
    let current: { parent: string; cases: Case[] } | undefined;

    async function create() {
      const { id: parent } = await kind.create(parley, unique());
      await kind.attach(parley, parent, tenant.library);
      return { parent, cases: [] as Case[] };
    }

    async function open(parent: string, n: number): Promise<Case> {
      const message = `Where is parcel ${n}?`;
      const sender = { email: `ann${n % BLOCKED}@example.com`, message };
      const id = await world.open({ account: tenant.id, kind: kind.kind, parent, ...sender });
      return { id, status: 'open', said: [message] };
    }

    async function work(parent: string, on: Case, n: number) {
      const answer = `Parcel ${n} arrives on Monday.`;
      await kind.reply(parley, parent, on.id, answer, persona);
      on.said.push(answer);
      for (const status of STATUSES) {
        await kind.update(parley, parent, on.id, status);
        on.status = status;
      }
      const changes = await all(kind.history(parley, parent, on.id));
      if (changes[0]?.to !== on.status) throw new Error(`The latest change is ${JSON.stringify(changes[0])}.`);
      if (n % BLOCKED > 0) return;
      await kind.block(parley, parent, on.id);
      await kind.unblock(parley, parent, on.id);
    }

    async function check() {
      if (!current) return;
      const { parent, cases } = current;
      const listed = await all(kind.list(parley, parent, { limit: 7 }));
      const said = JSON.stringify(listed.map(({ id, status }) => ({ id, status })).reverse());
      const wanted = JSON.stringify(cases.map(({ id, status }) => ({ id, status })));
      if (said !== wanted) throw new Error(`The ${kind.kind}s are ${said}, not ${wanted}.`);
      for (const { id, said } of cases) {
        const { conversation } = await kind.read(parley, parent, id);
        const messages = JSON.stringify(conversation.map(({ message }) => message));
        if (messages !== JSON.stringify(said)) throw new Error(`A ${kind.kind} says ${messages}.`);
      }
    }

    return {
      name: kind.kind,
      async round(n) {
        current ??= await create();
        const { parent, cases } = current;
        const opened = await open(parent, n);
        cases.push(opened);
        await work(parent, opened, n);
        const created_after = new Date(Date.now() - 3_600_000).toISOString();
        await all(kind.list(parley, parent, { status: 'open,resolved', created_after, limit: 7 }));
        if (cases.length < LIFE) return;
        await check();
        await deleted(tenant, () => kind.remove(parley, parent));
        current = undefined;
      },
      check,
    };
  };
