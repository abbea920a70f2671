import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';

/**
 * Pieces of at most 800 characters, about 200 tokens: the local model reads 256, and a citation should point at one
 * thought. They end at headings, paragraphs, lines or sentences where they can, and overlap a little where they can't.
 */
const splitter = RecursiveCharacterTextSplitter.fromLanguage('markdown', { chunkSize: 800, chunkOverlap: 80 });

/** The pieces of a text, in order; none of a blank one. */
export const split = async (text: string): Promise<string[]> =>
  (await splitter.splitText(text)).filter((piece) => piece.trim() !== '');
