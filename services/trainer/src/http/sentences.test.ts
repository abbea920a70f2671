import { expect, test } from '@jest/globals';
import { OutboundError, type OutboundFailure } from '@parley/runtime/outbound';
import { LateAnswer, LoadError } from './load-error.ts';
import { loadErrorOf } from './sentences.ts';

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
