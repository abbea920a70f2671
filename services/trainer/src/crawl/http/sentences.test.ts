import { expect, test } from '@jest/globals';
import { OutboundError, type OutboundFailure } from '@parley/runtime/outbound';
import { LateAnswer, LoadError, PassingFailure } from './load-error.ts';
import { isPassing, loadErrorOf } from './sentences.ts';

const network = (code: string): OutboundFailure => ({ kind: 'network', host: 'example.org', code });

test.each<[OutboundFailure, string]>([
  [{ kind: 'not_an_address', text: 'x' }, '"x" is not an address.'],
  [{ kind: 'refused', sentence: 'It is private.' }, 'It is private.'],
  [{ kind: 'address_too_long', maxLength: 2048 }, 'An address of more than 2048 characters is not read.'],
  [{ kind: 'bad_redirect' }, 'The page redirects to something that is not an address.'],
  [{ kind: 'too_many_redirects', max: 5 }, 'The page redirects more than 5 times.'],
  [{ kind: 'too_large', maxBytes: 100_000 }, 'The page is larger than 100 KB.'],
  [{ kind: 'unknown_coding', coding: 'zstd' }, "The page is compressed in a way that can't be read (zstd)."],
  [network('ENOTFOUND'), 'There is no site named example.org.'],
  [network('ECONNREFUSED'), 'example.org refused the connection.'],
  [network('not_http'), 'example.org answered with something that is not HTTP.'],
  [network('UND_ERR_HEADERS_OVERFLOW'), 'example.org answered with headers that are too large.'],
  [network('UND_ERR_SOCKET'), 'example.org closed the connection before the page was complete.'],
  [network('CERT_HAS_EXPIRED'), 'The certificate of example.org is not trusted (CERT_HAS_EXPIRED).'],
  [network('Z_DATA_ERROR'), 'The page is damaged: it is not compressed as it says.'],
  [network(''), 'example.org could not be read.'],
])('the owner of an item reads %j as: %s', (failure, sentence) => {
  const error = loadErrorOf(new OutboundError(failure));
  expect(error).toBeInstanceOf(LoadError);
  expect(error.message).toBe(sentence);
});

test('a late answer is distinguished from other failures', () => {
  const late = loadErrorOf(new OutboundError({ kind: 'timeout', timeoutMs: 300 }));
  expect(late).toBeInstanceOf(LateAnswer);
  expect(late.message).toBe('The page took longer than 0.3 seconds to answer.');
  expect(loadErrorOf(new OutboundError({ kind: 'bad_redirect' }))).not.toBeInstanceOf(LateAnswer);
});

test('failures that may pass are distinguished from those that will not', () => {
  const passes = (failure: OutboundFailure) => loadErrorOf(new OutboundError(failure)) instanceof PassingFailure;
  const passing = ['ENOTFOUND', 'ECONNREFUSED', 'UND_ERR_SOCKET', 'CERT_HAS_EXPIRED', ''].map(network);
  expect(passing.map(passes)).toEqual(passing.map(() => true));
  expect(passes({ kind: 'timeout', timeoutMs: 300 })).toBe(true);
  const lasting: OutboundFailure[] = [
    network('Z_DATA_ERROR'),
    { kind: 'bad_redirect' },
    { kind: 'too_large', maxBytes: 1 },
  ];
  expect(lasting.map(passes)).toEqual(lasting.map(() => false));
  expect([500, 503, 599, 429, 408].map(isPassing)).toEqual([true, true, true, true, true]);
  expect([404, 410, 403, 401, 451, 304].map(isPassing)).toEqual([false, false, false, false, false, false]);
});
