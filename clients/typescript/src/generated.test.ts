import { expect, test } from '@jest/globals';
import { clientTypes, committedTypes } from '../generate/client-types.ts';

test('the generated types are those of the routes; if not, run `npm run client`', async () => {
  expect(await clientTypes()).toBe(committedTypes());
});
