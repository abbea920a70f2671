import { createHash } from 'node:crypto';
import { transcriptKey, type Upload } from '@parley/corpus';
import type { UpdateKnowledgeItemRequest } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { type Call, randomId } from '@parley/runtime/rpc';
import { itemTitle } from '../domain/title.ts';
import { captionLanguage, checkedTranscript } from '../domain/transcript.ts';
import type { Parts } from '../parts.ts';

/** Absent: unchanged; null: cleared. */
export interface VideoChanges {
  readonly title?: string | null;
  readonly language?: string | null;
  /** The file's text. */
  readonly transcript?: string | null;
}

type UpdateParts = Pick<Parts, 'corpus' | 'objects'>;

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
 * Changes the settings of a video that the account has. A transcript is stored before the item names it, and the one that it
 * replaces is deleted afterwards; what a crash in between leaves behind is deleted with the item.
 *
 * @throws AppError `invalid_argument` for a transcript that can't be read
 */
export async function updateVideo(parts: UpdateParts, call: Call, id: string, changes: VideoChanges): Promise<void> {
  const { corpus, objects } = parts;
  const { transcript: text, ...settings } = changes;
  const transcript = typeof text === 'string' && (await stored(parts, call, id, checkedTranscript('transcript', text)));
  try {
    const upload = transcript || null;
    const all = { ...settings, ...(text !== undefined && { transcript: upload }) };
    const { video: before } = await corpus.videos.update(call.account, id, all);
    if (text !== undefined && before.transcript) await discard(parts, call, before.transcript.key);
  } catch (error) {
    if (transcript) await objects.delete(transcript.key); // the item is gone
    throw error;
  }
}

async function stored({ objects }: UpdateParts, { account }: Call, id: string, text: string): Promise<Upload> {
  const file = Buffer.from(text);
  const key = transcriptKey(account, id, randomId());
  await objects.put(key, file);
  return { key, bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') };
}

async function discard({ objects }: UpdateParts, call: Call, key: string): Promise<void> {
  try {
    await objects.delete(key);
  } catch (error) {
    call.log.warn({ err: error }, 'a replaced transcript stays until its video is deleted');
  }
}
