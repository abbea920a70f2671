import { type CFB$Container, find, read } from 'cfb';
import { Unreadable } from '../part.ts';
import { DAMAGED } from './paragraph.ts';

export interface CompoundFile {
  /** The stream of this name, which is the document's own: embedded documents have streams of the same names. */
  stream(name: string): Buffer | undefined;
  readonly isEmpty: boolean;
}

/** Opens a compound file (OLE). @throws Unreadable if it is damaged. */
export function openCompoundFile(file: Buffer): CompoundFile {
  const container = containerOf(file);
  return {
    stream(name) {
      const content = find(container, `/${name}`)?.content;
      return content && Buffer.from(content);
    },
    // The root is an entry, too.
    isEmpty: container.FileIndex.length < 2,
  };
}

function containerOf(file: Buffer): CFB$Container {
  try {
    return read(file, { type: 'buffer' });
  } catch {
    throw new Unreadable(DAMAGED);
  }
}
