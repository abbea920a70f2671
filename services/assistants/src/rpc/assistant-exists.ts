import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';

/** Returns whether the account has this assistant, of any kind. Decisive for those who are about to delete what belongs to it. */
export const assistantExists =
  ({ store }: Pick<Dependencies, 'store'>): Rpc<typeof AssistantsService.method.assistantExists> =>
  async ({ id }, call) => ({ exists: (await store.find(call.account, id)) !== null });
