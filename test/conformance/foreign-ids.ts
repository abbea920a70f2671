/**
 * Walks every operation with every id it takes, and gives it ids of another account. The table of operations is compared
 * with the OpenAPI description, so that no operation can be forgotten.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Page } from '../e2e/resources.ts';
import { expectRefused } from './check.ts';
import { described, type JsonSchema, resolved } from './description.ts';
import { a, b, baseUrl, mine, theirs } from './given.ts';
import {
  fill,
  type IdName,
  type Ids,
  idsOf,
  isForVisitors,
  OPERATIONS,
  type Operation,
  shapeOf,
} from './operations.ts';
import { unknownIds } from './populated.ts';

/** Account `a` acts; what it must not reach belongs to account `b`. */
const { api } = a;
const unknown = unknownIds();

/** Every id under which one of their resources can be reached. */
function formsOf(name: IdName): string[] {
  const id = theirs.ids[name];
  const other = {
    chatbot: theirs.chatbot.public_id,
    form: theirs.form.public_id,
    inbox: theirs.inbox.alias,
  } as Partial<Ids>;
  return [id, id.toUpperCase(), ...(other[name] ? [other[name]] : [])];
}

const send = ({ method, body }: Operation, at: string, extra: object = {}) =>
  api.request(method, at, body ? { body: { ...body(), ...extra } } : {});

const statusesIn = async (row: Operation, ids: Ids, extra?: object) => {
  const { status, body } = await send(row, fill(row.path, ids), extra);
  return { status, refused: body.success === false };
};

const BODY_STATUS: Record<string, number> = {
  knowledge_id: 403,
  session_id: 404,
  persona_id: 400,
  ticket_form_id: 400,
};
const bodyValue = {
  faq: theirs.ids.faq,
  persona: theirs.ids.persona,
  session: theirs.session,
  form: theirs.ids.form,
} as Record<string, string>;

/** They change without a request: keys record when they were used, and events come in later. */
const RESTLESS = ['/api-keys', '/events'];

const readable = async () => {
  const paths = OPERATIONS.filter(
    ({ method, file, path }) => method === 'GET' && !file && !RESTLESS.includes(path),
  ).map(({ path }) => fill(path, theirs.ids));
  return Promise.all(paths.map(async (path) => [path, (await b.api.get(path)).text]));
};

/** The other account's data before the walk. */
let before: unknown;
beforeAll(async () => {
  before = await readable();
});

describe.each(OPERATIONS)('$method $path', (row) => {
  const { path } = row;
  const [parent, child] = idsOf(path);

  if (parent) {
    test("refuses another account's parent under each of its ids, whatever the child is", async () => {
      for (const [i, id] of formsOf(parent).entries()) {
        const all = child ? [theirs.ids[child], mine.ids[child], unknown[child]] : [undefined];
        // The parent is refused before the child is looked up, so one child will do for its other ids.
        const children = i === 0 ? all : all.slice(0, 1);
        for (const childId of children) {
          const ids = { ...mine.ids, [parent]: id, ...(child && { [child]: childId }) };
          expect({ id, childId, ...(await statusesIn(row, ids)) }).toEqual({ id, childId, status: 403, refused: true });
        }
      }
    });
  }

  if (child) {
    test('looks up a child only inside its own parent', async () => {
      for (const id of formsOf(child))
        expect({ id, ...(await statusesIn(row, { ...mine.ids, [child]: id })) }).toEqual({
          id,
          status: 404,
          refused: true,
        });
    });
  }

  for (const [field, name] of Object.entries(row.bodyIds ?? {})) {
    test(`refuses another account's ${field}`, async () => {
      const value = bodyValue[name]!;
      for (const id of [value, value.toUpperCase()].slice(0, name === 'session' ? 1 : 2)) {
        const { status, refused } = await statusesIn(row, mine.ids, { [field]: id });
        // Detaching what is not attached is a 404, whoever owns it.
        const expected = row.method === 'DELETE' && status === 404 ? 404 : BODY_STATUS[field];
        expect({ id, status, refused }).toEqual({ id, status: expected, refused: true });
      }
    });
  }

  if (row.paginated) {
    test("refuses another account's cursor", async () => {
      const cursorOf = async (of: string) =>
        must(await b.api.get<Page<unknown>>(`${fill(of, theirs.ids)}?limit=1`)).next_cursor;
      // Where they have no second item to have a cursor for, that of another list must do.
      const cursor = (await cursorOf(path)) ?? (await cursorOf('/knowledge'));
      for (const limit of ['', '&limit=1'])
        expectRefused(await api.get(`${fill(path, mine.ids)}?next_cursor=${cursor}${limit}`), 400, 'next_cursor');
    });
  }
});

test('every operation of the OpenAPI description is in the table, with every id that it takes', async () => {
  const description = await described(baseUrl);
  const found = description.operations
    .filter(({ path }) => !/openapi\.json|upload/.test(path) && !isForVisitors(path))
    .map(({ method, path, operation }) => {
      const schema = resolved(description, operation.requestBody?.content?.['application/json']?.schema) as JsonSchema;
      const fields = Object.keys(schema?.properties ?? {}).filter((name) => name.endsWith('_id'));
      const cursor = operation.parameters
        ?.map((one) => resolved(description, one))
        .some((one) => one?.name === 'next_cursor');
      return `${method} ${shapeOf(path)} ${[...fields, ...(cursor ? ['next_cursor'] : [])].sort().join(' ')}`.trim();
    });
  const inTable = OPERATIONS.map(({ method, path, bodyIds = {}, paginated }) =>
    `${method} ${shapeOf(path)} ${[...Object.keys(bodyIds), ...(paginated ? ['next_cursor'] : [])].sort().join(' ')}`.trim(),
  );
  expect([...new Set(found)].sort()).toEqual([...new Set(inTable)].sort());
});

test('the refused requests changed nothing in the other account', async () => {
  expect(await readable()).toEqual(before);
});
