import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument, type Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { notYours } from './messages.ts';

/** Stores the answer of whoever holds the turn; the same claim may say it again, to no effect. Else ABORTED. */
export const answerTurn =
  ({ turns, beginnings }: Pick<Parts, 'turns' | 'beginnings'>): Rpc<typeof ConversationsService.method.answerTurn> =>
  async ({ turnId, fence, answer }, call) => {
    if (!answer?.message.trim()) throw invalidArgument('answer must not be blank.');
    const sources = answer.sources.map(({ n, title, url }) => ({ n, title, url }));
    await beginnings.made(call.account, turnId);
    const held = { id: turnId, fence };
    if (!(await turns.answer(call.account, held, { message: answer.message, sources }))) throw notYours();
    return {};
  };
