import { LONGEST_PARAGRAPH, type Paragraph } from './paragraph.ts';

interface Open {
  text: string;
  level: number;
  isItem: boolean;
}

/**
 * Makes paragraphs and rows of what begins and ends while a .docx is read. Paragraphs can stand within others (text boxes),
 * tables within cells: an inner table becomes text of its cell.
 */
export function collectParagraphs() {
  const ready: Paragraph[] = [];
  const open: Open[] = [];
  /** The cells read so far of each open row. */
  const rows: string[][] = [];

  function push({ text, level, isItem }: Open): void {
    ready.push({ kind: isItem && level === 0 ? 'item' : 'text', text, level });
  }

  function addToCell(cells: string[], text: string): void {
    const last = cells.length - 1;
    if (last >= 0) cells[last] = `${cells[last]} ${text}`.slice(0, LONGEST_PARAGRAPH);
  }

  return {
    /** A paragraph. */
    begin(): void {
      open.push({ text: '', level: 0, isItem: false });
    },
    /** Formats the open paragraph, if there is one. */
    is(format: Partial<Omit<Open, 'text'>>): void {
      const paragraph = open.at(-1);
      if (paragraph) Object.assign(paragraph, format);
    },
    /** Text outside paragraphs is dropped; a paragraph that gets too long is cut here. */
    add(text: string): void {
      const paragraph = open.at(-1);
      if (!paragraph) return;
      paragraph.text += text;
      if (paragraph.text.length <= LONGEST_PARAGRAPH || rows.length > 0) return;
      push(paragraph);
      paragraph.text = '';
    },
    end(): void {
      const paragraph = open.pop();
      const cells = rows.at(-1);
      if (paragraph && cells) addToCell(cells, paragraph.text);
      else if (paragraph) push(paragraph);
    },
    beginRow(): void {
      rows.push([]);
    },
    beginCell(): void {
      rows.at(-1)?.push('');
    },
    endRow(): void {
      const cells = (rows.pop() ?? []).map((cell) => cell.replace(/\s+/g, ' ').trim()).filter(Boolean);
      const outer = rows.at(-1);
      if (outer && outer.length > 0) addToCell(outer, cells.join(' '));
      else if (cells.length > 0) ready.push({ kind: 'row', text: cells.join(' | '), level: 0 });
    },
    /** Takes the paragraphs completed since the last call. */
    take: (): Paragraph[] => ready.splice(0),
  };
}
