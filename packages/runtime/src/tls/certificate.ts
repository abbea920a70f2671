import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../env.ts';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';

/** Paths of files in PEM. */
export interface CertificateFiles {
  cert: string;
  key: string;
  /** Certificates of the CAs whose certificates are accepted from others. */
  ca?: string;
}

export type Certificate<F extends CertificateFiles = CertificateFiles> = { [N in keyof F]: Buffer };

/** Kubernetes itself takes up to a minute to replace the files of a Secret. */
const REST_MS = 10_000;

/** @throws ConfigError that names the file */
export function readCertificate<F extends CertificateFiles>(files: F): Certificate<F> {
  const read = Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, readFile(file)]),
  ) as unknown as Certificate<F>;
  try {
    createSecureContext({ ...read });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${Object.values(files).join(' and ')} are not a certificate and its key in PEM: ${code}.`);
  }
  return read;
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError(`The file ${file} can't be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/**
 * Reads the files again now and then: who renews a certificate replaces them. Files that do not belong together, as between
 * two writes, count as not renewed yet.
 *
 * @param known what was read last
 */
export function watchCertificate<F extends CertificateFiles>(
  files: F,
  log: Log,
  known: Certificate<F>,
  renewed: (certificate: Certificate<F>) => void,
): Loop {
  const names = Object.keys(files) as (keyof F)[];
  async function round() {
    const found = readCertificate(files);
    if (names.every((name) => found[name].equals(known[name]))) return;
    known = found;
    renewed(found);
  }
  return createLoop({ name: 'certificate', restMs: REST_MS, log, round });
}
