export { isHtml } from './media-type.ts';
export { stripInvisible } from './strip-invisible.ts';
