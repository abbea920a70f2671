import { expect, test } from '@jest/globals';
import { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import fc from 'fast-check';
import { deriveKey } from '../derive-key.ts';
import { randomId } from '../ids.ts';
import { type CallContext, contextSigner, contextVerifier } from './context.ts';
import { codeOf } from './status.ts';

const context: CallContext = {
  account: randomId(),
  scopes: ['chatbots:read', 'ключ'],
  requestId: randomId(),
  operation: randomId(),
};
const { verifyKey, revokeApiKey } = AuthService.method;
const message = Buffer.from('a message');
const sign = contextSigner('secret', 'gateway');
const verify = contextVerifier('secret', AuthService, ['gateway', 'operator']);

/** The code of its refusal, or 'ok'. */
function outcome(header: string | undefined, { method = verifyKey, bytes = message, verifier = verify } = {}) {
  try {
    verifier(header, method as typeof verifyKey, bytes);
  } catch (error) {
    return codeOf(error);
  }
  return 'ok';
}

test('a context signed by one process is read unchanged by another with the same secret, with the role of its signer', () => {
  expect(verify(sign(context, verifyKey, message), verifyKey, message)).toEqual({ context, caller: 'gateway' });
});

test('a context is refused without a header, with another secret, or with any character changed', () => {
  expect(outcome(undefined)).toBe('unauthenticated');
  expect(outcome(contextSigner('other', 'gateway')(context, verifyKey, message))).toBe('unauthenticated');
  const header = sign(context, verifyKey, message);
  expect(outcome(header)).toBe('ok');
  // The last character of base64url has unused bits, so it alone may change without effect.
  fc.assert(
    fc.property(fc.nat({ max: header.length - 2 }), fc.constantFrom('A', 'b', '.', '-'), (at, char) => {
      const changed = header.slice(0, at) + char + header.slice(at + 1);
      return changed === header || outcome(changed) === 'unauthenticated';
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => outcome(text) === 'unauthenticated'));
});

test('a context is good for its own message to its own method only', () => {
  const header = sign(context, verifyKey, message);
  expect(outcome(header, { method: revokeApiKey as never })).toBe('unauthenticated');
  const { reply } = AssistantsService.method;
  const elsewhere = contextVerifier('secret', AssistantsService, ['gateway']);
  expect(outcome(header, { method: reply as never, verifier: elsewhere })).toBe('unauthenticated');
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      return message.equals(bytes) || outcome(header, { bytes: Buffer.from(bytes) }) === 'unauthenticated';
    }),
  );
});

test('a service refuses roles that may not call it, and a role that is claimed without its key', () => {
  expect(outcome(contextSigner('secret', 'assistants')(context, verifyKey, message))).toBe('unauthenticated');
  const [, ...signed] = sign(context, verifyKey, message).split('.');
  expect(outcome(['operator', ...signed].join('.'))).toBe('unauthenticated');
  expect(outcome(['__proto__', ...signed].join('.'))).toBe('unauthenticated');
});

test('a context is accepted for a minute, and from a clock up to a minute ahead; then its call may be repeated', () => {
  const issued = Date.UTC(2026, 0, 1);
  const header = contextSigner('secret', 'gateway', () => issued)(context, verifyKey, message);
  const at = (ms: number) =>
    outcome(header, { verifier: contextVerifier('secret', AuthService, ['gateway'], () => issued + ms) });
  expect([60_000, -60_000, 60_001, -60_001].map(at)).toEqual(['ok', 'ok', 'unavailable', 'unavailable']);
});

test('each purpose, each name within it and each secret has its own key', () => {
  const keys = [
    deriveKey('a', 'cursor'),
    deriveKey('a', 'rpc-context', 'gateway', 'x'),
    deriveKey('a', 'rpc-context', 'auth', 'x'),
    deriveKey('b', 'cursor'),
  ];
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(4);
  expect(deriveKey('a', 'cursor')).toEqual(keys[0]);
});
