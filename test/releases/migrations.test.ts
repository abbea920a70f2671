import { expect, test } from '@jest/globals';
import { migrations as gateway } from '../../gateway/src/store/migrations.ts';
import { corpusMigrations as corpus } from '../../packages/corpus/src/store/collections.ts';
import { BUS_MIGRATIONS as bus } from '../../packages/runtime/src/bus/mongo/log.ts';
import { isNewer, VERSION } from '../../packages/runtime/src/release.ts';
import { migrations as assistants } from '../../services/assistants/src/store/migrations.ts';
import { migrations as auth } from '../../services/auth/src/store/migrations.ts';
import { migrations as conversations } from '../../services/conversations/src/store/migrations.ts';
import { migrations as events } from '../../services/events/src/store/migrations.ts';
import { keptReleases } from './release.ts';

const ALL = Object.entries({ gateway, corpus, bus, assistants, auth, conversations, events });

test.each(ALL)('each migration of %s says a release that may run beside it, which there is', async (_, migrations) => {
  const known = [...(await keptReleases()).map(({ version }) => version), VERSION];
  for (const { number, beside } of migrations)
    expect({ number, there: known.includes(beside) }).toEqual({ number, there: true });
});

test.each(ALL)('the migrations of %s are numbered from 1, without gaps', (_, migrations) => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, i) => i + 1));
});

test.each([
  ['0.2.0', '0.1.9'],
  ['0.10.0', '0.9.0'],
  ['1.0.0', '1.0.0-rc.1'],
  ['1.0.0-rc.10', '1.0.0-rc.9'],
])('%s is newer than %s', (newer, older) => {
  expect([isNewer(newer, older), isNewer(older, newer), isNewer(newer, newer)]).toEqual([true, false, false]);
  expect(isNewer(`${newer}+build`, newer)).toBe(false);
});
