import { requiredText } from '@parley/runtime/text';

const MAX_TITLE = 200;

/** The title of an item, as sent. @throws AppError `invalid_argument` */
export const itemTitle = (title: string): string => requiredText('title', title, MAX_TITLE);
