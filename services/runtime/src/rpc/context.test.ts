import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAppError } from '../errors.ts';
import { type CallContext, contextSigner } from './context.ts';
import { randomId } from './ids.ts';
import { deriveKey } from './keys.ts';

const context: CallContext = {
  account: randomId(),
  scopes: ['chatbots:read', 'ключ'],
  requestId: randomId(),
  operation: randomId(),
};

const refuses = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return isAppError(error, 'unauthenticated');
  }
  return false;
};

test('a context signed by one process is read unchanged by another with the same secret', () => {
  expect(contextSigner('secret').verify(contextSigner('secret').sign(context))).toEqual(context);
});

test('a context is refused without a header, with another secret, or with any character changed', () => {
  const { sign, verify } = contextSigner('secret');
  expect(refuses(() => verify(undefined))).toBe(true);
  expect(refuses(() => verify(contextSigner('other').sign(context)))).toBe(true);
  const header = sign(context);
  // The last character of base64url has unused bits, so it alone may change without effect.
  fc.assert(
    fc.property(fc.nat({ max: header.length - 2 }), fc.constantFrom('A', 'b', '.', '-'), (at, char) => {
      const changed = header.slice(0, at) + char + header.slice(at + 1);
      return changed === header || refuses(() => verify(changed));
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => refuses(() => verify(text))));
});

test('a context is accepted for 5 minutes, and from a clock up to a minute ahead', () => {
  const issued = Date.UTC(2026, 0, 1);
  const header = contextSigner('secret', () => issued).sign(context);
  const at = (ms: number) => contextSigner('secret', () => issued + ms);
  expect(at(5 * 60_000).verify(header)).toEqual(context);
  expect(at(-60_000).verify(header)).toEqual(context);
  expect(refuses(() => at(5 * 60_000 + 1).verify(header))).toBe(true);
  expect(refuses(() => at(-60_001).verify(header))).toBe(true);
});

test('each purpose and each secret has its own key', () => {
  const keys = [deriveKey('a', 'cursor'), deriveKey('a', 'rpc-context'), deriveKey('b', 'cursor')];
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(3);
  expect(deriveKey('a', 'cursor')).toEqual(keys[0]);
});
