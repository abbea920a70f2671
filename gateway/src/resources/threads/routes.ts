import type { GetThreadResponse, Thread } from '@parley/proto/conversations/v1/conversations_service_pb';
import { z } from 'zod';
import { dateParameter, toTimestamp } from '../../fields/dates.ts';
import { PRIORITY, STATUS, statusesParameter } from '../../fields/statuses.ts';
import { optional } from '../../fields/text.ts';
import { list, route } from '../../route.ts';
import { blockResult, change, changeJson, evidence, evidenceJson } from './json.ts';
import { type CaseResource, oneThread, type ThreadResource } from './kinds.ts';

/** The filter by time of creation that all lists of threads have. */
export const createdBetween = z.object({ created_before: dateParameter, created_after: dateParameter });

export const createdBetweenTimestamps = ({ created_before, created_after }: z.output<typeof createdBetween>) => ({
  createdBefore: toTimestamp(created_before),
  createdAfter: toTimestamp(created_after),
});

/** Blocking, unblocking and evidence, the same for chats, tickets and emails. */
export function threadRoutes(resource: ThreadResource) {
  const { targetType, words, scopes } = resource;
  const { path, params, idOf, ref } = oneThread(resource);
  const blocking = { path: `${path}/block`, scope: scopes.block, params, response: blockResult };
  const result = (target: string, status: 'ACTIVE' | 'LIFTED') => ({
    items: [{ target, targetType, status }],
    failed: [],
  });
  return {
    block: route({
      ...blocking,
      method: 'PUT',
      summary: `Block the end user behind ${words.one}`,
      description: 'Blocking again succeeds.',
      call: async ({ params }, context) => {
        await context.conversations.blockThread({ thread: await ref(params, context) });
        return idOf(params);
      },
      toJson: (id) => result(id, 'ACTIVE'),
    }),
    unblock: route({
      ...blocking,
      method: 'DELETE',
      extension: true,
      summary: `Lift the block of the end user behind ${words.one}`,
      description: 'Succeeds if there is none.',
      call: async ({ params }, context) => {
        await context.conversations.unblockThread({ thread: await ref(params, context) });
        return idOf(params);
      },
      toJson: (id) => result(id, 'LIFTED'),
    }),
    listEvidence: list({
      path: `${path}/evidence`,
      extension: true,
      summary: `List what each AI reply in ${words.one} rested on, newest first`,
      scope: 'any key',
      restricted: scopes.read,
      params,
      item: evidence,
      toJson: evidenceJson,
      call: async ({ params, page }, context) =>
        context.conversations.listEvidence({ thread: await ref(params, context), ...page }),
    }),
  };
}

const update = z
  .strictObject({ status: optional(STATUS.schema), priority: optional(PRIORITY.schema) })
  .refine(({ status, priority }) => status !== undefined || priority !== undefined, {
    path: ['status'],
    error: 'or priority is required',
  })
  .meta({ id: 'StatusUpdate', minProperties: 1, examples: [{ status: 'resolved', priority: 'low' }] });

interface CaseJson<L extends z.ZodType, S extends z.ZodType> {
  listed: L;
  listedJson(thread: Thread): z.input<L>;
  single: S;
  singleJson(thread: GetThreadResponse): z.input<S>;
}

/** Listing, reading and updating, the same for tickets and emails. */
export function caseRoutes<L extends z.ZodType, S extends z.ZodType>(resource: CaseResource, json: CaseJson<L, S>) {
  const { kind, assistant, listPath, words, scopes } = resource;
  const { path, params, ref } = oneThread(resource);
  return {
    list: list({
      path: listPath,
      summary: `List ${words.many}, newest first`,
      scope: 'any key',
      restricted: scopes.read,
      params: assistant.params,
      filter: createdBetween.extend({ status: statusesParameter }),
      item: json.listed,
      toJson: json.listedJson,
      call: async ({ params, filter, page }, context) =>
        context.conversations.listThreads({
          kind,
          assistantId: await assistant.internalId(params.id, context),
          statuses: filter.status?.map(STATUS.valueOf),
          ...createdBetweenTimestamps(filter),
          ...page,
        }),
    }),
    read: route({
      method: 'GET',
      path,
      summary: `Read ${words.one} and its conversation`,
      scope: 'any key',
      restricted: scopes.read,
      params,
      query: z.object({
        quoted: z.enum(['true', 'false']).optional().meta({
          description: 'Whether to show what messages that came by mail repeat of earlier ones. False by default.',
          'x-parley-extension': true,
        }),
      }),
      response: json.single,
      call: async ({ params, query }, context) =>
        context.conversations.getThread({ thread: await ref(params, context), quoted: query.quoted === 'true' }),
      toJson: json.singleJson,
    }),
    update: route({
      method: 'PUT',
      path,
      summary: `Change the status or the priority of ${words.one}`,
      description: 'Any other field is refused. A status that is set here stops the AI from replying.',
      scope: scopes.write,
      params,
      body: update,
      call: async ({ params, body: { status, priority } }, context) =>
        context.conversations.updateThread({
          thread: await ref(params, context),
          ...(status && { status: STATUS.valueOf(status) }),
          ...(priority && { priority: PRIORITY.valueOf(priority) }),
        }),
    }),
    listChanges: list({
      path: `${path}/history`,
      extension: true,
      summary: `List the changes of status and priority of ${words.one}, newest first`,
      scope: 'any key',
      restricted: scopes.read,
      params,
      item: change,
      toJson: changeJson,
      call: async ({ params, page }, context) =>
        context.conversations.listChanges({ thread: await ref(params, context), ...page }),
    }),
  };
}
