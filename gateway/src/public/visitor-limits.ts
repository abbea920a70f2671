import { createTally } from '@parley/runtime';
import type { Limits } from '../config.ts';
import { HttpError } from '../http/http-error.ts';
import type { QuotaPolicy, RateLimiter, Subject } from '../http/rate-limiter.ts';

/** Whom a request of a visitor counts for. */
export interface Spender {
  /** As `clientAddress` names it. */
  address: string;
  /** The visitor's id; absent without a token. */
  visitor?: string | undefined;
}

/** The assistant on a page, and how many messages all of its visitors may send in a day. */
export interface DailyBudget {
  kind: 'chatbot' | 'ticket form';
  /** The internal id. */
  id: string;
  /** Absent: the installation's default. */
  messages?: number | undefined;
}

/** Each method throws 429 if a limit is reached, and then counts nothing. */
export interface VisitorLimits {
  /** Counts any request. */
  request(address: string): Promise<void>;
  /** Counts a message, or a change if there is no budget. */
  act(spender: Spender, budget?: DailyBudget): Promise<void>;
  /** Counts a reply in progress at this gateway until it is disposed. */
  reply(spender: Spender): Disposable;
}

const DAY_SECONDS = 24 * 3600;

interface Rule {
  policy: QuotaPolicy;
  subject: string | undefined;
  /** The refusal, before "Try again". */
  says: string;
}

/** Limits of visitors. Rates are counted over all gateways, replies in progress at each. A limit of 0 does not exist. */
export function createVisitorLimits(limiter: RateLimiter, limits: Limits): VisitorLimits {
  const perMinute = (name: string, limit: number, subject: string | undefined, who: string): Rule => ({
    policy: { name, limit },
    subject,
    says: `${who} may send ${limit.toLocaleString('en')} requests a minute.`,
  });

  async function take(rules: Rule[]) {
    const subjects = rules.flatMap(({ policy, subject }): Subject[] =>
      subject !== undefined && policy.limit > 0 ? [{ policy, id: subject }] : [],
    );
    const { exceeded } = await limiter.take(subjects);
    if (!exceeded) return;
    const { says } = rules.find(({ policy }) => policy === exceeded.policy)!;
    throw tooMany(says, exceeded.resetSeconds);
  }

  const running = { visitor: createTally(), address: createTally() };

  return {
    request: (address) =>
      take([perMinute('visitors of an address', limits.visitorRequestsPerMinute, address, 'One address')]),

    act({ address, visitor }, budget) {
      const daily = budget?.messages ?? limits.visitorMessagesPerDay;
      return take([
        perMinute('visitor', limits.visitorMessagesPerMinute, visitor, 'A visitor'),
        perMinute(
          'messages of an address',
          limits.visitorAddressMessagesPerMinute,
          address,
          'The visitors of one address',
        ),
        {
          policy: { name: `messages of a ${budget?.kind}`, limit: daily, windowSeconds: DAY_SECONDS },
          subject: budget?.id,
          says: `This ${budget?.kind} takes ${daily.toLocaleString('en')} messages a day.`,
        },
      ]);
    },

    reply({ address, visitor }) {
      const held = [
        { tally: running.address, name: address, most: limits.visitorAddressReplies },
        ...(visitor === undefined ? [] : [{ tally: running.visitor, name: visitor, most: limits.visitorReplies }]),
      ];
      if (held.some(({ tally, name, most }) => most > 0 && tally.of(name) >= most))
        throw tooMany('Too many replies to this visitor or address are in progress.', 1);
      for (const { tally, name } of held) tally.add(name, 1);
      return {
        [Symbol.dispose]() {
          for (const { tally, name } of held) tally.add(name, -1);
        },
      };
    },
  };
}

const tooMany = (says: string, seconds: number) =>
  new HttpError(429, `${says} Try again in ${seconds} s.`, { 'Retry-After': String(seconds) });
