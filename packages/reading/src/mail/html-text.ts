import { load } from 'cheerio';
import { blocksOf } from '../pages/html-blocks.ts';
import type { Node } from '../pages/node.ts';
import { removeHidden } from '../pages/sanitize-html.ts';

/** How mail programs mark what a message repeats of earlier ones, and their signatures. */
const QUOTES = [
  'blockquote[type="cite"], .gmail_quote, .gmail_quote_container, .gmail_signature, .yahoo_quoted, .protonmail_quote',
  '.moz-cite-prefix, .moz-signature, #divRplyFwdMsg, #Signature',
].join(', ');
/** All that follows these beside them is quoted. (The selector `~ *` compares each element with all that come before it.) */
const BEFORE_QUOTES = ['#divRplyFwdMsg', '#appendonsend'];

/** The text of an HTML message as its reader sees it, apart from what it quotes. */
export function htmlText(html: string): { text: string; quoted: string } {
  const $ = load(html);
  removeHidden($);
  const root = $.root()[0] as Node;
  const marked = [$(QUOTES), ...BEFORE_QUOTES.map((before) => $(before).first().nextAll())];
  const quotes = outermost(root, new Set(marked.flatMap((some) => some.toArray() as Node[])));
  const text = textOf(root, new Set(quotes));
  const quoted = quotes.map((quote) => textOf(quote, new Set())).join('\n\n');
  return text.trim() === '' ? { text: quoted, quoted: '' } : { text, quoted };
}

/** The outermost elements, in order. Uses its own stack: a message may be nested deeper than the call stack allows. */
function outermost(root: Node, some: ReadonlySet<Node>): Node[] {
  const found: Node[] = [];
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (some.has(node)) found.push(node);
    else for (const child of node.children?.toReversed() ?? []) stack.push(child);
  }
  return found;
}

/** Items of a list and rows of a table are lines, all else are paragraphs. */
function textOf(root: Node, dropped: ReadonlySet<Node>): string {
  let text = '';
  let before: string | undefined;
  for (const block of blocksOf(root, dropped).blocks) {
    const isLine = (kind: string | undefined) => kind === 'item' || kind === 'row';
    if (before !== undefined) text += isLine(block.kind) && isLine(before) ? '\n' : '\n\n';
    text += block.text;
    before = block.kind;
  }
  return text;
}
