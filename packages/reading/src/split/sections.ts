import type { Block, Heading, TextBlock } from '../text/blocks.ts';

/** The blocks between two headings. */
export interface Section {
  /** Outermost first. */
  readonly headings: readonly string[];
  readonly anchor: string | undefined;
  readonly blocks: readonly TextBlock[];
}

/** Code points. */
const LONGEST_HEADING = 200;
const MAX_HEADINGS = 8;
/** UTF-16 units of all headings of a section. */
const LONGEST_PATH = 400;
/** As many headings without a text of their own stand above the next section; more of them are a text. */
const MAX_BARE = 2;

interface OpenHeading {
  readonly heading: Heading;
  /** Stands above a section. */
  isUsed: boolean;
}

interface Outline {
  /** The headings around the current place. */
  readonly path: OpenHeading[];
  /** Headings that ended without a section. */
  bare: Heading[];
  blocks: TextBlock[];
}

/** The sections of a text. One or two headings at its end are left out if nothing follows them. */
export function* sectionsOf(blocks: Iterable<Block>): Generator<Section> {
  const outline: Outline = { path: [], bare: [], blocks: [] };
  let hasText = false;
  for (const block of blocks) {
    if (block.kind === 'heading') {
      yield* endSection(outline);
      enter(block, outline);
    } else {
      hasText = true;
      outline.blocks.push(block);
    }
  }
  yield* endSection(outline);
  const last = [...outline.bare, ...outline.path.filter(({ isUsed }) => !isUsed).map(({ heading }) => heading)];
  if (last.length > (hasText ? MAX_BARE : 0)) yield headingsAsText(last, []);
}

function enter(heading: Heading, { path, bare }: Outline) {
  const at = path.findIndex((open) => open.heading.level >= heading.level);
  const ended = at < 0 ? [] : path.splice(at);
  bare.push(...ended.filter(({ isUsed }) => !isUsed).map((open) => open.heading));
  path.push({ heading, isUsed: false });
}

function* endSection(outline: Outline): Generator<Section> {
  const { path, blocks } = outline;
  if (blocks.length === 0) return;
  const own = path.at(-1);
  const parents = path.slice(0, -1).map(({ heading }) => heading);
  const first = path.filter(({ isUsed }) => !isUsed).map(({ heading }) => heading);
  let { bare } = outline;
  outline.blocks = [];
  outline.bare = [];
  for (const open of path) open.isUsed = true;
  if (bare.length > MAX_BARE) {
    yield headingsAsText(bare, parents);
    bare = [];
  }
  const clipped = [...bare, ...first].filter(({ text }) => clip(text, LONGEST_HEADING) !== text);
  yield {
    headings: pathOf([...parents, ...bare, ...(own ? [own.heading] : [])]),
    anchor: own?.heading.anchor,
    blocks: [...clipped.map(({ text }): TextBlock => ({ kind: 'text', text })), ...blocks],
  };
}

const headingsAsText = (headings: readonly Heading[], parents: readonly Heading[]): Section => ({
  headings: pathOf(parents),
  anchor: headings[0]?.anchor,
  blocks: headings.map(({ text }) => ({ kind: 'row', text })),
});

/** Without the outer ones, where all are too many. */
function pathOf(headings: readonly Heading[]): string[] {
  const path: string[] = [];
  let length = 0;
  for (const { text } of headings.slice(-MAX_HEADINGS).reverse()) {
    const clipped = clip(text, LONGEST_HEADING);
    length += clipped.length;
    if (length > LONGEST_PATH) break;
    path.unshift(clipped);
  }
  return path;
}

/** The first code points of a text; whole words if it has any. */
function clip(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  const all = [...text.slice(0, 2 * codePoints + 2)];
  if (all.length <= codePoints) return text;
  const cut = all.slice(0, codePoints).join('');
  const space = cut.lastIndexOf(' ');
  return (space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd();
}
