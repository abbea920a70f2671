import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { createLog, createMetrics, createTicketTokens, type Process } from '@parley/runtime';
import { openObjects } from '@parley/runtime/objects';
import { disposing, openRpcTls, rpcClient, withOpsServer } from '@parley/runtime/rpc';
import { createCalls } from './calls.ts';
import type { MailConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { createCheckSender } from './receive/check-sender.ts';
import { createMailReader } from './receive/mail-reader.ts';
import { createMailServer } from './receive/server.ts';
import { createMailTransport } from './send/transport.ts';
import { createSender } from './send/worker.ts';
import { createTokens } from './tokens.ts';

/** A process that receives mail. */
export interface MailProcess extends Process {
  /** The port on which it does so, once started. */
  port(): number;
}

/** The mail service: receives mail for inboxes and threads, and sends theirs. It stores nothing but files. */
export function createMail(config: MailConfig, overrides: Partial<Dependencies> = {}): MailProcess {
  const log = overrides.log ?? createLog(config.name, config.logLevel, config.logFormat);
  const metrics = overrides.metrics ?? createMetrics();
  const tls = config.rpcTls && openRpcTls(config.rpcTls, log);
  const client = { tls, log, observe: metrics };
  const reader = overrides.reader ?? createMailReader();
  const dependencies: Dependencies = {
    ...{ log, metrics, domain: config.domain },
    objects: overrides.objects ?? openObjects(config.objects, log, metrics),
    assistants: rpcClient(AssistantsService, { address: config.assistants, ...client }),
    conversations: rpcClient(ConversationsService, { address: config.conversations, ...client }),
    calls: createCalls(config.secret, log),
    tokens: createTokens(config.secret),
    reader,
    checkSender: createCheckSender(config.domain, reader),
    transport: createMailTransport(config.sending, config.domain),
    ...overrides,
  };
  const server = createMailServer(config, dependencies);
  const components = [
    ...(tls ? [tls] : []),
    // The owner of a shared object store starts and stops it.
    ...(overrides.objects ? [] : [dependencies.objects]),
    disposing('assistants client', dependencies.assistants),
    disposing('conversations client', dependencies.conversations),
    dependencies.reader,
    dependencies.transport,
    createSender({
      ...dependencies,
      ticketTokens: createTicketTokens(config.secret),
      publicUrl: config.sending.publicUrl,
    }),
    server,
  ];
  return Object.assign(withOpsServer(config, log, metrics, components), { port: server.port });
}
