import { TextDecoder } from 'node:util';
import { type Entry, fromBuffer } from 'yauzl';
import { markOf } from '../../text/charset.ts';
import { Unreadable } from '../part.ts';
import { DAMAGED, ENCRYPTED } from './paragraph.ts';

const MAX_ENTRIES = 5_000;
/** The most bytes of one uncompressed file. */
const MAX_BYTES = 256 * 1024 * 1024;
/** How many times its compressed size a file may have. Word's text compresses to a tenth, at best to a fiftieth. */
const MAX_RATIO = 200;
/** Small files may be compressed better. */
const SMALL_BYTES = 4 * 1024 * 1024;

const BOMB =
  'This Word document unpacks to more than any document has, so it was not read. Save it again, or upload a PDF.';

export interface Zip {
  /** The name of the first file that matches. */
  find(name: RegExp): string | undefined;
  /** The text of an XML file, in parts. */
  read(name: string): AsyncGenerator<string>;
}

/** @throws Unreadable if it is damaged, encrypted, or unpacks to too much. */
export async function openZip(file: Buffer): Promise<Zip> {
  const entries = await entriesOf(file);
  return {
    find: (name) => [...entries.keys()].find((each) => name.test(each)),
    async *read(name) {
      const { entry, open } = entries.get(name)!;
      if (entry.isEncrypted()) throw new Unreadable(ENCRYPTED);
      const { compressedSize, uncompressedSize } = entry;
      const isBomb = uncompressedSize > SMALL_BYTES && uncompressedSize > compressedSize * MAX_RATIO;
      if (isBomb || uncompressedSize > MAX_BYTES) throw new Unreadable(BOMB);
      try {
        let decoder: TextDecoder | undefined;
        // The library fails if the file is larger than it says.
        for await (const part of await open()) {
          decoder ??= new TextDecoder(markOf(part as Buffer) ?? 'utf-8');
          yield decoder.decode(part as Buffer, { stream: true });
        }
      } catch (error) {
        throw error instanceof Unreadable ? error : new Unreadable(DAMAGED);
      }
    },
  };
}

interface Opened {
  readonly entry: Entry;
  open(): Promise<AsyncIterable<unknown>>;
}

function entriesOf(file: Buffer): Promise<Map<string, Opened>> {
  const entries = new Map<string, Opened>();
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Unreadable(DAMAGED));
    fromBuffer(file, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error || !zip) return fail();
      if (zip.entryCount > MAX_ENTRIES) return reject(new Unreadable(BOMB));
      zip.on('error', fail);
      zip.on('end', () => resolve(entries));
      zip.on('entry', (entry: Entry) => {
        const open = () =>
          new Promise<AsyncIterable<unknown>>((opened, failed) => {
            zip.openReadStream(entry, (error, stream) => (stream ? opened(stream) : failed(error)));
          });
        if (!entries.has(entry.fileName)) entries.set(entry.fileName, { entry, open });
        zip.readEntry();
      });
      zip.readEntry();
    });
  });
}
