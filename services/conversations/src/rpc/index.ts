import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { handlersOf, type RpcService, service } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import * as askQuestion from './ask-question.ts';
import * as blocks from './blocks.ts';
import * as claims from './claims.ts';
import * as drafts from './drafts.ts';
import * as dueAnswers from './due-answers.ts';
import * as findMailFile from './find-mail-file.ts';
import * as getThread from './get-thread.ts';
import * as listChanges from './list-changes.ts';
import * as listEvidence from './list-evidence.ts';
import * as listThreads from './list-threads.ts';
import * as openThread from './open-thread.ts';
import * as people from './people.ts';
import * as receiveMail from './receive-mail.ts';
import * as sendMail from './send-mail.ts';
import * as usage from './usage.ts';
import * as visitors from './visitors.ts';

const FILES = [
  askQuestion,
  blocks,
  claims,
  drafts,
  dueAnswers,
  findMailFile,
  getThread,
  listChanges,
  listEvidence,
  listThreads,
  openThread,
  people,
  receiveMail,
  sendMail,
  usage,
  visitors,
] as const;

/** The RPCs of the conversations service. */
export const rpcs = (dependencies: Dependencies): RpcService =>
  service(ConversationsService, handlersOf(dependencies, ...FILES));
