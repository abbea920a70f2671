import { type Counts, countAll, NOTHING } from './link-counts.ts';
import { isRelation, type Node } from './node.ts';

/** Parts that may be left out as a whole; smaller ones are part of a list, a table or a sentence. */
const PARTS = new Set(
  'address aside blockquote center details dialog div dl fieldset figure footer form header hgroup menu nav ol p section table td ul'.split(
    ' ',
  ),
);
const LEFT_OUT_ELEMENT = /^(nav|dialog|menu)$/;
const LEFT_OUT_ROLE = /^(navigation|search|contentinfo|menu|menubar|toolbar|tablist|dialog|alertdialog|doc-toc)$/;
/** Words of classes and ids. They only support what the links say: the text of a page may have such a name, too. */
const OF_LINKS =
  /^(nav|navbar|navigation|navheader|navfooter|toc|contents?|menu|breadcrumbs?|pagination|pager|sidebar|related|social|share)$/;
const AROUND_THE_TEXT = /^(breadcrumbs?|sidebar|footer|head|foot|copyright|pagination|pager|skip)$/;
const HEADING = /^h[1-6]$/;

/** Least share of a part's characters in links, and the same if its name says that it is for navigation. */
const LINKED = 0.6;
const LINKED_IN_NAVIGATION = 0.25;
/** Parts with fewer links are a list only if they say so. */
const FEWEST_LINKS = 3;
const FEWEST_LINKS_IN_CELL = 5;
/** Most of a part of links that may be sentences. */
const MAX_PROSE = 0.2;
/** Characters of a bar of links, and of what stands around each of them. */
const LONGEST_BAR = 300;
const AROUND_A_LINK = 15;
/** Characters of a part that is left out for its name alone, and of a form. */
const LONGEST_FRAME = 300;
const LONGEST_COOKIE_NOTICE = 1_500;
/** A part with this share of the page's prose is text, whatever it is called. */
const OWN_TEXT = 0.2;
/** With an introduction, a list of this many links is what the page says. */
const MAX_INTRODUCED = 20;
const LONGEST_LABEL = 60;
const LONGEST_RELATION = 30;
const LONGEST_INTRODUCTION = 1_000;
/** Siblings and nodes looked at to find what stands before a part. */
const SIBLINGS = 6;
const NODES = 500;

interface Part {
  readonly node: Node;
  readonly own: Counts;
  readonly page: Counts;
  /** In the part that the page declares to be its text. */
  readonly isInside: boolean;
  readonly siblings: readonly Node[];
  readonly place: number;
}

/**
 * The elements that a reader of the page would skip: menus, tables of contents, lists of links, breadcrumbs, links to the
 * next page, cookie notices, footers. What they hold decides: how much of it is linked, and whether there are sentences;
 * roles and classes support that. Takes linear time.
 *
 * @param keepsLists lists of links are kept: the page has nothing else.
 */
export function findBoilerplate(root: Node, keepsLists = false): { dropped: Set<Node>; visible: number } {
  const counts = countAll(root);
  const page = counts.get(root) ?? NOTHING;
  const dropped = new Set<Node>();
  const open = [{ node: root, isInside: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    const isInside = next.isInside || isDeclaredText(next.node);
    const siblings = next.node.children ?? [];
    siblings.forEach((node, place) => {
      const own = counts.get(node);
      if (!own) {
        if (isRelation(node) && textIn(node).trim().length <= LONGEST_RELATION) dropped.add(node);
        else if (node.children) open.push({ node, isInside });
        return;
      }
      const part = { node, own, page, isInside, siblings, place };
      const isLinks = !keepsLists && isListOfLinks(part);
      if (!isLinks && !isAround(part, counts)) {
        open.push({ node, isInside });
        return;
      }
      dropped.add(node);
      const label = isLinks && labelOf(part, counts);
      if (label) dropped.add(label);
    });
  }
  return { dropped, visible: page.visible };
}

const isDeclaredText = ({ name, attribs }: Node): boolean =>
  name === 'main' || name === 'article' || attribs?.['role'] === 'main';

const hasOwnText = ({ own, page }: Part): boolean => own.prose > 0 && own.prose >= OWN_TEXT * page.prose;

function isListOfLinks(part: Part): boolean {
  const { node, own } = part;
  const { characters, linked, links } = own;
  if (!PARTS.has(node.name!) || links === 0) return false;
  if (isBar(part)) return true;
  if (own.prose > MAX_PROSE * characters || hasOwnText(part)) return false;
  const isNamed = node.name === 'aside' || namesOf(node).some((name) => OF_LINKS.test(name));
  if (isNamed && linked >= LINKED_IN_NAVIGATION * characters) return true;
  if (linked < LINKED * characters || links < (node.name === 'td' ? FEWEST_LINKS_IN_CELL : FEWEST_LINKS)) return false;
  return own.inner > 0 || links > MAX_INTRODUCED || !isIntroduced(part);
}

/** Links side by side: to the next page, to other languages, to the top of the page. */
function isBar({ node, own }: Part): boolean {
  const { characters, linked, links, relations, inner, prose } = own;
  if (node.name === 'td' || characters > LONGEST_BAR) return false;
  if (relations > 0 && 2 * relations >= links) return characters - linked <= LONGEST_LABEL * links;
  if (prose > 0) return false;
  if (links < FEWEST_LINKS) return inner === links && linked > 0.9 * characters;
  return linked >= 0.3 * characters && characters - linked <= AROUND_A_LINK * links && !/^(ul|ol|dl)$/.test(node.name!);
}

/** Returns whether the sentence before it introduces it. "Contents:" introduces what a reader skips. */
function isIntroduced({ siblings, place }: Part): boolean {
  for (let i = place - 1; i >= Math.max(place - SIBLINGS, 0); i--) {
    const text = textIn(siblings[i]!).trim();
    if (text) return /[:：]$/.test(text) && text.split(/\s+/, 4).length > 3;
  }
  return false;
}

function isAround(part: Part, counts: ReadonlyMap<Node, Counts>): boolean {
  const { node, own, page, isInside } = part;
  const { name = '', attribs } = node;
  const role = attribs?.['role'] ?? '';
  if (name === 'button') return true;
  if (isCookieNotice(part, counts)) return true;
  if (!PARTS.has(name) || hasOwnText(part)) return false;
  if (LEFT_OUT_ELEMENT.test(name) || LEFT_OUT_ROLE.test(role)) return true;
  if (!isInside && name === 'footer') return true;
  if (!isInside && (name === 'header' || role === 'banner') && !own.hasTopHeading) return true;
  if (own.isCopyright && own.characters <= LONGEST_FRAME) return true;
  if (name === 'form') return own.prose === 0 && own.characters <= LONGEST_FRAME;
  const isShort = own.characters <= LONGEST_FRAME && own.characters === own.visible;
  if (isShort && namesOf(node).some((word) => AROUND_THE_TEXT.test(word))) return true;
  const hasMain = page.mainProse >= page.prose / 2 && page.mainProse > 0;
  return hasMain && !isInside && !own.hasMain && own.prose === 0 && !own.hasTopHeading;
}

/** The smallest part with a notice about cookies and the buttons to answer it. */
function isCookieNotice({ node, own }: Part, counts: ReadonlyMap<Node, Counts>): boolean {
  const isNotice = ({ consents, mentionsCookies, characters }: Counts) =>
    consents > 0 && mentionsCookies && characters <= LONGEST_COOKIE_NOTICE;
  if (!isNotice(own) || own.hasMain) return false;
  return !node.children?.some((child) => isNotice(counts.get(child) ?? NOTHING));
}

/** The short line, or the heading without other text, above a list of links. */
function labelOf({ siblings, place }: Part, counts: ReadonlyMap<Node, Counts>): Node | undefined {
  const before = siblings.slice(Math.max(place - SIBLINGS, 0), place).findLast((node) => textIn(node).trim());
  const own = before && counts.get(before);
  if (!own) return undefined;
  if (!HEADING.test(before.name!)) {
    const isLabel = own.links === 0 && own.prose === 0 && own.visible <= LONGEST_LABEL;
    return isLabel || (own.visible <= LONGEST_FRAME && /[:：]\s*$/.test(textIn(before).slice(-10)))
      ? before
      : undefined;
  }
  const after = siblings.slice(place + 1, place + 1 + SIBLINGS).find((node) => textIn(node).trim());
  return !after || (HEADING.test(after.name ?? '') && after.name! <= before.name!) ? before : undefined;
}

function namesOf({ attribs }: Node): string[] {
  const names = `${attribs?.['class'] ?? ''} ${attribs?.['id'] ?? ''}`.slice(0, 500);
  return names
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

/** The end of the text in a node, as far as the functions here look at it. */
function textIn(node: Node): string {
  const open = [node];
  let text = '';
  for (let visited = 0; visited < NODES && text.length < LONGEST_INTRODUCTION; visited++) {
    const next = open.pop();
    if (!next) break;
    if (next.type === 'text') text = (next.data ?? '').slice(-LONGEST_INTRODUCTION) + text;
    open.push(...(next.children ?? []).slice(-NODES));
  }
  return text;
}
