import { Parser } from 'htmlparser2';
import { Unreadable } from '../part.ts';
import { collectParagraphs } from './collect-paragraphs.ts';
import { DAMAGED, OTHER, type Paragraph } from './paragraph.ts';
import { openZip, type Zip } from './zip.ts';

const MAX_DEPTH = 1_000;
/** Elements that repeat other content, were deleted, or are instructions. */
const SKIPPED = new Set(['mc:Fallback', 'w:del', 'w:moveFrom', 'w:instrText', 'w:pict', 'w:object']);

/**
 * The paragraphs of a .docx: its main part and its notes. Reads text only: no macros, objects or other addresses. A library
 * such as mammoth builds the whole document in memory, 40 times the size of its XML, and takes only styles named "heading 1" for
 * headings, not those based on them, nor outline levels.
 */
export async function* readDocx(file: Buffer): AsyncGenerator<Paragraph> {
  const zip = await openZip(file);
  const main = zip.find(/^word\/document\d*\.xml$/);
  if (!main) throw new Unreadable(zip.find(/^(xl|ppt)\//) || zip.find(/^mimetype$/) ? OTHER : DAMAGED);
  const levels = await levelsOf(zip);
  for (const part of [main, zip.find(/^word\/footnotes\.xml$/), zip.find(/^word\/endnotes\.xml$/)])
    if (part) yield* paragraphsOf(zip, part, levels);
}

/** Heading levels by style. */
async function levelsOf(zip: Zip): Promise<Map<string, number>> {
  const own = new Map<string, { level: number | undefined; basedOn: string | undefined }>();
  let style: { id: string; level: number | undefined; basedOn: string | undefined } | undefined;
  const name = zip.find(/^word\/styles\.xml$/);
  if (!name) return new Map();
  const parser = xml({
    onopentag(tag, { 'w:val': value = '', 'w:styleId': id = '' }) {
      if (tag === 'w:style') style = { id, level: undefined, basedOn: undefined };
      else if (!style) return;
      else if (tag === 'w:basedOn') style.basedOn = value;
      else if (tag === 'w:outlineLvl') style.level = levelOf(Number(value));
      else if (tag === 'w:name' && /^(title|heading [1-9])$/i.test(value))
        style.level ??= /title/i.test(value) ? 1 : Number(value.at(-1));
    },
    onclosetag(tag) {
      if (tag === 'w:style' && style) own.set(style.id, style);
    },
  });
  for await (const text of zip.read(name)) parser.write(text);
  parser.end();

  const levels = new Map<string, number>();
  for (const id of own.keys()) {
    let found = own.get(id);
    for (let steps = 0; found && found.level === undefined && steps < 10; steps++) found = own.get(found.basedOn ?? '');
    if (found?.level) levels.set(id, found.level);
  }
  return levels;
}

/** From 0 to 8 in the file; 9 is body text. */
const levelOf = (outline: number): number => (outline >= 0 && outline < 9 ? outline + 1 : 0);

async function* paragraphsOf(zip: Zip, name: string, levels: ReadonlyMap<string, number>): AsyncGenerator<Paragraph> {
  const collected = collectParagraphs();
  let skipped = 0;
  let depth = 0;
  let isText = false;
  const parser = xml({
    onopentag(tag, { 'w:val': value = '', 'w:type': type = '' }) {
      if (++depth > MAX_DEPTH) throw new Unreadable(DAMAGED);
      if (SKIPPED.has(tag)) skipped++;
      if (skipped > 0) return;
      if (tag === 'w:p') collected.begin();
      else if (tag === 'w:t') isText = true;
      else if (tag === 'w:tr') collected.beginRow();
      else if (tag === 'w:tc') collected.beginCell();
      else if (tag === 'w:tab') collected.add(' ');
      else if (tag === 'w:br' || tag === 'w:cr') collected.add(type === 'page' ? ' ' : '\n');
      else if (tag === 'w:noBreakHyphen') collected.add('-');
      else if (tag === 'w:pStyle') collected.is({ level: levels.get(value) ?? 0 });
      else if (tag === 'w:outlineLvl') collected.is({ level: levelOf(Number(value)) });
      else if (tag === 'w:numPr') collected.is({ isItem: true });
    },
    ontext(text) {
      if (isText && skipped === 0) collected.add(text);
    },
    onclosetag(tag) {
      depth--;
      if (SKIPPED.has(tag)) skipped--;
      else if (skipped > 0) return;
      else if (tag === 'w:t') isText = false;
      else if (tag === 'w:p') collected.end();
      else if (tag === 'w:tr') collected.endRow();
    },
  });
  for await (const text of zip.read(name)) {
    parser.write(text);
    yield* collected.take();
  }
  parser.end();
  yield* collected.take();
}

interface Handlers {
  onopentag(tag: string, attributes: Record<string, string>): void;
  ontext?(text: string): void;
  onclosetag(tag: string): void;
}

/** Knows the five entities of XML only, and fetches nothing. */
const xml = (handlers: Handlers): Parser => new Parser(handlers, { xmlMode: true, decodeEntities: true });
