import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { type Rpc, tokenUsage } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';

export const getUsage =
  ({ tokens }: Pick<Dependencies, 'tokens'>): Rpc<typeof AssistantsService.method.getUsage> =>
  async (_, { account }) => ({ items: await tokenUsage('model_tokens', tokens, account) });
