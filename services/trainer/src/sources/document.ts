import type { DocumentDetails, KnowledgeItemDoc, SourceOutcome } from '@parley/corpus';
import type { DocumentPart } from '@parley/reading/documents';
import { ReadingFailed } from '@parley/runtime/sandbox';
import { LoadError } from '../crawl/http/load-error.ts';
import { seconds } from '../crawl/http/sentences.ts';
import { NO_TEXT, type Run, type Step, total } from './source.ts';

const GONE = 'The file of this document is gone. Create another document and upload it again.';

/**
 * The parts of a document, one per step: pages of a PDF, sections of a Word document, rows of a CSV file, lines of a text.
 *
 * @throws LoadError if the document can't be read.
 */
export async function* loadDocument(item: KnowledgeItemDoc<'document'>, run: Run): AsyncGenerator<Step> {
  const { dependencies, job, quota } = run;
  const reached = { place: '' };
  let seen = 0;
  let read = 0;
  let firstFailure: DocumentPart | undefined;
  try {
    for await (const part of partsOf(item, run)) {
      if (quota.isFull) return quota.stopped();
      reached.place = part.place;
      if (part.failure === undefined) read++;
      else firstFailure ??= part;
      const position = seen++;
      yield stepOf(part, item.document, (outcome) => dependencies.corpus.subPages.record(job, position, outcome));
    }
  } catch (error) {
    if (!(error instanceof ReadingFailed)) throw error;
    throw new LoadError(sentenceOf(error, reached.place), { cause: error });
  }
  if (read === 0 && firstFailure)
    throw new LoadError(`No part of this document could be read. ${firstFailure.place}: ${firstFailure.failure}`);
}

async function* partsOf({ document }: KnowledgeItemDoc<'document'>, run: Run): AsyncGenerator<DocumentPart> {
  const { dependencies, documentLimits: limits, quota, signal } = run;
  const { upload, file_type: type } = document;
  const file = upload && (await dependencies.objects.get(upload.key, signal));
  if (!file) throw new LoadError(GONE);
  for await (const batch of dependencies.readers.document(
    { body: file.body, bytes: file.size, type, limits },
    signal,
  )) {
    yield* batch.parts;
    if (batch.refused !== undefined) throw new LoadError(batch.refused);
    for (const note of batch.notes ?? []) quota.note(note);
  }
}

function stepOf(
  part: DocumentPart,
  document: DocumentDetails,
  record: (outcome: SourceOutcome) => Promise<void>,
): Step {
  const { place: name, texts, found, bytes, failure, note: why = NO_TEXT } = part;
  const titled = (place: string) => [document.file_name ?? 'Document', place].filter(Boolean).join(', ');
  const sources = texts.map(({ id, place, text }) => ({ id, title: titled(place), url: '', text }));
  const about = { name, title: titled(name), bytes };
  return {
    sources,
    found,
    done: (written) => {
      const { leftOut, chunks } = total(written);
      const reason = failure ?? (leftOut?.all ? leftOut.reason : undefined);
      const note = sources.length === 0 ? why : leftOut?.reason;
      return record(reason === undefined ? { ...about, chunks, note } : { ...about, failed_with: reason });
    },
  };
}

function sentenceOf({ reason, timeoutMs }: ReadingFailed, after: string): string {
  const where = after ? `after ${after}` : 'at its beginning';
  switch (reason) {
    case 'time':
      return `Reading this document stopped ${where}: what comes next takes longer than ${seconds(timeoutMs)} (DOCUMENT_PAGE_SECONDS). It may be damaged. Save it again, or split it.`;
    case 'memory':
      return `Reading this document stopped ${where}: what comes next takes more memory than a document may (DOCUMENT_MEMORY_MIB). It may be damaged. Save it again, or split it.`;
    default:
      return `Reading this document stopped ${where}, because what comes next is damaged. Save it again and upload that file as a new document.`;
  }
}
