import { VideoError, type VideoFailure } from './video-error.ts';

/** YouTube's answer about playing a video; its words are English, because the client asks for them. */
export interface Playability {
  readonly status: string;
  readonly reason: string;
  readonly isLive: boolean;
  readonly isUpcoming: boolean;
}

/** The first that matches. */
const REASONS: readonly [RegExp, VideoFailure][] = [
  [/\bbot\b|unusual traffic|automated/i, 'refused'],
  [/private/i, 'private'],
  [/\bage\b|age-restricted|inappropriate for some/i, 'age'],
  [/country|region|your location/i, 'country'],
  [/member|purchase|payment|\brent\b|\bbuy\b|premium/i, 'paid'],
  [/removed|terminated|deleted|no longer available|unavailable|isn.t available|does(?:n.t| not) exist/i, 'removed'],
];

const STATUSES: Readonly<Record<string, VideoFailure>> = {
  AGE_VERIFICATION_REQUIRED: 'age',
  AGE_CHECK_REQUIRED: 'age',
  CONTENT_CHECK_REQUIRED: 'age',
  LIVE_STREAM_OFFLINE: 'upcoming',
  ERROR: 'removed',
  LOGIN_REQUIRED: 'refused',
};

/** @throws VideoError unless the whole video can be watched. */
export function checkPlayable({ status, reason, isLive, isUpcoming }: Playability): void {
  if (isUpcoming) throw new VideoError('upcoming');
  if (isLive) throw new VideoError('live');
  if (status === 'OK') return;
  const failure = REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? STATUSES[status] ?? 'unplayable';
  throw new VideoError(failure, reason);
}
