import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

const [SERVER_AUTH, CLIENT_AUTH] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];

/** Says why others refuse the certificate of a process that they call by `name`, and that calls others; undefined if they don't. */
export function certificateFault(pem: Buffer, name: string | undefined, now = Date.now()): string | undefined {
  const certificate = new X509Certificate(pem);
  const { validFrom, validTo, subjectAltName = 'nobody', keyUsage } = certificate;
  if (now > Date.parse(validTo)) return `the certificate has expired (${validTo})`;
  if (now < Date.parse(validFrom)) return `the certificate is not valid yet (${validFrom})`;
  if (name !== undefined && !(isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)))
    return `the certificate is for ${subjectAltName}, not for ${name}`;
  if (keyUsage && ![SERVER_AUTH, CLIENT_AUTH].every((usage) => keyUsage.includes(usage!)))
    return 'the certificate must be for servers and for clients (extended key usage serverAuth and clientAuth)';
  return undefined;
}
