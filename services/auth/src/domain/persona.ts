import { webAddress } from '@parley/runtime/parse-url';
import { checkName } from './name.ts';

/** Who an owner's message appears to come from. */
export interface Persona {
  name: string;
  image_url: string | null;
}

/** Checks the fields of a new persona and returns them as sent. @throws AppError `invalid_argument` */
export function checkPersona(name: string, imageUrl: string | undefined): Persona {
  if (imageUrl !== undefined) webAddress('image_url', imageUrl);
  return { name: checkName(name), image_url: imageUrl ?? null };
}
