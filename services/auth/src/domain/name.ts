import { requiredText } from '@parley/runtime/text';

const MAX_NAME = 200;

/** Checks a name: not blank, at most 200 code points. Returns it as sent. */
export const checkName = (name: string): string => requiredText('name', name, MAX_NAME);
