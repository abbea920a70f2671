/** `<i>`, `</c>`, `<v Ada>`, `<font color="red">`, `<00:00:01.500>`, and the positions of SubStation Alpha: `{\an8}`. */
const TAG = /<\/?[a-z][^<>]*>|<[\d:.]{1,20}>|\{\\[^{}]*\}/gi;
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|lrm|rlm|#\d{1,7}|#x[\da-f]{1,6});/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '',
  rlm: '',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what they are removed by
const SPACE = /[\s\u0000-\u001f\u007f-\u009f\u200b\ufeff]+/g;

/** The text of one line of a caption: none, if nothing but tags and white space. */
export function readCueText(line: string): string[] {
  const text = line.replace(TAG, '').replace(ENTITY, decoded).replace(SPACE, ' ').trim();
  return text === '' ? [] : [text];
}

function decoded(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith('#')) return NAMED[name]!;
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '';
}
