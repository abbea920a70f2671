import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { attachmentMessage, refOf } from './messages.ts';

/** Where the raw message or an attachment is stored. */
export const findMailFile =
  ({ mailFiles }: Pick<Dependencies, 'mailFiles'>): Rpc<typeof ConversationsService.method.findMailFile> =>
  async ({ thread, file }, { account }) => {
    const ref = refOf(account, thread);
    if (file.case !== 'attachmentId') return mailFiles.raw(ref, file.value ?? '');
    const { key, attachment } = await mailFiles.attachment(ref, file.value);
    return { key, attachment: attachmentMessage(attachment!) };
  };
