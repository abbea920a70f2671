import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { handlersOf, type RpcService, service } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import * as assistantExists from './assistant-exists.ts';
import * as attachKnowledge from './attach-knowledge.ts';
import * as chatbots from './chatbots.ts';
import * as detachKnowledge from './detach-knowledge.ts';
import * as emailInboxes from './email-inboxes.ts';
import * as listAttachedKnowledge from './list-attached-knowledge.ts';
import * as publicForms from './public-forms.ts';
import * as replies from './replies.ts';
import * as resolveAssistant from './resolve-assistant.ts';
import * as stopNotices from './stop-notices.ts';
import * as ticketForms from './ticket-forms.ts';
import * as usage from './usage.ts';
import * as visitors from './visitors.ts';

const FILES = [
  assistantExists,
  attachKnowledge,
  chatbots,
  detachKnowledge,
  emailInboxes,
  listAttachedKnowledge,
  publicForms,
  replies,
  resolveAssistant,
  stopNotices,
  ticketForms,
  usage,
  visitors,
] as const;

/** The RPCs of the assistants service. */
export const rpcs = (dependencies: Dependencies): RpcService =>
  service(AssistantsService, handlersOf(dependencies, ...FILES));
