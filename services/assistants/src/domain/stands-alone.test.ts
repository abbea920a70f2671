import { expect, test } from '@jest/globals';
import { standsAlone } from './stands-alone.ts';

test.each([
  'and how much does it cost?',
  'What about Sundays?',
  'Why?',
  'How do I remove it?',
  'And in winter?',
  'Is there another one?',
  'und was kostet das?',
  'Wie lange dauert es?',
  'چقدر طول می‌کشد این؟',
])('"%s" needs what was said before', (question) => {
  expect(standsAlone(question)).toBe(false);
});

test.each([
  'How do I find out which package a file belongs to?',
  'What is the Debian Social Contract?',
  'How long is the warranty of the pump?',
  'How do I remove a package so that its configuration files stay on the disk?',
  'Wie lange ist die Garantie der Pumpe?',
])('"%s" can be understood alone', (question) => {
  expect(standsAlone(question)).toBe(true);
});
