declare module 'yauzl' {
  export interface Entry {
    readonly fileName: string;
    readonly compressedSize: number;
    readonly uncompressedSize: number;
    isEncrypted(): boolean;
  }
  export interface ZipFile {
    readonly entryCount: number;
    readEntry(): void;
    on(event: 'entry', listener: (entry: Entry) => void): void;
    on(event: 'end' | 'error', listener: () => void): void;
    openReadStream(
      entry: Entry,
      callback: (error: Error | null, stream?: import('node:stream').Readable) => void,
    ): void;
  }
  export function fromBuffer(
    file: Buffer,
    options: { lazyEntries: boolean; validateEntrySizes: boolean },
    callback: (error: Error | null, zip?: ZipFile) => void,
  ): void;
}
