import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';

/** Takes an address off those that hear of conversations. */
export const stopNotices =
  ({ store }: Pick<Dependencies, 'store'>): Rpc<typeof AssistantsService.method.stopNotices> =>
  async ({ assistantId, address }, { account }) => {
    await store.stopNotices(account, assistantId, address);
    return {};
  };
