import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { dkimVerdict, isAuthenticated } from '../domain/senders.ts';
import { createCheckSender } from './check-sender.ts';
import { createMailReader } from './mail-reader.ts';

const privateKey = readFileSync(new URL('../testing/dkim.key.pem', import.meta.url), 'utf8');
const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');

/** DNS records of example.com; example.net has a key and servers of its own. */
const DNS: Record<string, string[][]> = {
  'TXT s._domainkey.example.com': [[`v=DKIM1; k=rsa; p=${publicKey}`]],
  'TXT s._domainkey.example.net': [[`v=DKIM1; k=rsa; p=${publicKey}`]],
  'TXT example.com': [['v=spf1 ip4:192.0.2.1 -all']],
  'TXT example.net': [['v=spf1 ip4:192.0.2.2 -all']],
  'TXT _dmarc.example.com': [['v=DMARC1; p=reject']],
};
const reader = createMailReader();
afterAll(() => reader.stop?.());
let lookUps = 0;
const check = createCheckSender('parley.example', reader, async (name: string, type: string) => {
  lookUps += 1;
  const found = DNS[`${type} ${name.toLowerCase()}`];
  if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return found as never;
});

interface Sent {
  from?: string;
  /** The domain that signs it. */
  signedBy?: string;
  ip?: string;
  envelopeFrom?: string;
  changed?: (raw: string) => string;
}

async function checked({ from = 'ann@example.com', signedBy, ip = '203.0.113.9', ...more }: Sent) {
  const { envelopeFrom = from, changed = (raw) => raw } = more;
  const dkim = signedBy && { dkim: { domainName: signedBy, keySelector: 's', privateKey } };
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...dkim });
  const { message } = await composer.sendMail({ from, to: 'x@parley.example', subject: 'Lamp', text: 'Why?' });
  const raw = Buffer.from(changed(String(message)));
  const found = await check(raw, { ip, helo: 'mx.example.org', envelopeFrom });
  const { spf, dkim: signatures, dmarc } = found;
  return { spf: spf.result, dkim: dkimVerdict(signatures), dmarc, authenticated: isAuthenticated(found, from) };
}

test.each<[string, Sent, object]>([
  ['its domain has signed', { signedBy: 'example.com' }, { dkim: 'pass', dmarc: 'pass', authenticated: true }],
  ['its domain’s server sends', { ip: '192.0.2.1' }, { spf: 'pass', dmarc: 'pass', authenticated: true }],
  ['nobody vouches for', {}, { spf: 'fail', dkim: 'none', dmarc: 'fail', authenticated: false }],
  ['another domain has signed', { signedBy: 'example.net' }, { dkim: 'pass', dmarc: 'fail', authenticated: false }],
  [
    'another domain’s server sends',
    { ip: '192.0.2.2', envelopeFrom: 'eve@example.net' },
    { spf: 'pass', dmarc: 'fail', authenticated: false },
  ],
  [
    'was changed after it was signed',
    { signedBy: 'example.com', changed: (raw) => raw.replace('Why?', 'Now?') },
    { authenticated: false },
  ],
  [
    'was signed with another author',
    { signedBy: 'example.com', changed: (raw) => raw.replace('ann@example.com', 'bob@example.com') },
    { authenticated: false },
  ],
  [
    'has a second author above the signed one',
    { signedBy: 'example.com', changed: (raw) => `From: eve@example.net\r\n${raw}` },
    { authenticated: false },
  ],
])('a message that %s', async (_, sent, expected) => {
  expect(await checked(sent)).toMatchObject(expected);
});

test('without DNS nothing is believed, and a message with many signatures costs no look-up', async () => {
  const away = createCheckSender('parley.example', reader, () =>
    Promise.reject(Object.assign(new Error(), { code: 'ESERVFAIL' })),
  );
  const raw = Buffer.from('From: ann@example.com\r\n\r\nWhy?');
  const peer = { ip: '192.0.2.1', helo: 'x', envelopeFrom: 'ann@example.com' };
  expect(isAuthenticated(await away(raw, peer), 'ann@example.com')).toBe(false);
  const before = lookUps;
  const signed = Buffer.from(`${'DKIM-Signature: v=1; d=example.com; s=s\r\n'.repeat(11)}${raw}`);
  expect(isAuthenticated(await check(signed, peer), 'ann@example.com')).toBe(false);
  expect(lookUps).toBe(before);
});
