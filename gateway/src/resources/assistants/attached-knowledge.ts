import { z } from 'zod';
import { uuid } from '../../fields/ids.ts';
import { list, route } from '../../route.ts';
import { type OneOf, READS_KNOWLEDGE } from '../../scopes.ts';
import { knowledgeItem, knowledgeItemJson } from '../knowledge/json.ts';
import type { AssistantResource } from './kinds.ts';

const body = z
  .object({ knowledge_id: uuid })
  .meta({ id: 'KnowledgeReference', examples: [{ knowledge_id: '01890a5d-ac96-474b-8cce-b302099a8057' }] });

/** Attaching, detaching and listing knowledge, the same for every kind of assistant. */
export function attachedKnowledge({ kind, path: assistant, params, scopes }: AssistantResource) {
  const path = `${assistant}/knowledge`;
  const restricted: OneOf = [scopes.write];
  return {
    attachKnowledge: route({
      method: 'PUT',
      path,
      summary: 'Attach a trained knowledge item',
      scope: 'any key',
      restricted,
      params,
      body,
      call: ({ params, body }, { assistants }) =>
        assistants.attachKnowledge({ kind, assistantId: params.id, knowledgeId: body.knowledge_id }),
    }),
    detachKnowledge: route({
      method: 'DELETE',
      path,
      summary: 'Detach a knowledge item; the item itself stays',
      scope: 'any key',
      restricted,
      params,
      body,
      call: ({ params, body }, { assistants }) =>
        assistants.detachKnowledge({ kind, assistantId: params.id, knowledgeId: body.knowledge_id }),
    }),
    listAttachedKnowledge: list({
      path,
      summary: 'List the attached knowledge items, last attached first',
      scope: 'any key',
      restricted: READS_KNOWLEDGE,
      params,
      item: knowledgeItem,
      toJson: knowledgeItemJson,
      call: ({ params, page }, { assistants }) =>
        assistants.listAttachedKnowledge({ kind, assistantId: params.id, ...page }),
    }),
  };
}
