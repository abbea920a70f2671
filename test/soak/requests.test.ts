import { expect, test } from '@jest/globals';
import { kindOf } from './requests.ts';

test.each([
  ['GET', '/v1/knowledge', 'list'],
  ['GET', '/v1/chatbot/abc/knowledge', 'list'],
  ['GET', '/v1/ticket-form/abc/tickets/def/history', 'list'],
  ['GET', '/v1/knowledge/abc', 'read'],
  ['GET', '/v1/me', 'read'],
  ['PUT', '/v1/knowledge/abc/train', 'write'],
  ['PUT', '/v1/knowledge/abc/upload', 'upload'],
  ['POST', '/v1/chatbot/abc/reply', 'reply'],
  ['POST', '/v1/ticket-form/abc/tickets/def/reply', 'write'],
  ['DELETE', '/v1/chatbot/abc/knowledge', 'delete'],
])('%s %s is counted as %s', (method, path, kind) => {
  expect(kindOf(method, path)).toBe(kind);
});
