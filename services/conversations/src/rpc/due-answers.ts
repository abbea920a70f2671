import { durationMs } from '@bufbuild/protobuf/wkt';
import type { ConversationsService, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { numberOf } from '../domain/enums.ts';
import { MAX_HISTORY } from '../domain/limits.ts';
import { KINDS } from '../store/model.ts';
import { evidenceOf, newAnswer } from './evidence-message.ts';
import { checkExcept, claimMessage, claimOf, conversation, leaseMs } from './messages.ts';

type Service = typeof ConversationsService.method;
type Working = Pick<Dependencies, 'dueAnswers'>;

const LONGEST_DELAY_MS = 24 * 3_600_000;

/** Claims the answer that has been due longest. */
export const claimDueAnswer =
  ({ dueAnswers }: Working): Rpc<Service['claimDueAnswer']> =>
  async ({ lease, exceptAccounts }, call) => {
    call.requireCaller('assistants');
    const found = await dueAnswers.claim(leaseMs(lease), checkExcept(exceptAccounts), MAX_HISTORY);
    if (!found) return {};
    const { account, kind, assistant, subject = '', pending } = found.thread;
    return {
      due: {
        accountId: account,
        kind: numberOf(KINDS, kind) as ThreadKind,
        assistantId: assistant,
        claim: claimMessage(found.claim),
        subject,
        conversation: conversation(found.said),
        attempts: pending!.attempts ?? 0,
        authenticated: pending!.authenticated ?? false,
      },
    };
  };

/** Gives a claim back, to be due again later. */
export const postponeAnswer =
  ({ dueAnswers }: Working): Rpc<Service['postponeAnswer']> =>
  async ({ claim, delay, counts }, { account }) => {
    const ms = delay ? durationMs(delay) : 0;
    if (ms < 0 || ms > LONGEST_DELAY_MS) throw invalidArgument('delay must be at most a day.');
    await dueAnswers.postpone(account, claimOf(claim), ms, counts);
    return {};
  };

/** Ends a claim without an answer. */
export const declineAnswer =
  ({ dueAnswers }: Working): Rpc<Service['declineAnswer']> =>
  async ({ claim, evidence }, { account }) => {
    await dueAnswers.decline(account, claimOf(claim), evidenceOf(evidence, true));
    return {};
  };

/** Ends a claim with a draft. */
export const storeDraft =
  ({ dueAnswers }: Working): Rpc<Service['storeDraft']> =>
  async ({ claim, answer, evidence }, { account }) => {
    await dueAnswers.draft(account, claimOf(claim), newAnswer(answer, evidence));
    return {};
  };
