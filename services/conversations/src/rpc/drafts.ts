import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  AiState as AiStateNumber,
  ConversationsService,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import { boundedText } from '@parley/runtime/text';
import type { Dependencies } from '../dependencies.ts';
import { AI_STATES } from '../domain/ai-state.ts';
import { numberOf } from '../domain/enums.ts';
import { checkMessage, MAX_ANSWER, MAX_NAME } from '../domain/limits.ts';
import type { DraftDoc } from '../store/model.ts';
import { answerMessage, refOf } from './messages.ts';

type Service = typeof ConversationsService.method;
type Drafting = Pick<Dependencies, 'drafts'>;

export const getDraft =
  ({ drafts }: Drafting): Rpc<Service['getDraft']> =>
  async ({ thread }, { account }) => ({ draft: draftMessage(await drafts.get(refOf(account, thread))) });

/** Replaces the text of a draft. */
export const changeDraft =
  ({ drafts }: Drafting): Rpc<Service['changeDraft']> =>
  async ({ thread, message }, { account }) => ({
    draft: draftMessage(await drafts.change(refOf(account, thread), checkMessage(message, MAX_ANSWER))),
  });

export const discardDraft =
  ({ drafts }: Drafting): Rpc<Service['discardDraft']> =>
  async ({ thread }, { account }) => {
    await drafts.discard(refOf(account, thread));
    return {};
  };

/** Says what a draft says. */
export const sendDraft =
  ({ drafts }: Drafting): Rpc<Service['sendDraft']> =>
  async ({ thread, ownerName }, { account, operation }) => {
    await drafts.send(refOf(account, thread), operation, boundedText('owner_name', ownerName, MAX_NAME));
    return {};
  };

/** Turns the AI of a thread on or off. */
export const setAi =
  ({ drafts }: Drafting): Rpc<Service['setAi']> =>
  async ({ thread, on }, { account }) => ({
    ai: numberOf(AI_STATES, await drafts.setAi(refOf(account, thread), on)) as AiStateNumber,
  });

const draftMessage = (draft: DraftDoc) => ({
  answer: answerMessage(draft),
  createdAt: timestampFromDate(draft.at),
});
