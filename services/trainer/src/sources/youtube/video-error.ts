import { LoadError } from '../../crawl/http/load-error.ts';

/** Why YouTube gives no transcript of a video. */
export type VideoFailure =
  | 'no_transcript'
  | 'no_language'
  | 'private'
  | 'age'
  | 'country'
  | 'paid'
  | 'removed'
  | 'live'
  | 'upcoming'
  | 'unplayable'
  /** YouTube takes the server for a robot. */
  | 'refused'
  /** Too many requests. */
  | 'busy'
  | 'network'
  /** The answer is not of a known form. */
  | 'unreadable';

/** These may pass by themselves, in minutes. */
const PASSING: ReadonlySet<VideoFailure> = new Set(['refused', 'busy', 'network']);

const OR_UPLOAD = 'or upload a transcript: PATCH this item with "transcript", the text of an SRT or VTT file.';
const UPLOAD = `Choose another video, ${OR_UPLOAD}`;

const SENTENCES: Record<VideoFailure, (detail: string) => string> = {
  no_transcript: () => `This video has no captions on YouTube. ${UPLOAD}`,
  no_language: (tags) => `This video has no captions in the language of this item; it has ${tags}. Choose one of them.`,
  private: () => `This video is private. Make it public or unlisted, ${OR_UPLOAD}`,
  age: () => `YouTube shows this video only to people who prove their age. ${UPLOAD}`,
  country: () =>
    `YouTube does not show this video in the country of this server. Set YOUTUBE_PROXY_URL to a proxy elsewhere, ${OR_UPLOAD}`,
  paid: () => `YouTube shows this video only to members or buyers. ${UPLOAD}`,
  removed: (reason) => `There is no such video on YouTube any more, or its link is wrong${said(reason)}.`,
  live: () => 'This video is being streamed live. Train it again once the stream is over.',
  upcoming: () => 'This video has not begun yet. Train it again once it is over.',
  unplayable: (reason) => `YouTube does not show this video${said(reason)}. ${UPLOAD}`,
  refused: () =>
    `YouTube blocked this server as a bot, as it does with many addresses of data centres. Train the video again later, set YOUTUBE_PROXY_URL, ${OR_UPLOAD}`,
  busy: () =>
    `YouTube got too many requests from the address of this server. Train the video again later, set YOUTUBE_PROXY_URL, ${OR_UPLOAD}`,
  network: (reason) => `YouTube could not be read. ${reason} Train the video again later.`,
  unreadable: (reason) => `YouTube's answer could not be read (${reason}). Train the video again later, ${OR_UPLOAD}`,
};

/** The message is a sentence that the owner of the item can act on. */
export class VideoError extends LoadError {
  override readonly name = 'VideoError';
  readonly failure: VideoFailure;

  /** @param detail what YouTube said, or what failed, for the kinds whose sentence tells. */
  constructor(failure: VideoFailure, detail = '', options?: ErrorOptions) {
    super(SENTENCES[failure](detail), options);
    this.failure = failure;
  }

  /** The same request may succeed in minutes. */
  get isPassing(): boolean {
    return PASSING.has(this.failure);
  }
}

/** Code points of what YouTube says that are shown. */
const LONGEST = 200;

function said(reason: string): string {
  const text = [...reason.slice(0, 2 * LONGEST).replace(/\s+/g, ' ')].slice(0, LONGEST).join('').trim();
  return text && ` (YouTube says: "${text.replace(/[.!]$/, '')}")`;
}
