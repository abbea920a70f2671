import { MAX_DOCUMENT_BYTES, newDocument } from '@parley/corpus';
import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { aborted, createShares, failedPrecondition, isAppError, notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import { boundedText } from '@parley/runtime/text';
import type { Dependencies } from '../dependencies.ts';
import { checkFile, fileType } from '../domain/file-type.ts';
import { requireType } from '../domain/type.ts';
import { itemMessage } from './messages.ts';

const MAX_NAME = 200;
const TRIES = 5;
/** Files that are read at a time: each holds a connection to the object store. */
const CHECKS_AT_ONCE = 16;

const NO_FILE = 'No file has been uploaded yet. PUT it to the upload_url of this document, then finalize.';

type DocumentDependencies = Pick<Dependencies, 'corpus' | 'objects'>;

export const createDocument =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.createDocument> =>
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
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.beginUpload> =>
  async ({ id }, call) => {
    requireType(await corpus.items.get(call.account, id), 'document');
    return { objectKey: await corpus.documents.begin(call.account, id, call.operation), maxBytes: MAX_DOCUMENT_BYTES };
  };

/** The sweeper deletes the object that this one replaces. Idempotent. */
export const completeUpload =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.completeUpload> =>
  async ({ id, objectKey: key, bytes, sha256 }, call) => {
    requireType(await corpus.items.get(call.account, id), 'document');
    await corpus.documents.complete(call.account, id, { key, bytes, sha256 });
    return {};
  };

export function finalizeDocument({
  corpus,
  objects,
}: DocumentDependencies): Rpc<typeof KnowledgeService.method.finalizeDocument> {
  const checks = createShares(CHECKS_AT_ONCE);
  return async ({ id }, call) => {
    for (let tried = 0; tried < TRIES; tried++) {
      const item = await corpus.items.get(call.account, id);
      requireType(item, 'document');
      const { upload, file_type, finalized_at, refused } = item.document;
      if (finalized_at) return { item: itemMessage(item) };
      if (!upload) throw failedPrecondition(NO_FILE);
      // Reading a large file again, only to refuse it again, is work that anybody could ask for without end.
      if (refused?.key === upload.key) throw failedPrecondition(refused.reason);
      using _ = checks.begin(call.account);
      const found = await objects.get(upload.key, call.signal);
      // Absent if another upload has just replaced it.
      if (!found) continue;
      try {
        await checkFile(fileType('file_type', file_type), found.body);
      } catch (error) {
        if (isAppError(error, 'failed_precondition'))
          await corpus.documents.refuse(call.account, id, upload.key, error.message);
        throw error;
      } finally {
        found.body.destroy();
      }
      await corpus.documents.finalize(call.account, id, upload.key);
    }
    throw aborted('This document is being uploaded again. Finalize it when that is done.');
  };
}

export const getDocumentFile =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.getDocumentFile> =>
  async ({ id }, call) => {
    const item = await corpus.items.get(call.account, id);
    requireType(item, 'document');
    const { upload, finalized_at, file_type: type, file_name } = item.document;
    if (!upload || !finalized_at) throw notFound('This document has no file until it is finalized.');
    return { objectKey: upload.key, fileType: type, ...(file_name !== null && { fileName: file_name }) };
  };
