import { expect, test } from '@jest/globals';
import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { isDatabaseUnavailable, translateMongoError } from './errors.ts';

const refusal = (code: number) => new MongoServerError({ message: 'x', code });
const bulk = (error: Error) => new MongoBulkWriteError(error as never, {} as never);
const overloaded = new MongoServerError({ message: 'x', code: 462, errorLabels: ['RetryableError'] });

test.each<[string, Error]>([
  ['a lost connection', new MongoNetworkError('x')],
  ['no server to be found', new MongoServerSelectionError('x', {} as never)],
  ['a new primary', refusal(10107)],
  ['a server that shuts down', refusal(11600)],
  ['no majority', refusal(100)],
  ['an index build cut off by a shutdown', refusal(276)],
  ['an overloaded server', overloaded],
  ['a connection lost in a bulk write', bulk(new MongoNetworkError('x'))],
  ['a new primary during a bulk write', bulk(refusal(10107))],
])('%s means that the database is unavailable, and callers get UNAVAILABLE', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(translateMongoError(error)).toMatchObject({ code: 'unavailable', cause: error });
});

test.each<[string, unknown]>([
  ['a duplicate key', refusal(11000)],
  ['a duplicate key in a bulk write', bulk(refusal(11000))],
  ['a failed validation', refusal(121)],
  ['an invalid argument', new MongoInvalidArgumentError('x')],
  ['an address that does not parse', new MongoParseError('x')],
  ['an error of our own', new Error('x')],
  ['no error', undefined],
])('%s is not taken for an unavailable database', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(false);
  expect(translateMongoError(error)).toBeUndefined();
});

test('driver errors without a code mean that the database is unavailable', () => {
  expect(isDatabaseUnavailable(new MongoError('x'))).toBe(true);
});
