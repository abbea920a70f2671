import { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { deleteAccountData, type RpcService, service } from '@parley/runtime/rpc';
import type { Parts } from '../parts.ts';
import { askQuestion } from './ask-question.ts';
import { blockThread, unblockThread } from './blocks.ts';
import { answerQuestion, extendClaim, failQuestion } from './claims.ts';
import { listEvidence } from './evidence.ts';
import { getChat, getThread } from './get-thread.ts';
import { listChanges } from './list-changes.ts';
import { listChats, listThreads } from './list-threads.ts';
import { openThread } from './open-thread.ts';
import { addUserMessage, replyToThread, updateThread } from './people.ts';

/** The RPCs of the conversations service. */
export const rpcs = (parts: Parts): RpcService =>
  service(ConversationsService, {
    listChats: listChats(parts),
    getChat: getChat(parts),
    openThread: openThread(parts),
    addUserMessage: addUserMessage(parts),
    listThreads: listThreads(parts),
    getThread: getThread(parts),
    updateThread: updateThread(parts),
    replyToThread: replyToThread(parts),
    listChanges: listChanges(parts),
    blockThread: blockThread(parts),
    unblockThread: unblockThread(parts),
    listEvidence: listEvidence(parts),
    askQuestion: askQuestion(parts),
    extendClaim: extendClaim(parts),
    answerQuestion: answerQuestion(parts),
    failQuestion: failQuestion(parts),
    deleteAccountData: deleteAccountData(parts.eraser),
  });
