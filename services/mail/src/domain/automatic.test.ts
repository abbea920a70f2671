import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readMail } from '@parley/reading/mail';
import { isAutomatic, reportedMail } from './automatic.ts';

const domain = 'parley.example';
const person = {
  envelopeFrom: 'ann@example.com',
  from: 'ann@example.com',
  messageId: 'a@example.com',
  headers: {},
  domain,
};

test.each([
  ['the null sender', { envelopeFrom: '' }],
  ['Auto-Submitted', { headers: { 'auto-submitted': 'auto-replied' } }],
  ['Precedence', { headers: { precedence: 'bulk' } }],
  ['a list', { headers: { 'list-id': '<l.example.com>' } }],
  ['a suppressed response', { headers: { 'x-auto-response-suppress': 'OOF' } }],
  ['a report', { headers: { 'content-type': 'multipart/report; report-type=delivery-status' } }],
  ['a Message-ID of ours', { messageId: `x@${domain}` }],
  ['an author of ours', { from: `support@${domain}` }],
  ['a mail server', { from: 'MAILER-DAEMON@mx.example.com' }],
])('%s is the mark of a program', (_, mark) => {
  expect(isAutomatic({ ...person, ...mark })).toBe(true);
});

test('a person is not taken for a program', () => {
  const headers = { 'auto-submitted': 'no', precedence: 'first-class', 'content-type': 'text/plain' };
  expect(isAutomatic({ ...person, headers })).toBe(false);
});

const CORPUS = new URL('../../../../packages/reading/src/mail/testing/mails/', import.meta.url);
const read = (name: string) => readMail({ raw: readFileSync(new URL(`${name}.eml`, CORPUS)), cut: true });

test.each(['en', 'de', 'fr', 'es', 'pt', 'ja'])(
  'a notice of absence (%s) is of a program, and no bounce',
  async (language) => {
    const mail = await read(`out-of-office-${language}`);
    expect(isAutomatic({ ...person, headers: mail.headers })).toBe(true);
    expect(reportedMail({ ...mail, envelopeFrom: '', domain })).toBeUndefined();
  },
);

test.each(['postfix', 'exchange', 'qmail'])('a bounce (%s) names the mail that came back', async (dialect) => {
  const mail = await read(`bounce-${dialect}`);
  expect(reportedMail({ ...mail, envelopeFrom: '', domain })).toBe('answer');
  // Anybody can write one; only the null sender is believed.
  expect(reportedMail({ ...mail, envelopeFrom: 'eve@example.com', domain })).toBeUndefined();
});
