/**
 * The published engine is linked against glibc 2.38 but needs very little of it: the C23 variants of `strtol` and friends
 * (`__isoc23_strtol`), which newer compilers choose by default, and a faster `fmod`. Debian 12 has glibc 2.36, which has
 * both under their older names. So the requirements are rewritten, but none of the code.
 *
 * An ELF library lists the symbols it needs, and the libraries they come from, in four tables:
 *
 * - `.dynsym`: 24 bytes per symbol; the first four are the offset of its name in the string table;
 * - `.gnu.version`: two bytes per symbol: the number of the version it is bound to;
 * - `.gnu.version_r`: for each required library, a chain of versions with number, name and flags. The loader refuses to
 *   start if one is missing, unless it is flagged as weak;
 * - the string table, which contains all names.
 */
const NEWER = 'GLIBC_2.38';
const C23_PREFIX = '__isoc23_';
const WEAK = 0x2;
/** The version number of a symbol that is bound to no particular version: the loader takes the library's oldest. */
const UNVERSIONED = 1;
const SECTION = { dynsym: 11, versionNeeds: 0x6ffffffe, versions: 0x6fffffff };
const SYMBOL_SIZE = 24;

/** Rewrites a 64-bit little-endian ELF library, in place, so that glibc 2.36 loads it. Throws for any other file. */
export function forOlderGlibc(elf: Buffer): Buffer {
  const { symbols, strings, versions, needs } = tables(elf);
  const newer = new Set<number>();
  for (const version of neededVersions(elf, needs)) {
    if (name(elf, strings.offset + elf.readUInt32LE(version + 8)) !== NEWER) continue;
    elf.writeUInt16LE(elf.readUInt16LE(version + 4) | WEAK, version + 4);
    newer.add(elf.readUInt16LE(version + 6));
  }
  for (let i = 0; i < symbols.size / SYMBOL_SIZE; i++) {
    const bound = versions.offset + 2 * i;
    if (!newer.has(elf.readUInt16LE(bound))) continue;
    elf.writeUInt16LE(UNVERSIONED, bound);
    const symbol = symbols.offset + SYMBOL_SIZE * i;
    const nameAt = elf.readUInt32LE(symbol);
    if (name(elf, strings.offset + nameAt).startsWith(C23_PREFIX)) {
      elf.writeUInt32LE(nameAt + C23_PREFIX.length, symbol);
    }
  }
  return elf;
}

interface Section {
  type: number;
  offset: number;
  size: number;
  /** The section that contains this one's names. */
  link: number;
  /** For the version needs: how many libraries are listed. */
  info: number;
}

function tables(elf: Buffer) {
  const isElf64LittleEndian = elf.length > 64 && elf.readUInt32BE(0) === 0x7f454c46 && elf.readUInt16BE(4) === 0x0201;
  const sections = isElf64LittleEndian ? sectionsOf(elf) : [];
  const symbols = sections.find(({ type }) => type === SECTION.dynsym);
  const versions = sections.find(({ type }) => type === SECTION.versions);
  const needs = sections.find(({ type }) => type === SECTION.versionNeeds);
  const strings = symbols && sections[symbols.link];
  if (!symbols || !strings || !versions || !needs) throw new Error('Not a 64-bit ELF library with versioned symbols.');
  return { symbols, strings, versions, needs };
}

function sectionsOf(elf: Buffer): Section[] {
  const start = Number(elf.readBigUInt64LE(0x28));
  const size = elf.readUInt16LE(0x3a);
  return Array.from({ length: elf.readUInt16LE(0x3c) }, (_, i) => {
    const header = start + i * size;
    return {
      type: elf.readUInt32LE(header + 4),
      offset: Number(elf.readBigUInt64LE(header + 24)),
      size: Number(elf.readBigUInt64LE(header + 32)),
      link: elf.readUInt32LE(header + 40),
      info: elf.readUInt32LE(header + 44),
    };
  });
}

/** The offsets of all version entries: each library has a chain of them, and the libraries are a chain themselves. */
function* neededVersions(elf: Buffer, needs: Section): Generator<number> {
  let library = needs.offset;
  for (let i = 0; i < needs.info; i++) {
    let version = library + elf.readUInt32LE(library + 8);
    for (let j = 0; j < elf.readUInt16LE(library + 2); j++) {
      yield version;
      version += elf.readUInt32LE(version + 12);
    }
    library += elf.readUInt32LE(library + 12);
  }
}

function name(elf: Buffer, at: number): string {
  return elf.toString('latin1', at, elf.indexOf(0, at));
}
