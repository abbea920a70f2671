import { notFound } from '@parley/runtime';
import {
  compute,
  insertOnce,
  LIVE,
  literal,
  type Owned,
  outbox,
  ownedBy,
  type Page,
  type PageRequest,
  page,
  type Quota,
  quotaStore,
  refuse,
  set,
  type WithOutbox,
} from '@parley/runtime/mongo';
import type { Collection, Db, Document, Filter } from 'mongodb';
import type { StoredProgress } from '../domain/progress.ts';
import { DISABLED_BECAUSE, type DisabledBecause, type SealedSecret, type Subscription } from '../domain/webhook.ts';

/** An endpoint, and how far the deliveries to it have got. */
export interface WebhookDoc extends Owned, WithOutbox, Subscription, StoredProgress {
  enabled: boolean;
  disabled_because: string | null;
  /** The current one first, then earlier ones that still sign. */
  secrets: SealedSecret[];
  created_at: Date;
  deleted_at: Date | null;
  delete_op?: string;
  /** The newest event that it may have to be sent. */
  head: number;
  /** When there is something to deliver, or when the claim on it ends; absent: nothing waits. */
  due?: Date;
  due_claim?: string;
}

export const webhookCollection = (db: Db): Collection<WebhookDoc> => db.collection('webhooks');

/** Field of a claim that `workOnDue` makes. */
export const DUE = 'due';
/** Stage: nobody works on it, or the one who does notices at its next write. */
const UNCLAIMED: Document = compute({ due: '$$REMOVE', due_claim: '$$REMOVE' });

const WHAT = 'webhook';
const DISABLED_BY_OWNER = 'The account disabled it.';
/** How long a secret signs beside its successor. */
const OLD_SECRET_MS = 24 * 3_600_000;
const MAX_SECRETS = 3;

export type WebhookUsage = Quota<'webhooks'>;

/** The webhooks that accounts have. @param most of an account */
export function webhookUsage(db: Db, most: number): WebhookUsage {
  const webhooks = webhookCollection(db);
  const limits = { webhooks: { what: 'webhooks', setting: 'QUOTA_WEBHOOKS', most } };
  const count = (account: string) => webhooks.countDocuments({ account, ...LIVE });
  return quotaStore(db, limits, async (account) => ({ webhooks: await count(account) }));
}

/** A change of a webhook. Absent fields stay as they are. */
export type WebhookChange = Partial<Subscription & { enabled: boolean }>;

export type WebhookStore = ReturnType<typeof webhookStore>;

export function webhookStore(db: Db, usage: Pick<WebhookUsage, 'change'>) {
  const webhooks = webhookCollection(db);
  const created = (account: string, operation: string) => webhooks.findOne({ _id: operation, account });

  async function change(account: string, id: string, stages: Document[]): Promise<WebhookDoc> {
    const live: Filter<WebhookDoc> = { _id: id, account, ...LIVE };
    const changed = await webhooks.findOneAndUpdate(live, stages, { returnDocument: 'after' });
    return changed ?? refuse(webhooks, { _id: id }, WHAT);
  }

  return {
    /**
     * Creates a webhook that gets the events after a position, or finds the one that the same operation created;
     * NOT_FOUND if that was deleted meanwhile.
     */
    async create(
      account: string,
      subscription: Subscription & { enabled: boolean },
      secret: Omit<SealedSecret, 'until'>,
      position: number,
    ): Promise<WebhookDoc> {
      const fresh = {
        ...{ _id: secret.op, account, ...subscription, secrets: [{ ...secret, until: null }], deleted_at: null },
        ...{ disabled_because: subscription.enabled ? null : DISABLED_BY_OWNER, ...from(position) },
      };
      const found = await usage.change<WebhookDoc | null>(
        account,
        { webhooks: 1 },
        async () => {
          const made = await insertOnce(webhooks, fresh);
          return { result: made ?? (await created(account, secret.op)), counted: made ? { webhooks: 1 } : {} };
        },
        () => created(account, secret.op),
      );
      if (!found || found.deleted_at) throw notFound('The webhook that this operation created has been deleted.');
      return found;
    },

    /** @throws AppError `not_found`, or `permission_denied` for another account's. */
    webhook: (account: string, id: string): Promise<WebhookDoc> => ownedBy(webhooks, account, { _id: id }, WHAT),

    list: (account: string, request: PageRequest): Promise<Page<WebhookDoc>> =>
      page(webhooks, { account, ...LIVE }, request),

    /**
     * Makes waiting events due at once if the address is new.
     *
     * @param last the newest event: one that was disabled goes on from there
     */
    update(
      account: string,
      id: string,
      { enabled, ...subscription }: WebhookChange,
      last: number,
    ): Promise<WebhookDoc> {
      return change(account, id, [
        set(subscription),
        ...(subscription.url === undefined ? [] : ANEW),
        ...(enabled === undefined ? [] : enabled ? on(last) : OFF),
      ]);
    },

    /** The new secret signs from now on, and the old one beside it for a day. Idempotent by operation. */
    async renewSecret(account: string, id: string, secret: Omit<SealedSecret, 'until'>): Promise<WebhookDoc> {
      const isNew = { $not: { $in: [literal(secret.op), '$secrets.op'] } };
      const ending = { $min: [{ $ifNull: ['$$one.until', new Date(8.64e15)] }, { $add: ['$$NOW', OLD_SECRET_MS] }] };
      const earlier = {
        $map: { input: '$secrets', as: 'one', in: { $mergeObjects: ['$$one', { until: ending }] } },
      };
      const secrets = { $slice: [{ $concatArrays: [[literal({ ...secret, until: null })], earlier] }, MAX_SECRETS] };
      return change(account, id, [compute({ secrets: { $cond: [isNew, secrets, '$secrets'] } })]);
    },

    /** Delivers again what came after a position, whatever became of it before. */
    goBack: (account: string, id: string, position: number, last: number): Promise<WebhookDoc> =>
      change(account, id, [set(from(position)), UNCLAIMED, compute({ head: literal(last), due: '$$NOW' })]),

    /** Disables a webhook that is enabled, and says so in an event. Returns whether it was. */
    async disable(account: string, id: string, reason: DisabledBecause): Promise<boolean> {
      const enabled: Filter<WebhookDoc> = { _id: id, account, ...LIVE, enabled: true };
      const stages = [
        set({ disabled_because: DISABLED_BECAUSE[reason] }),
        ...OFF,
        ...outbox({ case: 'webhookDisabled', value: { reason } }),
      ];
      return (await webhooks.updateOne(enabled, stages)).matchedCount > 0;
    },

    /** Returns the deleted webhook. Idempotent by operation; NOT_FOUND if another operation deleted it first. */
    remove(account: string, id: string, operation: string): Promise<WebhookDoc> {
      const live: Filter<WebhookDoc> = { _id: id, account, ...LIVE };
      const stages = [compute({ deleted_at: '$$NOW' }), set({ delete_op: operation, secrets: [] }), UNCLAIMED];
      return usage.change(account, {}, async () => {
        const removed = await webhooks.findOneAndUpdate(live, stages, { returnDocument: 'after' });
        const result =
          removed ??
          (await webhooks.findOne({ _id: id, account, delete_op: operation })) ??
          (await refuse(webhooks, { _id: id }, WHAT));
        return { result, counted: removed ? { webhooks: -1 } : {} };
      });
    },
  };
}

/** Stages: no longer enabled; the reason stays if there is one. */
const OFF: Document[] = [
  compute({ disabled_because: { $ifNull: ['$disabled_because', DISABLED_BY_OWNER] } }),
  set({ enabled: false, held: [] }),
  UNCLAIMED,
];
/** Stages: enabled, from a position on unless it is already. */
function on(position: number): Document[] {
  const fresh = Object.entries({ ...from(position), disabled_because: null });
  const kept = fresh.map(([field, value]) => [field, { $cond: ['$enabled', `$${field}`, literal(value)] }]);
  return [compute(Object.fromEntries(kept)), set({ enabled: true })];
}
/** Stages: what failed is tried again now. */
const ANEW: Document[] = [
  set({ failures: 0, failing_since: null }),
  compute({ held: { $map: { input: '$held', as: 'one', in: { $mergeObjects: ['$$one', { due: null }] } } } }),
  UNCLAIMED,
  compute({ due: { $cond: ['$enabled', '$$NOW', '$$REMOVE'] } }),
];

const from = (position: number): StoredProgress & Pick<WebhookDoc, 'head'> => ({
  ...{ position, head: position, held: [], failures: 0, failing_since: null },
});
