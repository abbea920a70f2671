import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const openssl = (...args: string[]) => promisify(execFile)('openssl', args);

export interface Issuing {
  /** The name of the CA, which was issued in the same directory; absent: the certificate is a CA itself. */
  by?: string;
  /** Names that it is for, as OpenSSL writes them. */
  names?: string;
  /** Has it expire yesterday instead of the day after tomorrow. */
  expired?: boolean;
}

/** Writes a key and a certificate into the directory, as `<name>.key` and `<name>.crt`. */
export async function issue(directory: string, name: string, { by, names, expired }: Issuing = {}): Promise<void> {
  const file = (of: string) => join(directory, of);
  const subject = ['-subj', `/CN=${name}`, '-newkey', 'rsa:2048', '-nodes', '-keyout', file(`${name}.key`)];
  if (by === undefined) {
    await openssl('req', '-x509', ...subject, '-days', '2', '-out', file(`${name}.crt`));
    return;
  }
  await openssl('req', ...subject, '-out', file(`${name}.csr`));
  await writeFile(file(`${name}.ext`), `subjectAltName=${names ?? 'IP:127.0.0.1'}\n`);
  const signed = ['-CA', file(`${by}.crt`), '-CAkey', file(`${by}.key`), '-days', expired ? '-1' : '2'];
  const paths = ['-in', file(`${name}.csr`), '-extfile', file(`${name}.ext`), '-out', file(`${name}.crt`)];
  await openssl('x509', '-req', ...signed, ...paths);
}
