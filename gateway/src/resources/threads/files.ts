import { notFound } from '@parley/runtime';
import { z } from 'zod';
import { uuid } from '../../fields/ids.ts';
import { download } from '../../file-routes.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import type { File, RouteContext } from '../../route.ts';
import { type CaseResource, oneThread } from './kinds.ts';

/** Strangers wrote it: it is saved, never shown, and runs nothing. */
async function saved({ objects }: RouteContext, key: string, type: string, name: string): Promise<File> {
  const found = await objects.get(key);
  if (!found) throw notFound('This file is gone.');
  return {
    type,
    content: found.body,
    length: found.size,
    headers: {
      'Content-Type': type,
      'Content-Disposition': contentDisposition(name),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  };
}

/** The files of tickets and emails. */
export function fileRoutes(resource: CaseResource) {
  const { words, scopes } = resource;
  const { path, params, ref } = oneThread(resource);
  const about = { scope: 'any key', restricted: scopes.read, extension: true } as const;
  return {
    getRaw: download({
      ...about,
      path: `${path}/raw`,
      summary: `Download a message of ${words.one} as it was received by mail`,
      mediaTypes: ['message/rfc822'],
      params,
      query: z.object({
        message_id: uuid
          .optional()
          .meta({ description: 'The id of the message; that of the first one that came by mail if absent.' }),
      }),
      async call({ params, query }, context) {
        const file = { case: 'rawMessageId', value: query.message_id ?? '' } as const;
        const { key } = await context.conversations.findMailFile({ thread: await ref(params, context), file });
        return saved(context, key, 'message/rfc822', 'message.eml');
      },
    }),
    getAttachment: download({
      ...about,
      path: `${path}/attachments/:attachment_id`,
      summary: `Download an attachment of ${words.one}`,
      mediaTypes: ['application/octet-stream'],
      params: params.extend({ attachment_id: uuid }),
      async call({ params }, context) {
        const file = { case: 'attachmentId', value: params.attachment_id } as const;
        const thread = await ref(params, context);
        const { key, attachment } = await context.conversations.findMailFile({ thread, file });
        return saved(context, key, 'application/octet-stream', attachment?.name || 'attachment');
      },
    }),
  };
}
