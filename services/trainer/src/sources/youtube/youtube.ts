import { type AllowList, createOutboundClient } from '@parley/runtime/outbound';
import { checkPlayable } from './playability.ts';
import { chooseTrack, type Track } from './tracks.ts';
import { VideoError, type VideoFailure } from './video-error.ts';
import { type Fetch, YOUTUBE, youTubeFetch } from './youtube-fetch.ts';

/** A video as YouTube gives it. */
export interface FoundVideo {
  readonly title: string;
  readonly description: string;
  /** A VTT file. */
  readonly transcript: string;
  /** BCP 47 tag of the transcript. */
  readonly language: string;
  /** The transcript was made by speech recognition. */
  readonly isAutomatic: boolean;
}

export interface YouTube {
  /**
   * Captions in the given language, or the best that there are.
   *
   * @throws VideoError, or the signal's reason once that aborts.
   */
  find(videoId: string, language: string | null, signal: AbortSignal): Promise<FoundVideo>;
  close(): Promise<void>;
}

export interface YouTubeConfig {
  /** Where YouTube is reached, if not at its own address. */
  readonly origin?: string | undefined;
  /** The operator's HTTP proxy, with user name and password if it asks for them. */
  readonly proxy?: string | undefined;
  /** Private addresses that may be reached nevertheless. */
  readonly allow: AllowList;
}

/**
 * The apps that YouTube takes us for, in turn. The addresses of captions that it gives to its web page lead to nothing without
 * a proof that only a browser can make.
 */
const APPS = ['ANDROID', 'IOS'] as const;
/** Failures of one app that another one may not have. */
const OF_APPS: ReadonlySet<VideoFailure> = new Set(['refused', 'unreadable', 'unplayable']);
const TITLE = 300;
const LANGUAGE = 35;

/** The client of YouTube: one request for the video, and one for its captions. */
export function createYouTube({ origin = YOUTUBE, proxy, allow }: YouTubeConfig): YouTube {
  const client = createOutboundClient({ allow, proxy, userAgent: 'Mozilla/5.0' });
  return {
    async find(videoId, language, signal) {
      const fetch = youTubeFetch({ client, origin, hasProxy: proxy !== undefined, signal });
      let failed: VideoError | undefined;
      for (const app of APPS)
        try {
          return await findAs(app, videoId, language, fetch);
        } catch (error) {
          signal.throwIfAborted();
          failed = videoErrorOf(error);
          if (!OF_APPS.has(failed.failure)) break;
        }
      throw failed!;
    },
    close: () => client.close(),
  };
}

async function findAs(
  app: (typeof APPS)[number],
  videoId: string,
  language: string | null,
  fetch: Fetch,
): Promise<FoundVideo> {
  const { title, description, tracks, first } = await readVideo(app, videoId, fetch);
  const track = chooseTrack(tracks, language, first);
  const url = new URL(track.url, YOUTUBE);
  url.searchParams.set('fmt', 'vtt');
  const response = await fetch(url);
  const transcript = response.ok ? await response.text() : '';
  if (response.status === 404) throw new VideoError('no_transcript');
  // What YouTube sends to those from whom it wants a proof.
  if (transcript === '') throw new VideoError('refused');
  return {
    title: title.slice(0, TITLE).toWellFormed(),
    description,
    transcript,
    language: track.language,
    isAutomatic: track.isAutomatic,
  };
}

async function readVideo(app: (typeof APPS)[number], videoId: string, fetch: Fetch) {
  const { Innertube } = await library();
  // The session is made here: nothing is requested for it, and no program of YouTube's is fetched.
  const local = { generate_session_locally: true, retrieve_player: false, retrieve_innertube_config: false } as const;
  const innertube = await Innertube.create({ ...local, lang: 'en', enable_session_cache: false, fetch });
  const info = await innertube.getBasicInfo(videoId, { client: app }).catch((error: unknown) => {
    // Thrown by the library for the status ERROR, with the rest of what YouTube says.
    const said = (error as { info?: Said }).info;
    if (said?.status !== 'ERROR') throw error;
    return checkPlayable({ status: said.status, reason: reasonOf(said), isLive: false, isUpcoming: false });
  });
  const { basic_info: video, playability_status, captions } = info!;
  const { status = '' } = playability_status ?? {};
  checkPlayable({
    status,
    reason: reasonOf(playability_status),
    isLive: video.is_live === true,
    isUpcoming: video.is_upcoming === true,
  });
  const tracks = (captions?.caption_tracks ?? []).map(
    ({ base_url: url, language_code, kind }): Track => ({
      url,
      language: language_code.slice(0, LANGUAGE),
      isAutomatic: kind === 'asr',
    }),
  );
  const audio = captions?.audio_tracks?.[captions.default_audio_track_index ?? 0];
  const { title = '', short_description: description = '' } = video;
  return { title, description, tracks, first: audio?.default_caption_track_index };
}

/** Whatever else the library throws, it can't read the answer. */
const videoErrorOf = (error: unknown): VideoError =>
  error instanceof VideoError
    ? error
    : new VideoError('unreadable', 'it has another form than known', { cause: error });

/** YouTube's answer about playing a video, as the library gives it. */
interface Said {
  readonly status?: string;
  readonly reason?: string;
  readonly error_screen?: object | null;
}

/** In the line below its short reason, YouTube's player says more: "Video unavailable", for example, has many causes. */
function reasonOf({ reason = '', error_screen }: Said = {}): string {
  const { subreason } = (error_screen ?? {}) as { subreason?: { text?: string } };
  return [reason, subreason?.text].filter(Boolean).join('. ');
}

/** Loaded on first use: it takes 20 MB. The bundle, because it is one module instead of a thousand. */
async function library() {
  const { Innertube, Log, Platform } = await import('youtubei.js/web.bundle');
  Log.setLevel(Log.Level.NONE);
  const refuse = () => {
    throw new Error('No program of YouTube is run, and nothing is fetched but by the outbound client.');
  };
  Platform.load({ ...Platform.shim, server: true, eval: refuse, fetch: refuse });
  return { Innertube };
}
