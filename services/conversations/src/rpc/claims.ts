import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { aborted } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { evidenceOf, newAnswer } from './evidence-message.ts';
import { answerMessage, claimOf, leaseMs } from './messages.ts';

/** The dependencies of RPCs about claims. */
type Claiming = Pick<Dependencies, 'claims' | 'notifier'>;

/** Renews a claim. ABORTED if it is no longer the caller's. */
export const extendClaim =
  ({ claims }: Claiming): Rpc<typeof ConversationsService.method.extendClaim> =>
  async ({ claim, lease }, call) => {
    if (!(await claims.extend(call.account, claimOf(claim), leaseMs(lease))))
      throw aborted('The claim on this question was lost.');
    return {};
  };

/** Stores the answer and returns the stored one, which is an earlier one if another claim was faster. */
export const answerQuestion =
  ({ claims, notifier }: Claiming): Rpc<typeof ConversationsService.method.answerQuestion> =>
  async ({ claim, answer, evidence }, call) => {
    const held = claimOf(claim);
    const stored = await claims.answer(call.account, held, newAnswer(answer, evidence));
    notifier.notify(held.thread);
    return { answer: answerMessage(stored) };
  };

/** Ends a claim without an answer. */
export const failQuestion =
  ({ claims, notifier }: Claiming): Rpc<typeof ConversationsService.method.failQuestion> =>
  async ({ claim, evidence }, call) => {
    const held = claimOf(claim);
    if (await claims.fail(call.account, held, evidenceOf(evidence, false))) notifier.notify(held.thread);
    return {};
  };
