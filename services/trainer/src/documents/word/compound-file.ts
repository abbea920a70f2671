import { Unreadable } from '../part.ts';
import { DAMAGED } from './paragraph.ts';

/** Special sector numbers are from here on. */
const LAST_SECTOR = 0xfffffffa;
const HEADER_TABLE = 0x4c;
const HEADER_TABLE_ENTRIES = 109;
const ENTRY_BYTES = 128;

/** The streams of a compound file (OLE) by name. @throws Unreadable if it is damaged. */
export function openCompoundFile(file: Buffer): ReadonlyMap<string, () => Buffer> {
  try {
    return streamsOf(file);
  } catch {
    throw new Unreadable(DAMAGED);
  }
}

function streamsOf(file: Buffer): ReadonlyMap<string, () => Buffer> {
  const sectorBytes = 1 << file.readUInt16LE(0x1e);
  const miniBytes = 1 << file.readUInt16LE(0x20);
  if (![512, 4096].includes(sectorBytes) || miniBytes !== 64) throw new Error('unknown sector size');
  const sector = (number: number) => file.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes);
  const table = allocationTable(file, sector, sectorBytes);
  const chain = (start: number) => Buffer.concat([...sectorsOf(start, table)].map(sector));

  const directory = chain(file.readUInt32LE(0x30));
  const miniTable = numbersOf(chain(file.readUInt32LE(0x3c)));
  const cutoff = file.readUInt32LE(0x38);
  const root = directory.subarray(0, ENTRY_BYTES);
  const streams = new Map<string, () => Buffer>();
  for (let at = ENTRY_BYTES; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const entry = directory.subarray(at, at + ENTRY_BYTES);
    const length = Math.min(entry.readUInt16LE(64), 64);
    if (entry[66] !== 2 || length < 2) continue;
    const name = entry.toString('utf16le', 0, length - 2);
    const [start, bytes] = [entry.readUInt32LE(116), entry.readUInt32LE(120)];
    // Embedded documents have streams of the same names; those of the document itself come first.
    if (streams.has(name)) continue;
    streams.set(name, () => {
      if (bytes >= cutoff) return chain(start).subarray(0, bytes);
      const minis = chain(root.readUInt32LE(116));
      const parts = [...sectorsOf(start, miniTable)].map((mini) => minis.subarray(mini * 64, mini * 64 + 64));
      return Buffer.concat(parts).subarray(0, bytes);
    });
  }
  return streams;
}

/** Which sector follows each one. */
function allocationTable(file: Buffer, sector: (number: number) => Buffer, sectorBytes: number): readonly number[] {
  const most = Math.ceil(file.length / sectorBytes);
  const parts = numbersOf(file.subarray(HEADER_TABLE, HEADER_TABLE + 4 * HEADER_TABLE_ENTRIES));
  let next = file.readUInt32LE(0x44);
  for (let read = 0; next < LAST_SECTOR; read++) {
    if (read > most) throw new Error('a loop of sectors');
    const more = numbersOf(sector(next));
    next = more.pop() ?? LAST_SECTOR;
    parts.push(...more);
  }
  const used = parts.filter((number) => number < LAST_SECTOR);
  if (used.length > most) throw new Error('too many sectors');
  return used.flatMap((number) => numbersOf(sector(number)));
}

function numbersOf(bytes: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) numbers.push(bytes.readUInt32LE(at));
  return numbers;
}

function* sectorsOf(start: number, table: readonly number[]): Generator<number> {
  let read = 0;
  for (let next = start; next < LAST_SECTOR; next = table[next] ?? LAST_SECTOR) {
    if (read++ > table.length) throw new Error('a loop of sectors');
    yield next;
  }
}
