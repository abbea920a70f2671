import { expect, test } from '@jest/globals';
import { MailOutcome, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime';
import { ASSISTANTS_TOPIC, CONVERSATIONS_TOPIC } from '@parley/runtime/bus';
import { heapGrowth, until } from '@parley/runtime/testing';
import { answer, ask, busOfTest, call, conversations, fail, threads, transcript } from './testing/conversations.ts';
import { claimMail, endMail, receive } from './testing/mails.ts';
import { as, open } from './testing/tickets.ts';

const AT_ONCE = 8;
const CYCLES = 150;
/** Growth that comes from no request: 3.5 KB for each cycle, which is fifteen requests. */
const QUIET_BYTES = 2 ** 19;

/** An account with its form and inbox. Always the same ones list their tickets, since totals of 2,000 lists are kept in memory. */
const OWNERS = Array.from({ length: AT_ONCE }, () => ({ account: randomId(), assistantId: randomId() }));

/** An account's day: chats with several questions, one that fails, a ticket, a mail and its answer, and lists of them. */
async function cycle({ account, assistantId }: (typeof OWNERS)[number]): Promise<void> {
  const first = await ask({ account });
  await answer(first, 'Because.');
  const { session, assistant } = first;
  await fail(await ask({ account, assistant, session }));
  await answer(await ask({ account, assistant, session }), 'Because.');
  await transcript(first);
  await open({ account, assistantId });
  const { ref: thread, messageId: reference } = await receive({ account, assistantId, bytes: 1 });
  await conversations.replyToThread({ thread, message: 'So.' }, as(account)());
  await receive({ account, assistantId, references: [reference], bytes: 1 });
  const { claim } = await claimMail();
  if (claim) await endMail(claim, MailOutcome.SENT);
  const of = { kind: ThreadKind.TICKET, assistantId, limit: 25, nextCursor: '' };
  await conversations.listThreads(of, call({ account }).onward());
  await conversations.getChat({ chatbotId: assistant, id: randomId() }, call({ account }).onward()).catch(() => {});
}

/** Everything that follows: the relay, and the consumers of its events. */
async function isIdle(): Promise<boolean> {
  if ((await threads.countDocuments({ outbox_due: { $exists: true } })) > 0) return false;
  const groups = [
    [CONVERSATIONS_TOPIC, 'conversations.list-versions'],
    [ASSISTANTS_TOPIC, 'conversations'],
  ] as const;
  const lags = await Promise.all(groups.map(([topic, group]) => busOfTest().lag(topic, group)));
  return lags.every((lag) => lag === 0);
}

test('requests leave nothing behind in the memory of the service', async () => {
  const work = async (times: number) => {
    let left = times;
    const worker = async (owner: (typeof OWNERS)[number]) => {
      while (left-- > 0) await cycle(owner);
    };
    await Promise.all(OWNERS.map(worker));
    await until(isIdle);
  };
  expect(await heapGrowth(CYCLES, work)).toBeLessThan(QUIET_BYTES);
});
