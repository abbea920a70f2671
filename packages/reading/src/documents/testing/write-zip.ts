import { crc32, deflateRawSync } from 'node:zlib';

export interface WrittenFile {
  readonly name: string;
  readonly content: string | Buffer;
  /** As the archive declares it; by default its length. */
  readonly declaredBytes?: number;
  /** Already compressed content, instead of `content`. */
  readonly deflated?: Buffer;
}

/** Writes a zip archive in pure code. */
export function writeZip(files: readonly WrittenFile[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declaredBytes, deflated = deflateRawSync(content) } of files) {
    const bytes = Buffer.from(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc(bytes), 10);
    fields.writeUInt32LE(deflated.length, 14);
    fields.writeUInt32LE(declaredBytes ?? bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const head = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name)]);
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(offset, 12);
    const version = Buffer.from([20, 0]);
    const sized = Buffer.concat([version, fields.subarray(0, 24), fields.subarray(24)]);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), sized, entry.subarray(2), Buffer.from(name)]));
    local.push(head, deflated);
    offset += head.length + deflated.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

/** Node 20.15 and later have it. */
const crc = (bytes: Buffer): number => crc32(bytes);
