/** A page: its lines, from the top; `size` and `x` apply to a line. */
export interface WrittenLine {
  readonly text: string;
  readonly size?: number;
  /** From the left edge, in points. */
  readonly x?: number;
  /** From the top, in points; by default below the line before. */
  readonly y?: number;
}

const HEIGHT = 842;

/** An image that fills a page. */
export interface WrittenImage {
  /** Its entries, such as `/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 8`. */
  readonly dictionary: string;
  readonly data: Buffer;
}

type WrittenPage = readonly (string | WrittenLine)[] | { content: string | Buffer } | { image: WrittenImage };

/** Writes a PDF in pure code, with one font. `content` replaces what the lines of a page would draw. */
export function writePdf(pages: Iterable<WrittenPage>): Buffer {
  const objects: Buffer[] = [];
  const add = (body: string | Buffer) => objects.push(Buffer.from(body));
  add('<</Type/Catalog/Pages 2 0 R>>');
  add('');
  add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const kids: number[] = [];
  for (const page of pages) {
    const stream = add(streamOf('', Buffer.from(contentOf(page), 'latin1')));
    const image =
      'image' in page && add(streamOf(`/Type/XObject/Subtype/Image${page.image.dictionary}`, page.image.data));
    const resources = `<</Font<</F1 3 0 R>>${image ? `/XObject<</Image ${image} 0 R>>` : ''}>>`;
    kids.push(
      add(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 ${HEIGHT}]/Resources${resources}/Contents ${stream} 0 R>>`),
    );
  }
  objects[1] = Buffer.from(`<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`);
  return assemble(objects);
}

const streamOf = (entries: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<<${entries}/Length ${data.length}>>stream\n`), data, Buffer.from('\nendstream')]);

function contentOf(page: WrittenPage): string {
  if ('image' in page) return `q 595 0 0 ${HEIGHT} 0 0 cm /Image Do Q`;
  return 'content' in page ? Buffer.from(page.content).toString('latin1') : drawn(page);
}

function drawn(lines: readonly (string | WrittenLine)[]): string {
  let y = 60;
  let content = '';
  for (const line of lines) {
    const { text, size = 11, x = 60, ...given } = typeof line === 'string' ? { text: line } : line;
    y = given.y ?? y + size * 1.3;
    const escaped = text.replace(/[\\()]/g, '\\$&');
    content += `BT /F1 ${size} Tf 1 0 0 1 ${x} ${HEIGHT - y} Tm (${escaped}) Tj ET\n`;
  }
  return content;
}

function assemble(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  let length = parts[0]!.length;
  const offsets = objects.map((object, i) => {
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj`), object, Buffer.from('endobj\n')]);
    const at = length;
    parts.push(part);
    length += part.length;
    return at;
  });
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
