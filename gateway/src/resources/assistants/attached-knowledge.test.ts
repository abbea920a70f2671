import { expect, test } from '@jest/globals';
import { AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { validate } from '../../http/validate.ts';
import { attachedKnowledge } from './attached-knowledge.ts';
import { CHATBOT } from './kinds.ts';

test.each([
  ['/chatbot/:id', AssistantKind.CHATBOT],
  ['/ticket-form/:id', AssistantKind.TICKET_FORM],
  ['/email-inbox/:id', AssistantKind.EMAIL_INBOX],
] as const)('%s attaches, detaches and lists knowledge of its own kind', async (path, kind) => {
  const routes = Object.values(attachedKnowledge({ ...CHATBOT, path, kind }));
  expect(routes.map((route) => `${route.method} ${route.path}`)).toEqual([
    `PUT ${path}/knowledge`,
    `DELETE ${path}/knowledge`,
    `GET ${path}/knowledge`,
  ]);

  const [assistantId, knowledgeId] = [randomId(), randomId()];
  const asked: [string, object][] = [];
  const answer = (method: string) => async (request: object) => {
    asked.push([method, request]);
    return { items: [], total: 0, hasMore: false };
  };
  const assistants = Object.fromEntries(
    ['attachKnowledge', 'detachKnowledge', 'listAttachedKnowledge'].map((method) => [method, answer(method)]),
  );
  for (const route of routes) {
    const input = {
      params: validate(route.params, { id: assistantId }),
      query: validate(route.query, {}),
      body: route.body && validate(route.body, { knowledge_id: knowledgeId }),
    };
    await route.call(input, { assistants, identity: { account: { id: randomId() } } });
  }
  expect(asked).toEqual([
    ['attachKnowledge', { kind, assistantId, knowledgeId }],
    ['detachKnowledge', { kind, assistantId, knowledgeId }],
    ['listAttachedKnowledge', { kind, assistantId, limit: 25, nextCursor: '' }],
  ]);
});
