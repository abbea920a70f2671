import { stripInvisible } from '../../text/strip-invisible.ts';
import { count, type DocumentLimits, type DocumentPart, limitNotes, Unreadable } from '../part.ts';
import { readDoc } from './doc.ts';
import { readDocx } from './docx.ts';
import type { Paragraph } from './paragraph.ts';

/** Characters of one citation: a screen or two. */
const TEXT = 4_000;
const MAX_HEADING = 200;
/** Characters of a heading in a citation. */
const MAX_PLACE = 80;
const EMPTY = 'This Word document has no text. If it holds images, upload a version with text.';
const OLE = 0xd0cf11e0;

/** Reads a .doc or a .docx as sections; each is cited by its heading. */
export async function* readWord(file: Buffer, limits: DocumentLimits): AsyncGenerator<DocumentPart, string[]> {
  const isOle = file.length >= 4 && file.readUInt32BE(0) === OLE;
  let found = 0;
  let characters = 0;
  for await (const { heading, text } of sectionsOf(isOle ? readDoc(file) : readDocx(file))) {
    characters += text.length;
    if (characters > limits.characters) return [limitNotes.characters(limits.characters)];
    const id = `section ${count(++found)}`;
    yield { id, place: heading || id, texts: [{ id, place: heading, text }], bytes: Buffer.byteLength(text), found };
  }
  if (found === 0) throw new Unreadable(EMPTY);
  return [];
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

/** Begins a section at each heading that follows text, and repeats the headings that a section stands under. */
async function* sectionsOf(paragraphs: AsyncIterable<Paragraph>): AsyncGenerator<Section> {
  const stack: Paragraph[] = [];
  let blocks: Paragraph[] = [];
  let length = 0;
  let hasText = false;
  const end = (): Section[] => {
    const section = hasText ? [sectionOf(blocks)] : [];
    blocks = stack.map((heading) => ({ ...heading, text: clip(heading.text, MAX_HEADING) }));
    length = 0;
    hasText = false;
    return section;
  };
  for await (const paragraph of paragraphs) {
    const clean = {
      ...paragraph,
      text: stripInvisible(paragraph.text)
        .replace(/[ \t]+/g, ' ')
        .trim(),
    };
    if (clean.text === '') continue;
    if (clean.level > 0) {
      if (hasText) yield* end();
      while (stack.length > 0 && stack.at(-1)!.level >= clean.level) stack.pop();
      stack.push(clean);
      if (!hasText) blocks = [...stack];
      else blocks.push(clean);
      continue;
    }
    if (length > 0 && length + clean.text.length > TEXT) yield* end();
    blocks.push(clean);
    length += clean.text.length;
    hasText = true;
  }
  // Headings without text are better than nothing.
  if (!hasText && blocks.length > 0) yield sectionOf(blocks);
  yield* end();
}

function sectionOf(blocks: readonly Paragraph[]): Section {
  let text = '';
  let heading = '';
  for (const [i, { kind, level, text: own }] of blocks.entries()) {
    const before = blocks[i - 1];
    if (level > 0 && (blocks[i + 1]?.level ?? 0) === 0 && !heading) heading = clip(own, MAX_PLACE);
    const isTogether = before && kind !== 'text' && before.kind === kind && before.level === 0;
    const marked = level > 0 ? `${'#'.repeat(Math.min(level, 6))} ${own}` : own.replace(/^(?=#{1,6} )/gm, ' ');
    text += (before ? (isTogether ? '\n' : '\n\n') : '') + (kind === 'item' && level === 0 ? `- ${marked}` : marked);
  }
  return { heading, text };
}

const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most).trimEnd()}…` : text);
