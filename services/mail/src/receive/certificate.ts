import { readFile } from 'node:fs/promises';
import { ConfigError, createLoop, type Log, type Loop } from '@parley/runtime';

export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

const REST_MS = 60_000;

/** @throws ConfigError that names the file */
export async function readCertificate({ cert, key }: { cert: string; key: string }): Promise<Certificate> {
  const read = (file: string, name: string) =>
    readFile(file).catch((error) => {
      throw new ConfigError(`The file of ${name} can't be read: ${(error as NodeJS.ErrnoException).code}.`);
    });
  return { cert: await read(cert, 'MAIL_TLS_CERT'), key: await read(key, 'MAIL_TLS_KEY') };
}

/** Reads the files again now and then: who renews a certificate replaces them. */
export function watchCertificate(
  files: { cert: string; key: string },
  log: Log,
  renewed: (certificate: Certificate) => void,
): Loop {
  let known: Certificate | undefined;
  async function round() {
    const found = await readCertificate(files);
    if (known && !(found.cert.equals(known.cert) && found.key.equals(known.key))) renewed(found);
    known = found;
  }
  return createLoop({ name: 'certificate', restMs: REST_MS, log, round });
}
