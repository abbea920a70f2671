import { type KnowledgeItemDoc, MAX_TRANSCRIPT_BYTES } from '@parley/corpus';
import { readObject } from '@parley/runtime/objects';
import { ReadingFailed } from '@parley/runtime/sandbox';
import { LoadError } from '../crawl/http/load-error.ts';
import { type Run, type Step, total } from './source.ts';
import { VideoError } from './youtube/video-error.ts';
import type { FoundVideo } from './youtube/youtube.ts';
import { YOUTUBE } from './youtube/youtube-fetch.ts';

/** The id of the one text that a video has. */
const TRANSCRIPT = 'transcript';

/** The kinds of transcripts, as the list of sources names them, followed by the language. */
const UPLOADED = 'uploaded transcript';
const CAPTIONS = 'captions';
const AUTOMATIC = 'automatic captions';

/** Captions that are read: a video of twelve hours with automatic ones has 40,000. */
const MAX_CUES = 100_000;

const GONE = 'The transcript that was uploaded for this video is gone. Upload it again.';
const TOO_COMPLEX = 'The transcript of this video is too complex to be read.';
const CUT = `Only the first ${MAX_CUES.toLocaleString('en')} captions of this video are searched, the most that are read.`;

interface Found extends Omit<FoundVideo, 'language' | 'isAutomatic'> {
  readonly language: string | undefined;
  readonly kind: typeof UPLOADED | typeof CAPTIONS | typeof AUTOMATIC;
}

/**
 * The transcript of a video as one step: the one that its owner uploaded, else YouTube's captions.
 *
 * @throws LoadError if there is none.
 */
export async function* loadVideo(item: KnowledgeItemDoc<'video'>, run: Run): AsyncGenerator<Step> {
  const { dependencies, job } = run;
  try {
    yield await load(item, run);
  } catch (error) {
    const name = item.video.transcript ? UPLOADED : CAPTIONS;
    if (error instanceof LoadError)
      await dependencies.corpus.subPages.record(job, 0, { name, failed_with: error.message });
    throw error;
  }
}

async function load(item: KnowledgeItemDoc<'video'>, run: Run): Promise<Step> {
  const { dependencies, job, quota } = run;
  const video = item.video.transcript ? await uploaded(item, run) : await found(item, run);
  const url = `${YOUTUBE}/watch?v=${item.video.video_id}`;
  const { pieces, isCut, ...read } = await passagesOf(video, url, run);
  const language = video.language ?? read.language ?? item.video.language ?? undefined;
  if (isCut) quota.note(CUT);
  const places = pieces.map((piece) => [...piece.headings, piece.url].join('\n'));
  const text = [...pieces.map((piece) => piece.text), ...places].join('\n');
  const name = [video.kind, language].filter(Boolean).join(', ');
  const title = item.video.title ?? (video.title || `YouTube video ${item.video.video_id}`);
  const about = { name, title, bytes: Buffer.byteLength(video.transcript) };
  return {
    sources: [{ id: TRANSCRIPT, title, url, text, pieces, language }],
    found: 1,
    done: (written) => {
      const { leftOut, chunks } = total(written);
      const note = leftOut?.reason ?? (isCut ? CUT : undefined);
      const outcome = leftOut?.all ? { ...about, failed_with: leftOut.reason } : { ...about, chunks, note };
      return dependencies.corpus.subPages.record(job, 0, outcome);
    },
  };
}

async function passagesOf({ transcript, description, kind }: Found, url: string, { dependencies, signal }: Run) {
  const input = { transcript, description, url, limit: MAX_CUES };
  const read = await dependencies.readers
    .reader()
    .read('passages', input, signal)
    .catch((error: unknown) => {
      throw error instanceof ReadingFailed ? new LoadError(TOO_COMPLEX, { cause: error }) : error;
    });
  if (!('refused' in read)) return read;
  if (kind !== UPLOADED) throw new VideoError('unreadable', `captions, ${read.refused}`);
  throw new LoadError(`The transcript of this video can't be read: ${read.refused}.`);
}

/** YouTube is not asked. */
async function uploaded({ video }: KnowledgeItemDoc<'video'>, { dependencies, signal }: Run): Promise<Found> {
  const file = await readObject(dependencies.objects, video.transcript!.key, MAX_TRANSCRIPT_BYTES, signal);
  if (!file) throw new LoadError(GONE);
  const transcript = file.toString();
  return { kind: UPLOADED, title: '', description: '', transcript, language: undefined };
}

async function found({ video }: KnowledgeItemDoc<'video'>, { dependencies, signal }: Run): Promise<Found> {
  const { isAutomatic, ...from } = await dependencies.youtube.find(video.video_id, video.language ?? null, signal);
  return { ...from, kind: isAutomatic ? AUTOMATIC : CAPTIONS };
}
