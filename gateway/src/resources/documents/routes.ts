import { notFound } from '@parley/runtime';
import { z } from 'zod';
import { uuid } from '../../fields/ids.ts';
import { optional, text } from '../../fields/text.ts';
import { download, uploadRoute } from '../../file-routes.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { type RouteContext, route } from '../../route.ts';
import { READS_KNOWLEDGE, WRITES_KNOWLEDGE } from '../../scopes.ts';
import { createdDocument, documentUrl, FILE_TYPES, type FileType, finalizedDocument } from '../knowledge/json.ts';

const params = z.object({ id: uuid });

export const createDocument = route({
  method: 'POST',
  path: '/knowledge/document',
  summary: 'Create a knowledge item of a document, whose file is uploaded next',
  scope: 'any key',
  restricted: WRITES_KNOWLEDGE,
  description:
    'PUT the file to `upload_url` within 15 minutes, then finalize. A document that is not finalized within 24 hours is deleted.',
  body: z
    .object({ file_type: z.enum(Object.keys(FILE_TYPES) as FileType[]), file_name: optional(text(200)) })
    .meta({ examples: [{ file_type: 'application/pdf', file_name: 'handbook.pdf' }] }),
  response: createdDocument,
  call: ({ body }, { knowledge }) => knowledge.createDocument({ fileType: body.file_type, fileName: body.file_name }),
  toJson: ({ item }, context) => withUploadUrl(item!, context),
  renew: withUploadUrl,
});

function withUploadUrl({ id }: { id: string }, { baseUrl, signUpload }: Pick<RouteContext, 'baseUrl' | 'signUpload'>) {
  return { id, upload_url: `${baseUrl}/knowledge/${id}/upload?${signUpload(id)}` };
}

/** Each upload has its own object, so one that fails or loses a race leaves the file as it was. */
export const uploadDocument = uploadRoute({
  path: '/knowledge/:id/upload',
  summary: 'Upload the file of a document',
  description:
    'The `upload_url` of a new document leads here. It needs no API key, and any or no Content-Type. May be repeated until the document is finalized; the last complete upload counts.',
  errors: {
    403: 'The address is not one that Parley gave, or it has expired.',
    409: 'The document is finalized, so its file can no longer change.',
    413: 'The file has more than 52,428,800 bytes.',
    429: 'The account has too many uploads in progress.',
  },
  params,
  async call({ params: { id } }, { services, file }) {
    const { objectKey, maxBytes } = await services().knowledge.beginUpload({ id });
    const { size, sha256 } = await file.store(objectKey, maxBytes);
    // If this is refused, the service deletes the object later: an earlier attempt may have succeeded.
    await services('complete').knowledge.completeUpload({ id, objectKey, bytes: size, sha256 });
  },
});

const finalize = {
  path: '/knowledge/:id/finalize',
  summary: 'Finish a document after its upload',
  scope: 'any key' as const,
  restricted: WRITES_KNOWLEDGE,
  description: 'Checks that the file is what its type says. Idempotent.',
  errors: { 409: 'The document is being uploaded again, or the Idempotency-Key of a POST is taken.' },
  params,
  response: finalizedDocument,
  call: (input: { params: { id: string } }, { knowledge }: RouteContext) => knowledge.finalizeDocument(input.params),
  toJson: ({ item }: { item?: { id: string } }, context: RouteContext) => {
    const id = item!.id;
    return { id, type: 'document' as const, document_url: documentUrl(id, context) };
  },
};

export const finalizeDocument = route({ method: 'POST', ...finalize });
export const finalizeDocumentByGet = route({ method: 'GET', ...finalize });

export const getDocumentFile = download({
  path: '/knowledge/:id/file',
  summary: 'Download the file of a finalized document',
  scope: 'any key',
  restricted: READS_KNOWLEDGE,
  mediaTypes: Object.keys(FILE_TYPES),
  extension: true,
  params,
  async call({ params }, { knowledge, objects }) {
    const { objectKey, fileType, fileName } = await knowledge.getDocumentFile(params);
    const found = await objects.get(objectKey);
    if (!found) throw notFound('The file of this document is gone.');
    return {
      type: fileType,
      content: found.body,
      length: found.size,
      headers: {
        // Without a charset, which nobody knows.
        'Content-Type': fileType,
        'Content-Disposition': contentDisposition(fileName ?? `document.${FILE_TYPES[fileType as FileType] ?? 'bin'}`),
        'Content-Security-Policy': "default-src 'none'; sandbox",
      },
    };
  },
});
