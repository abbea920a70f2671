import { createHash } from 'node:crypto';
import type { Upload } from '@parley/corpus';
import type { UpdateKnowledgeItemRequest } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type Call, randomId } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { itemTitle } from '../domain/title.ts';
import { captionLanguage, transcriptFile } from '../domain/transcript.ts';

/** Absent: unchanged; null: cleared. */
export interface VideoChanges {
  readonly title?: string | null;
  readonly language?: string | null;
  /** The file's text. */
  readonly transcript?: string | null;
}

type UpdateDependencies = Pick<Dependencies, 'corpus' | 'objects' | 'transcripts'>;

/**
 * Those that are present. A transcript is not read here: `updateVideo` does that once it is known that there is such a video.
 *
 * @throws AppError `invalid_argument`
 */
export function videoChanges({
  titleChange: title,
  languageChange: language,
  transcriptChange: transcript,
}: Pick<UpdateKnowledgeItemRequest, 'titleChange' | 'languageChange' | 'transcriptChange'>): VideoChanges {
  return {
    ...(title.case === 'title' && { title: itemTitle(title.value) }),
    ...(title.case === 'clearTitle' && { title: null }),
    ...(language.case === 'language' && { language: captionLanguage('language', language.value) }),
    ...(language.case === 'clearLanguage' && { language: null }),
    ...(transcript.case === 'transcript' && { transcript: transcript.value }),
    ...(transcript.case === 'clearTranscript' && { transcript: null }),
  };
}

/**
 * Changes the settings of a video that the account has. A transcript is recorded and stored before the item names it.
 * Whatever fails, the sweeper deletes what the item does not name: a change whose answer was lost may have been made.
 *
 * @throws AppError `invalid_argument` for a transcript that can't be read
 */
export async function updateVideo(
  dependencies: UpdateDependencies,
  call: Call,
  id: string,
  changes: VideoChanges,
): Promise<void> {
  const { transcript: text, ...settings } = changes;
  const isGiven = typeof text === 'string';
  const transcript = isGiven ? await stored(dependencies, call, id, text) : text;
  await dependencies.corpus.videos.update(call.account, id, {
    ...settings,
    ...(transcript !== undefined && { transcript }),
  });
}

async function stored(
  { corpus, objects, transcripts }: UpdateDependencies,
  call: Call,
  id: string,
  text: string,
): Promise<Upload> {
  const file = transcriptFile('transcript', text);
  await transcripts.check(call.account, 'transcript', text, call.signal);
  const key = await corpus.videos.begin(call.account, id, randomId());
  await objects.put(key, file);
  return { key, bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') };
}
