import { describe, expect, test } from '@jest/globals';
import type { Page, Persona } from '../e2e/resources.ts';
import { expectData, expectRefused, pageOf, UUID } from './check.ts';
import { a, mine, storesNothing, theirs } from './given.ts';

const { api } = a;
const create = (body: object) => api.post<Persona>('/personas', body);

describe('a persona', () => {
  test('has the right fields when created, listed and deleted', async () => {
    const body = { name: ' Ada ', image_url: 'https://example.com/ada.png' };
    const made = expectData(await create(body), { id: UUID, ...body });
    expect(pageOf(await api.get<Page<Persona>>('/personas')).items[0]).toEqual(made);
    expectData(await api.del(`/persona/${made.id.toUpperCase()}`), made);
    expectRefused(await api.del(`/persona/${made.id}`), 404);
    expect((await api.all<Persona>('/personas')).map(({ id }) => id)).not.toContain(made.id);
  });

  test('without an image has null', async () => {
    for (const image_url of [undefined, null])
      expectData(await create({ name: 'Ada', image_url }), { id: UUID, name: 'Ada', image_url: null });
  });

  storesNothing(['/personas'], () => {
    test.each([
      'ftp://example.com/x',
      'example.com/x.png',
      'javascript:alert(1)',
      'data:image/png;base64,x',
      '',
      ' ',
      7,
      {},
    ])('cannot have the image %j', async (image_url) => {
      expectRefused(await create({ name: 'Ada', image_url }), 400, 'image_url');
    });

    test.each([undefined, null, '', '  ', 7, ['Ada']])('cannot have the name %j', async (name) => {
      expectRefused(await create({ name }), 400, 'name');
    });

    test('of another account is neither listed nor deleted', async () => {
      expect((await api.all<Persona>('/personas')).map(({ id }) => id)).not.toContain(theirs.ids.persona);
      expectRefused(await api.del(`/persona/${theirs.ids.persona}`), 403);
      expect((await api.all<Persona>('/personas')).map(({ id }) => id)).toContain(mine.ids.persona);
    });
  });
});
