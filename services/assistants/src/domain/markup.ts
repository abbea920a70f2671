/*
 * Text of others enters an answer as plain text. Much of it documents software, so it is not escaped, and only plain
 * markdown links and images are removed: anything else that markdown or HTML would read as markup gets a space where
 * the markup begins (`List< String>`, `handlers[0] (event)`). `a < b`, `arr[0]`, `__init__` and bare addresses stay as
 * they are.
 */

/**
 * Control and formatting characters: they hide words, split them for a check but not for the eye, or reverse a line. Between
 * letters that join, as those of Persian and Hindi, a non-joiner is part of a word's spelling.
 */
const unseen =
  /(?![\n\t])(?!(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}])[\u200c\u200d][\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** The text that a reader sees, with lines separated by `\n` and words by spaces. */
export const visible = (text: string): string =>
  text
    .replace(/\r\n?|[\p{Zl}\p{Zp}\u0085\v\f]/gu, '\n')
    .replace(unseen, '')
    .replace(/\p{Zs}/gu, ' ');

const DESTINATION = String.raw`\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)`;
/** Brackets after a word or another bracket are an index: `handlers[0](event)`. */
const UNATTACHED = String.raw`(?<![\p{L}\p{N}_$\]})])`;
const image = new RegExp(String.raw`!\[[^[\]\n]*\]${DESTINATION}`, 'gu');
const link = new RegExp(String.raw`${UNATTACHED}\[([^[\]\n]*)\]${DESTINATION}`, 'gu');
const autolink = /<((?:https?:\/\/|[\w.+-]+@)[^\s<>]*)>/gi;
const address = /^\s*(?:<[^<>]*>|(?=[^\s<>]*[/:#?.])[^\s<>]+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;
/** Links around images around links. */
const NESTED = 4;

/** Replaces links to addresses with their words, and removes images. */
function unlinked(text: string): string {
  for (let depth = 0; depth < NESTED; depth++)
    text = text
      .replace(image, (found, to) => (address.test(to) ? '' : found))
      .replace(link, (found, words, to) => (address.test(to) ? words : found));
  return text.replace(autolink, '$1');
}

const MARK = String.raw`(?:[[［【] ?[1-9]\d{0,2} ?[\]］】])`;
/** Text that looks like one of our marks. An index, as in `list[1]`, does not. */
const mark = new RegExp(String.raw`(?:(?<![ \t])[ \t]+|(?<=^|[\n.,;:!?"')]))${MARK}+(?!\()`, 'gu');
const otherMark = new RegExp(String.raw`${UNATTACHED}[[［【] ?([1-9]\d{0,2}) ?[\]］】]`, 'gu');
/** A line that could be mistaken for the head of our list of sources. */
const listHead = /^[ \t>#*_~+-]*sources[ \t]*(?:[:：*_~][ \t*_~]*)?(?:\n|$)/gim;

const LINE_START = String.raw`^((?:[ \t>*+-]|\d{1,9}[.)])*)`;
/** A line that is only a code fence; the code stays. */
const fenceLine = new RegExp(String.raw`${LINE_START}(?:\x60{3,}|~{3,})[ \t]*(?:[\w+#.-]{1,30}[ \t]*)?(?:\n|$)`, 'gm');
const fence = new RegExp(String.raw`${LINE_START}(\x60\x60|~~)[\x60~]+`, 'gm');
/** Unless the bracket follows a word: `list[0]: first`. */
const definition = /(?<![\p{L}\p{N}_]\[[^[\]\n]*)\]:/gu;

/** Breaks any markup that is left. It only adds spaces and shortens runs, so it creates no markup either. */
const broken = (text: string): string =>
  text
    .replace(otherMark, '($1)')
    .replace(fence, '$1$2')
    .replace(definition, '] :')
    .replace(/\](?=\()/g, '] ')
    .replace(/<(?=[a-z/!?])/gi, '< ');

/** Text of a page, a question or a model, as part of a message. */
export const plainBody = (text: string): string =>
  broken(unlinked(visible(text)).replace(mark, '').replace(fenceLine, '').replace(listHead, ''))
    .replace(/^(?:[ \t]*\n)+/, '')
    // Four spaces begin code.
    .replace(/^ {1,3}(?! )/, '')
    .trimEnd();

const MAX_TITLE = 300;

/** A title in a line of our list of sources, in which every address is ours. */
export function plainTitle(title: string): string {
  const line = unlinked(visible(title).replace(/\s+/g, ' ')).replace(mark, '');
  const unaddressed = line
    .replace(/\b[a-z][a-z0-9+.-]{0,20}:\/\//gi, '')
    .replace(/:\/\//g, ': //')
    .replace(/www\.(?=\S)/gi, 'www. ')
    .replaceAll('`', "'");
  const characters = [...broken(unaddressed).trim()];
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join('')}…` : characters.join('');
}

const MAX_ADDRESS = 2_048;

/** A web address that can't leave its line or become anything else; empty for anything that is not one. */
export function plainAddress(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return '';
  const { origin, pathname, search, hash } = new URL(url);
  const encoded = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  // Renderers that split at a `_` or a `~` would link an address inside it separately.
  const plain = origin + `${pathname}${search}${hash}`.replace(/[^\w\-.~:/?#!$&+,;=%]|:(?=\/\/)|w(?=ww\.)/gi, encoded);
  return plain.length <= MAX_ADDRESS ? plain : '';
}
