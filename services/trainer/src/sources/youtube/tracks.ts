import { VideoError } from './video-error.ts';

/** Captions of a video in one language. */
export interface Track {
  /** BCP 47 tag. */
  readonly language: string;
  /** Made by speech recognition. */
  readonly isAutomatic: boolean;
  readonly url: string;
}

/** How many languages an error names. */
const NAMED = 20;

/**
 * The captions to train: in the wanted language, made by people if possible. Without one: those made by people in the
 * language that is spoken, then those made by people that YouTube shows first, then automatic ones.
 *
 * @param first YouTube's choice among `tracks`, if it has one.
 * @throws VideoError
 */
export function chooseTrack(tracks: readonly Track[], wanted: string | null, first: number | undefined): Track {
  const byPeople = tracks.filter(({ isAutomatic }) => !isAutomatic);
  const [automatic] = tracks.filter(({ isAutomatic }) => isAutomatic);
  const preferred = first === undefined ? undefined : tracks[first];
  if (tracks.length === 0) throw new VideoError('no_transcript');
  if (wanted !== null) {
    const found = inLanguage([...byPeople, ...tracks], wanted);
    if (found) return found;
    const languages = [...new Set(tracks.map(({ language }) => language))];
    throw new VideoError(
      'no_language',
      `${languages.slice(0, NAMED).join(', ')}${languages.length > NAMED ? ', …' : ''}`,
    );
  }
  const spoken = automatic?.language ?? preferred?.language;
  const own = spoken === undefined ? undefined : inLanguage(byPeople, spoken);
  return own ?? (preferred && !preferred.isAutomatic ? preferred : (byPeople[0] ?? automatic!));
}

/** `en` also finds `en-GB`, and `en-GB` also `en`; but the same is better. */
function inLanguage(tracks: readonly Track[], language: string): Track | undefined {
  const [tag, primary] = [language.toLowerCase(), primaryOf(language)];
  return (
    tracks.find((track) => track.language.toLowerCase() === tag) ??
    tracks.find((track) => primaryOf(track.language) === primary)
  );
}

const primaryOf = (tag: string): string => tag.toLowerCase().split('-', 1)[0]!;
