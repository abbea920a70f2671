import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type UsageSchema, Window } from '@parley/proto/usage/v1/usage_pb';
import type { Quota } from '../mongo/quota.ts';
import type { TokenBudget } from '../mongo/token-budget.ts';

type UsageMessage = MessageInitShape<typeof UsageSchema>;

const limitOf = (most: number) => (Number.isFinite(most) ? { limit: BigInt(most) } : {});

/** Returns what an account has, and may have. */
export async function quotaUsage<N extends string>(
  quota: Pick<Quota<N>, 'limits' | 'used'>,
  account: string,
): Promise<UsageMessage[]> {
  const used = await quota.used(account);
  const names = Object.keys(quota.limits) as N[];
  return names.map((name) => ({ name, used: BigInt(used[name]), ...limitOf(quota.limits[name].most) }));
}

/** The tokens that an account has spent, of the day and of the month. */
export async function tokenUsage(
  name: string,
  budget: Pick<TokenBudget, 'perDay' | 'used'>,
  account: string,
): Promise<UsageMessage[]> {
  const { day, month, spentAt } = await budget.used(account);
  return [
    {
      ...{ name, window: Window.DAY, used: BigInt(day), ...limitOf(budget.perDay) },
      ...(spentAt && { spentAt: timestampFromDate(spentAt) }),
    },
    { name, window: Window.MONTH, used: BigInt(month) },
  ];
}
