import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { aborted } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import { checkMessage, MAX_ANSWER } from '../domain/limits.ts';
import type { Parts } from '../parts.ts';
import { evidenceOf } from './evidence.ts';
import { answerMessage, claimOf, confidenceOf, leaseMs } from './messages.ts';

/** What the holder of a claim needs. */
type Claiming = Pick<Parts, 'claims' | 'bell'>;

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
  ({ claims, bell }: Claiming): Rpc<typeof ConversationsService.method.answerQuestion> =>
  async ({ claim, answer, evidence }, call) => {
    const held = claimOf(claim);
    checkMessage(answer?.message ?? '', MAX_ANSWER);
    const sources = answer!.sources.map(({ n, title, url }) => ({ n, title, url }));
    const confidence = confidenceOf('answer.confidence', answer!.confidence);
    const given = { text: answer!.message, sources, confidence, evidence: evidenceOf(evidence, true) };
    const stored = await claims.answer(call.account, held, given);
    bell.ring(held.thread);
    return { answer: answerMessage(stored) };
  };

/** Ends a claim without an answer. */
export const failQuestion =
  ({ claims, bell }: Claiming): Rpc<typeof ConversationsService.method.failQuestion> =>
  async ({ claim, evidence }, call) => {
    const held = claimOf(claim);
    if (await claims.fail(call.account, held, evidenceOf(evidence, false))) bell.ring(held.thread);
    return {};
  };
