import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Log, Metrics } from '@parley/runtime';
import type { ObjectStore } from '@parley/runtime/objects';
import type { RpcClient } from '@parley/runtime/rpc';
import type { Calls } from './calls.ts';
import type { CheckSender } from './receive/check-sender.ts';
import type { MailReader } from './receive/mail-reader.ts';
import type { Transport } from './send/transport.ts';
import type { Tokens } from './tokens.ts';

/** The parts of the mail service. Tests and the embedded mode can replace each. */
export interface Dependencies {
  log: Log;
  metrics: Metrics;
  /** The domain of all inboxes. */
  domain: string;
  objects: ObjectStore;
  assistants: RpcClient<typeof AssistantsService>;
  conversations: RpcClient<typeof ConversationsService>;
  calls: Calls;
  tokens: Tokens;
  reader: MailReader;
  checkSender: CheckSender;
  transport: Transport;
}
