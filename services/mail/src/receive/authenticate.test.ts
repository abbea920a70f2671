import { generateKeyPairSync } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { dkimSign } from 'mailauth';
import { createCheckSender } from './check-sender.ts';
import { createMailReader } from './mail-reader.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const RECORDS: Record<string, string[][]> = {
  'TXT s._domainkey.example.com': [[`v=DKIM1; k=rsa; p=${key}`]],
  'TXT example.com': [['v=spf1 include:a.example.com -all']],
  'TXT a.example.com': [['v=spf1 include:b.example.com -all']],
  'TXT b.example.com': [['v=spf1 ip4:203.0.113.1 -all']],
  'TXT _dmarc.example.com': [['v=DMARC1; p=reject']],
};
const lookUp = async (name: string, type: string) => {
  const records = RECORDS[`${type} ${name}`];
  if (!records) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
  return records;
};

const reader = createMailReader();
afterAll(() => reader.stop?.());
const check = createCheckSender('parley.localhost', reader, lookUp);
const peer = { ip: '203.0.113.1', helo: 'mx.example.com', envelopeFrom: 'ann@example.com' };

const mail = (body: string) => `From: Ann <ann@example.com>\r\nSubject: Lamp\r\n\r\n${body}`;
async function signed(body: string): Promise<string> {
  const signer = {
    ...{ signingDomain: 'example.com', selector: 's' },
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
  const { signatures } = await dkimSign(mail(body), {
    ...{ canonicalization: 'relaxed/relaxed', signatureData: [signer] },
    ...signer,
  });
  return signatures;
}

test('what the DNS says of a domain, however many questions that takes, vouches for its senders', async () => {
  const raw = Buffer.from((await signed('It flickers.\r\n')) + mail('It flickers.\r\n'));
  expect(await check(raw, peer)).toEqual({
    spf: { result: 'pass', domain: 'example.com' },
    dkim: [{ result: 'pass', isAligned: true, isWhole: true }],
    dmarc: 'pass',
    authors: ['ann@example.com'],
  });
});

test('a message that was changed, from elsewhere, is vouched for by nobody', async () => {
  const raw = Buffer.from((await signed('It flickers.\r\n')) + mail('Pay me.\r\n'));
  const { spf, dkim, dmarc } = await check(raw, { ...peer, ip: '203.0.113.2' });
  expect([spf.result, dkim[0]!.result, dmarc]).toEqual(['fail', 'neutral', 'fail']);
});

test('signatures that take long to check stall nobody else', async () => {
  const signature = (i: number) =>
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=s; h=from; l=${1e9 + i}; bh=AAAA; b=AAAA\r\n`;
  const head = Array.from({ length: 10 }, (_, i) => signature(i)).join('');
  const raw = Buffer.from(head + mail(' \r\n'.repeat(700_000)));
  const before = process.cpuUsage();
  const began = performance.now();
  await check(raw, peer);
  const { user } = process.cpuUsage(before);
  // Hashing takes seconds of a processor, in another process: this one waits meanwhile.
  expect(user / 1_000).toBeLessThan((performance.now() - began) / 2);
});
