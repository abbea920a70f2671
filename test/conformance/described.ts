/** Compares all answers that the other files of this folder get with the OpenAPI description. Must be imported last. */
import { expect, test } from '@jest/globals';
import { observers } from '../e2e/api.ts';
import { isWhole } from './classes.ts';
import { described } from './description.ts';
import { baseUrl } from './given.ts';
import { createJudge } from './judge.ts';

const description = await described(baseUrl);
const judge = createJudge(description);
/** Statuses that tests provoke for every operation that has them. */
const PROVOKED = ['200', '400', '401', '403', '404', '413', '415'];

const operations = description.operations.map(({ method, path, operation }) => ({
  name: `${method} ${path}`,
  method,
  operation,
  ids: path.split('{').length,
  matches: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]*')}/?$`),
  seen: new Set<string>(),
}));
// Where two templates match, that with fewer parameters is meant.
operations.sort((a, b) => a.ids - b.ids);

const problems = new Set<string>();

observers.push((method, path, answer) => {
  const found = operations.find((one) => one.method === method && one.matches.test(path.replace(/\?.*$/s, '')));
  if (!found) return;
  found.seen.add(String(answer.status));
  const problem = judge(found.operation, answer);
  if (problem !== undefined) problems.add(`${found.name}: ${problem}`);
});

test('every answer to these tests is described, with its status and all of its fields', () => {
  expect([...problems]).toEqual([]);
});

/** Their tests send and receive files, or mail, themselves. */
const OF_FILES = /\/(upload|file|raw|attachments\/\{attachment_id\})$/;

(isWhole ? test : test.skip)('every operation has been seen with the statuses that its description promises', () => {
  const unseen = operations
    .filter(({ name }) => !OF_FILES.test(name))
    .flatMap(({ name, operation, seen }) =>
      PROVOKED.filter((status) => status in operation.responses && !seen.has(status)).map(
        (status) => `${name}: ${status}`,
      ),
    );
  expect(unseen).toEqual([]);
});
