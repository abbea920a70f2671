import { invalidArgument } from '@parley/runtime';
import { requiredText } from '@parley/runtime/text';

/** The appearance of a chatbot to its visitors. */
export interface Appearance {
  /** Questions to begin with. */
  suggestions: string[];
  /** #rrggbb, in lower case. */
  colour: string | null;
  /** The id of the ticket form that leads to a person. It may have been deleted since. */
  ticket_form: string | null;
  /** How many messages all visitors together may send in a day. Null: the installation's default. */
  visitor_messages_per_day: number | null;
}

const MAX_SUGGESTIONS = 4;
/** Code points. */
const MAX_SUGGESTION = 100;
const MAX_PER_DAY = 1_000_000;

/** @throws AppError `invalid_argument` for more than 4, or one that is blank or has more than 100 code points. */
export function checkSuggestions(suggestions: readonly string[]): string[] {
  if (suggestions.length > MAX_SUGGESTIONS)
    throw invalidArgument(`suggestions must have at most ${MAX_SUGGESTIONS} entries.`);
  return suggestions.map((text, i) => requiredText(`suggestions[${i}]`, text, MAX_SUGGESTION));
}

/** Returns it in lower case; null if it is empty. */
export function checkColour(colour: string): string | null {
  if (colour === '') return null;
  if (!/^#[0-9a-f]{6}$/i.test(colour)) throw invalidArgument('colour must be six hexadecimal digits after a #.');
  return colour.toLowerCase();
}

/** Null for 0. */
export function checkPerDay(messages: number): number | null {
  if (messages > MAX_PER_DAY)
    throw invalidArgument(`visitor_messages_per_day must be at most ${MAX_PER_DAY.toLocaleString('en')}.`);
  return messages || null;
}
