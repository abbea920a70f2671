import type { CheerioAPI } from 'cheerio';
import type { Block } from '../text/blocks.ts';
import type { Node } from './node.ts';

/** Characters, without white space, that a page may show although its text is missing: "Loading…", a name, a notice. */
const LONGEST_WITHOUT_TEXT = 200;
/** A text of as many words is content, whatever a noscript element says: many say so of comments or statistics. */
const WORDS = 5;
const LONGEST_IN_ROOT = 80;

/** Where the usual frameworks put what their scripts make. */
const ROOT =
  '#root, #app, #__next, #__nuxt, #___gatsby, #svelte, #q-app, #main-app, app-root, [ng-app], [data-reactroot], [data-server-rendered]';

/** Signs that scripts make the text of a page; to be looked for before hidden elements are removed. */
export interface ScriptSigns {
  readonly hasScript: boolean;
  /** It has an element for scripts to fill, with no text to speak of. */
  readonly hasEmptyRoot: boolean;
  /** It asks those who see no text to turn JavaScript on. */
  readonly hasNotice: boolean;
}

export function scriptSigns($: CheerioAPI): ScriptSigns {
  const scripts = $('script').toArray();
  const root = $(ROOT)[0] as Node | undefined;
  return {
    hasScript: scripts.some(
      ({ attribs }) => attribs['src'] !== undefined || !/json|template/i.test(attribs['type'] ?? ''),
    ),
    hasEmptyRoot: root !== undefined && isNearlyEmpty(root),
    hasNotice: /javascript/i.test($('noscript').text()),
  };
}

/** Uses its own stack: a page may be nested deeper than the call stack allows. */
function isNearlyEmpty(root: Node): boolean {
  const stack: Node[] = [root];
  let length = 0;
  for (let node = stack.pop(); node && length <= LONGEST_IN_ROOT; node = stack.pop()) {
    if (node.type === 'text') length += lengthOf(node.data ?? '');
    else if (!/^(script|style|noscript|template)$/.test(node.name ?? ''))
      for (const child of node.children ?? []) stack.push(child);
  }
  return length <= LONGEST_IN_ROOT;
}

/** Returns whether a page with this text and these signs has more to show to a browser. */
export function needsScript(blocks: readonly Block[], { hasScript, hasEmptyRoot, hasNotice }: ScriptSigns): boolean {
  if (!hasScript) return false;
  const length = blocks.reduce((sum, { text }) => sum + lengthOf(text), 0);
  if (length === 0) return true;
  return (hasEmptyRoot && length <= LONGEST_WITHOUT_TEXT) || (hasNotice && !blocks.some(isSentence));
}

const isSentence = ({ kind, text }: Block): boolean => kind !== 'heading' && text.split(/\s+/, WORDS).length === WORDS;

const lengthOf = (text: string): number => text.replace(/\s+/g, '').length;
