import { newDocument } from '@parley/corpus';
import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { aborted, failedPrecondition, notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import { boundedText } from '@parley/runtime/text';
import { checkFile, fileType } from '../domain/file-type.ts';
import { requireType } from '../domain/type.ts';
import type { Parts } from '../parts.ts';
import { itemMessage } from './messages.ts';

const MAX_NAME = 200;
const MAX_BYTES = 50 * 1024 * 1024;
const TRIES = 5;

const NO_FILE = 'No file has been uploaded yet. PUT it to the upload_url of this document, then finalize.';

type DocumentParts = Pick<Parts, 'corpus' | 'objects'>;

export const createDocument =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.createDocument> =>
  async ({ fileType: type, fileName }, call) => {
    const document = newDocument({
      file_type: fileType('file_type', type),
      file_name: fileName === undefined ? null : boundedText('file_name', fileName, MAX_NAME),
    });
    const item = await corpus.items.create(call.account, call.operation, { type: 'document', document });
    return { item: itemMessage(item) };
  };

/** Idempotent by operation. */
export const beginUpload =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.beginUpload> =>
  async ({ id }, call) => {
    requireType(await corpus.items.get(call.account, id), 'document');
    return { objectKey: await corpus.documents.begin(call.account, id, call.operation), maxBytes: MAX_BYTES };
  };

/** The sweeper deletes the object that this one replaces. Idempotent. */
export const completeUpload =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.completeUpload> =>
  async ({ id, objectKey: key, bytes, sha256 }, call) => {
    requireType(await corpus.items.get(call.account, id), 'document');
    await corpus.documents.complete(call.account, id, { key, bytes, sha256 });
    return {};
  };

export const finalizeDocument =
  (parts: DocumentParts): Rpc<typeof KnowledgeService.method.finalizeDocument> =>
  async ({ id }, call) => {
    const { corpus } = parts;
    for (let tried = 0; tried < TRIES; tried++) {
      const item = await corpus.items.get(call.account, id);
      requireType(item, 'document');
      const { upload, file_type, finalized_at } = item.document;
      if (finalized_at) return { item: itemMessage(item) };
      if (!upload) throw failedPrecondition(NO_FILE);
      const found = await parts.objects.get(upload.key, call.signal);
      // Absent if another upload has just replaced it.
      if (!found) continue;
      try {
        await checkFile(fileType('file_type', file_type), found.body);
      } finally {
        found.body.destroy();
      }
      await corpus.documents.finalize(call.account, id, upload.key);
    }
    throw aborted('This document is being uploaded again. Finalize it when that is done.');
  };

export const getDocumentFile =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.getDocumentFile> =>
  async ({ id }, call) => {
    const item = await corpus.items.get(call.account, id);
    requireType(item, 'document');
    const { upload, finalized_at, file_type: type, file_name } = item.document;
    if (!upload || !finalized_at) throw notFound('This document has no file until it is finalized.');
    return { objectKey: upload.key, fileType: type, ...(file_name !== null && { fileName: file_name }) };
  };
