import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { handlersOf, type RpcService, service } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import * as accounts from './accounts.ts';
import * as apiKeys from './api-keys.ts';
import * as personas from './personas.ts';
import * as usage from './usage.ts';
import * as verifyKey from './verify-key.ts';

/** The handlers of the auth service's RPCs, by name. Tests call them directly. */
export const handlers = (dependencies: Omit<Dependencies, 'metrics'>) =>
  handlersOf(dependencies, accounts, apiKeys, personas, usage, verifyKey);

/** The RPCs of the auth service. */
export const rpcs = (dependencies: Dependencies): RpcService => service(AuthService, handlers(dependencies));
