import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';

/** Characters, about 200 tokens: the local model reads 256, and a citation should point at one thought. */
const PIECE = 800;

/** Ends pieces at paragraphs, lines or sentences where it can, and lets them overlap a little where it can't. */
const splitter = new RecursiveCharacterTextSplitter({
  chunkSize: PIECE,
  chunkOverlap: 80,
  separators: ['\n\n', '\n', '. ', ' ', ''],
});

/**
 * The pieces of a text, in order; none of a blank one. A heading (`## `) begins a new piece, because a piece about two
 * things is near to neither; a section that makes several has its heading on each of them.
 */
export async function split(text: string): Promise<string[]> {
  const pieces = await Promise.all(sections(text).map(piecesOf));
  return pieces.flat();
}

interface Section {
  /** Of a section without words of its own, with those of the next one below. */
  heading: string;
  body: string;
}

function sections(text: string): Section[] {
  const found: Section[] = [];
  let above = '';
  for (const part of text.split(/^(?=#{1,6} )/m)) {
    const [, heading = '', body = ''] = /^(#{1,6} .*\n?)?([\s\S]*)$/.exec(part)!;
    const headings = above + heading;
    if (body.trim() === '' && headings.length < PIECE) above = headings;
    else {
      found.push(body.trim() === '' ? { heading: '', body: headings } : { heading: headings, body });
      above = '';
    }
  }
  return [...found, { heading: '', body: above }];
}

async function piecesOf({ heading, body }: Section): Promise<string[]> {
  const pieces = await splitter.splitText(body);
  return pieces.filter((piece) => piece.trim() !== '').map((piece) => `${heading}\n${piece}`.trim());
}
