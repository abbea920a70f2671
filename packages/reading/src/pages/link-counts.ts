import { BLOCKS, isRelation, type Node } from './node.ts';

/** Counts of an element's content. Characters are counted without white space. */
export interface Counts {
  visible: number;
  /** Visible ones without headings: a heading may link to itself, or back to the contents. */
  characters: number;
  /** How many of `characters` are in links. */
  linked: number;
  links: number;
  /** Links to a place on the same page. */
  inner: number;
  /** Links to the next, the previous or the parent page, by their attributes. */
  relations: number;
  /** How many of `characters` are in sentences outside links, or in code. */
  prose: number;
  /** `prose` in the parts that the page declares to be its text. */
  mainProse: number;
  /** Buttons that agree or disagree. */
  consents: number;
  mentionsCookies: boolean;
  isCopyright: boolean;
  hasTopHeading: boolean;
  hasMain: boolean;
}

export const NOTHING: Counts = {
  visible: 0,
  characters: 0,
  linked: 0,
  links: 0,
  inner: 0,
  relations: 0,
  prose: 0,
  mainProse: 0,
  consents: 0,
  mentionsCookies: false,
  isCopyright: false,
  hasTopHeading: false,
  hasMain: false,
};

/** A link with more characters, or with a paragraph in it, is a text that is linked, if it leads to another page. */
const LONGEST_LINK = 250;
const SHORTEST_PROSE = 25;
/** A phrase of so many words is prose without the mark of a sentence, too. */
const PHRASE = 5;

const SENTENCE = /[.!?:;。！？؟।…]["'”’)\]]*(\s|$)/u;
const COOKIES = /cookie|کوکی/i;
const CONSENT =
  /\b(accept|agree|allow|reject|decline|deny|got it|ok|okay|understood|akzeptieren|zustimmen|ablehnen|einverstanden|verstanden|accepter|refuser|aceptar|rechazar|accetta|rifiuta|aceitar|akceptuj)|قبول|پذیر/i;
const COPYRIGHT = /^\s*(©|\(c\)|copyright\s+(©|\(c\)|\d{4}))/i;

/** A block whose end has not been reached. */
interface OpenBlock {
  readonly counts: Counts;
  /** Its text outside links since the last inner block. */
  text: string;
}

interface OpenLink {
  characters: number;
  text: string;
  hasParagraph: boolean;
}

interface Walk {
  readonly blocks: OpenBlock[];
  readonly counted: Map<Node, Counts>;
  link: OpenLink | undefined;
  /** Headings and declared parts around the current place. */
  headings: number;
  mains: number;
}

/** Counts what each block of a tree holds, in linear time. Inline elements are not in the result. */
export function countAll(root: Node): Map<Node, Counts> {
  const walk: Walk = { blocks: [], counted: new Map(), link: undefined, headings: 0, mains: 0 };
  const open: { node: Node; isLeft: boolean }[] = [{ node: root, isLeft: false }];
  for (let step = open.pop(); step; step = open.pop()) {
    const { node, isLeft } = step;
    if (isLeft) leave(node, walk);
    else if (node.type === 'text') read(node.data ?? '', walk);
    else if (node.name === 'button') answer(node, walk);
    else if (node.children) {
      enter(node, node === root, walk);
      open.push({ node, isLeft: true });
      for (let i = node.children.length - 1; i >= 0; i--) open.push({ node: node.children[i]!, isLeft: false });
    }
  }
  return walk.counted;
}

const isHeading = ({ name = '' }: Node) => /^h[1-6]$/.test(name);
const isMain = ({ name, attribs }: Node) => name === 'main' || name === 'article' || attribs?.['role'] === 'main';
const isLink = ({ name, attribs }: Node) => name === 'a' && attribs?.['href'] !== undefined;
const lengthOf = (text: string) => text.replace(/\s+/g, '').length;

function enter(node: Node, isRoot: boolean, walk: Walk) {
  if (isLink(node)) walk.link = { characters: 0, text: '', hasParagraph: false };
  if (node.name === 'p' && walk.link) walk.link.hasParagraph = true;
  if (!isRoot && !BLOCKS.has(node.name!)) return;
  settle(walk);
  const block = { counts: { ...NOTHING }, text: '' };
  walk.blocks.push(block);
  walk.counted.set(node, block.counts);
  if (isHeading(node)) walk.headings++;
  if (!isMain(node)) return;
  walk.mains++;
  block.counts.hasMain = true;
}

function read(text: string, walk: Walk) {
  const characters = lengthOf(text);
  const block = walk.blocks.at(-1);
  if (!block || characters === 0) {
    if (block) block.text += ' ';
    return;
  }
  block.counts.visible += characters;
  block.counts.mentionsCookies ||= COOKIES.test(text);
  if (walk.headings > 0) return;
  block.counts.characters += characters;
  if (!walk.link) {
    block.text += text;
    return;
  }
  walk.link.characters += characters;
  walk.link.text += text;
}

function answer(button: Node, { blocks, counted }: Walk) {
  counted.set(button, NOTHING);
  const text = button.children?.map(({ data = '', children }) => data || (children?.[0]?.data ?? '')).join(' ') ?? '';
  if (CONSENT.test(text)) blocks.at(-1)!.counts.consents++;
}

/** Ends a run of text in the current block. */
function settle({ blocks, mains }: Walk, isCode = false) {
  const block = blocks.at(-1);
  if (!block?.text) return;
  const { text, counts } = block;
  block.text = '';
  counts.isCopyright ||= COPYRIGHT.test(text);
  if (!isCode && !isProse(text.trim())) return;
  const prose = lengthOf(text);
  counts.prose += prose;
  if (mains > 0) counts.mainProse += prose;
}

const isProse = (text: string): boolean =>
  text.length >= SHORTEST_PROSE && (SENTENCE.test(text) || text.split(/\s+/, PHRASE).length === PHRASE);

function leave(node: Node, walk: Walk) {
  if (isLink(node)) leaveLink(node, walk);
  const counts = walk.counted.get(node);
  if (!counts) return;
  settle(walk, node.name === 'pre');
  walk.blocks.pop();
  if (isHeading(node)) walk.headings--;
  if (isMain(node)) walk.mains--;
  if (node.name === 'h1' && counts.visible > 0) counts.hasTopHeading = true;
  const parent = walk.blocks.at(-1)?.counts;
  if (parent) add(parent, counts);
}

function leaveLink(node: Node, walk: Walk) {
  const { attribs = {} } = node;
  const { link, headings } = walk;
  const block = walk.blocks.at(-1);
  walk.link = undefined;
  if (!link || !block || headings > 0) return;
  // "Next" may be a picture.
  if (link.characters === 0 && !isRelation(node)) return;
  const isInner = attribs['href']!.startsWith('#');
  if (!isInner && (link.hasParagraph || link.characters > LONGEST_LINK)) {
    block.text += link.text;
    return;
  }
  block.counts.linked += link.characters;
  block.counts.links++;
  if (isInner) block.counts.inner++;
  if (isRelation(node)) block.counts.relations++;
}

function add(to: Counts, from: Counts) {
  to.visible += from.visible;
  to.characters += from.characters;
  to.linked += from.linked;
  to.links += from.links;
  to.inner += from.inner;
  to.relations += from.relations;
  to.prose += from.prose;
  to.mainProse += from.mainProse;
  to.consents += from.consents;
  to.mentionsCookies ||= from.mentionsCookies;
  to.isCopyright ||= from.isCopyright;
  to.hasTopHeading ||= from.hasTopHeading;
  to.hasMain ||= from.hasMain;
}
