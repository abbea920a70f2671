import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Page } from '../e2e/resources.ts';
import { expectRefused, pageOf } from './check.ts';
import { a } from './given.ts';

const { api } = a;

interface Dated {
  id: string;
  created_at: string;
}

const ACCEPTED = [
  '2026-01-31',
  '2024-02-29',
  '2000-02-29',
  '2026-01-31T10:00:00Z',
  '2026-01-31T10:00',
  '2026-01-31T10:00:00.123+02:00',
  '2026-01-31T10:00:00-11:30',
  '2026-01-31 10:00:00',
  'Jan 31, 2026',
  '31 January 2026',
  'Sat, 31 Jan 2026 10:00:00 GMT',
];

const REFUSED = [
  '',
  ' ',
  'yesterday',
  '2026-02-30',
  '2025-02-29',
  '1900-02-29',
  '2026-04-31T00:00:00Z',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-32',
  '2026-01-01T25:00:00Z',
  '2026-01-01T10:61:00Z',
  '30 February 2026',
  'Feb 30, 2026',
  '2026-01-01T00:00:00+99:00',
  '2026-01-31garbage',
  'null',
];

/** Tests of `created_before` and `created_after` on a list with at least three items. */
export function filtersByDate(path: () => string): void {
  const listed = (query: Record<string, string>) => api.get<Page<Dated>>(`${path()}?${new URLSearchParams(query)}`);
  const found = async (query: Record<string, string>) => pageOf(await listed({ limit: '100', ...query }));
  const moved = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

  describe('the dates', () => {
    test('are exclusive bounds, and the total counts only matches', async () => {
      const all = (await found({})).items;
      const { created_at: newest } = all[0]!;
      const [ties, rest] = [
        all.filter((one) => one.created_at === newest),
        all.filter((one) => one.created_at !== newest),
      ];
      expect(await found({ created_after: newest })).toEqual({ items: [], total: 0, has_more: false });
      expect(await found({ created_before: newest })).toEqual({ items: rest, total: rest.length, has_more: false });
      expect((await found({ created_after: moved(newest, -1) })).items).toEqual(ties);
      expect((await found({ created_before: moved(newest, 1) })).items).toEqual(all);
      expect((await found({ created_after: moved(newest, -1), created_before: newest })).total).toBe(0);
    });

    test('are UTC without a zone, and may have one', async () => {
      const { created_at: newest } = (await found({ limit: '1' })).items[0]!;
      const just = moved(newest, -1);
      const ties = (await found({ created_after: just })).items;
      expect((await found({ created_after: just.replace('Z', '') })).items).toEqual(ties);
      const zoned = moved(just, 5.5 * 3_600_000).replace('Z', '+05:30');
      expect((await found({ created_after: zoned })).items).toEqual(ties);
    });

    test('that are plain stand for their midnight UTC', async () => {
      const all = (await found({})).items;
      const day = all[0]!.created_at.slice(0, 10);
      const since = all.filter(({ created_at }) => created_at > `${day}T00:00:00.000Z`);
      expect((await found({ created_after: day })).items).toEqual(since);
      expect((await found({ created_before: day })).items).toEqual(all.filter((one) => !since.includes(one)));
    });

    test('that leave nothing give an empty page', async () => {
      const none = { items: [], total: 0, has_more: false };
      expect(await found({ created_after: '2100-01-01', created_before: '2000-01-01' })).toEqual(none);
      expect(await found({ created_after: '2100-01-01' })).toEqual(none);
    });

    test('hold for the cursor, which is valid only with the same filter', async () => {
      const query = { created_after: '2020-01-01', limit: '2' };
      const first = pageOf(await listed(query));
      const cursor = { next_cursor: first.next_cursor! };
      const all = (await found({})).items;
      expect((await found({ ...query, ...cursor, limit: '100' })).items).toEqual(all.slice(2));
      expectRefused(await listed({ limit: '2', ...cursor }), 400, 'next_cursor');
      expectRefused(await listed({ ...query, created_after: '2020-01-02', ...cursor }), 400, 'next_cursor');
      expectRefused(await listed({ ...query, created_before: '2100-01-02', ...cursor }), 400, 'next_cursor');
      const unfiltered = pageOf(await listed({ limit: '1' }));
      expectRefused(await listed({ ...query, next_cursor: unfiltered.next_cursor! }), 400, 'next_cursor');
    });

    test.each(ACCEPTED)('may be %p', async (date) => {
      const { total } = await found({});
      expect((await found({ created_after: date })).total).toBe(total);
      expect((await found({ created_before: date })).total).toBe(0);
    });

    test.each(REFUSED)('may not be %p', async (date) => {
      for (const name of ['created_before', 'created_after']) expectRefused(await listed({ [name]: date }), 400, name);
    });

    test('may not be repeated', async () => {
      for (const name of ['created_before', 'created_after'])
        expectRefused(await api.get(`${path()}?${name}=2020-01-01&${name}=2020-01-01`), 400, name);
    });
  });
}

/** Tests of `status` on a list that has threads of status `open`, `assigned` and `closed`, and none that is `resolved`. */
export function filtersByStatus(path: () => string): void {
  type Stated = { id: string; status: string };
  const listed = (query: string) => api.get<Page<Stated>>(`${path()}?limit=100&${query}`);
  const found = async (query: string) => pageOf(await listed(query));

  describe('the status', () => {
    test.each<[string, string[]]>([
      ['status=open', ['open']],
      ['status=closed', ['closed']],
      ['status=resolved', []],
      ['status=need_more_info', []],
      ['status=open,assigned', ['open', 'assigned']],
      ['status=open,assigned,need_more_info,resolved,closed', ['open', 'assigned', 'closed']],
      ['status=%20Open%20', ['open']],
      ['status=OPEN%20,%20aSSigned', ['open', 'assigned']],
      ['status=open&status=closed', ['open', 'closed']],
      ['status=open,assigned&status=closed', ['open', 'assigned', 'closed']],
      ['status=open,open', ['open']],
    ])('%s lists those with that status, and counts them', async (query, statuses) => {
      const all = (await found('')).items;
      const expected = all.filter(({ status }) => statuses.includes(status));
      expect(await found(query)).toEqual({ items: expected, total: expected.length, has_more: false });
      for (const status of statuses) expect(expected.map((one) => one.status)).toContain(status);
    });

    test.each([
      'status=',
      'status=%20',
      'status=,',
      'status=open,',
      'status=,open',
      'status=open,,closed',
      'status=open&status=',
      'status=done',
      'status=open,done',
      'status=need-more-info',
      'status=need%20more%20info',
      'status=open;closed',
      'status=%D0%BEpen',
    ])('%s is refused', async (query) => {
      expectRefused(await listed(query), 400, 'status');
    });

    test('joins with the dates, and holds for the cursor', async () => {
      expect((await found('status=open&created_before=2020-01-01')).total).toBe(0);
      const { items, total } = await found('status=open,closed&created_after=2020-01-01');
      expect(total).toBeGreaterThan(2);
      const first = must(await api.get<Page<Stated>>(`${path()}?status=open,closed&limit=2`));
      expect(first.total).toBe(total);
      const at = `${path()}?next_cursor=${first.next_cursor}`;
      const second = must(await api.get<Page<Stated>>(`${at}&status=open,closed`));
      expect([...first.items, ...second.items]).toEqual(items);
      expectRefused(await api.get(at), 400, 'next_cursor');
      expectRefused(await api.get(`${at}&status=open`), 400, 'next_cursor');
    });
  });
}
