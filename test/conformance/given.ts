/** The one world that all tables of this folder are held against. */
import { afterAll } from '@jest/globals';
import type { Account } from '../e2e/account.ts';
import { must } from '../e2e/api.ts';
import type { ApiKey } from '../e2e/resources.ts';
import { html, site } from '../e2e/site.ts';
import { world } from '../e2e/world.ts';
import { populated } from './populated.ts';

const PAGES = ['/', '/p1', '/p2', '/p3', '/p4', '/p5', '/p6'];
const pages = await site(
  Object.fromEntries(PAGES.map((path) => [path, html(path, `This page tells about lighthouse ${path}.`, PAGES)])),
);

const given = await world({ embeddings: 'none' }, async ({ a, b, account }) => ({
  mine: await populated(a),
  theirs: await populated(b),
  bare: must(await a.api.post<ApiKey>('/api-keys', { name: 'bare', scopes: [] })).key,
  untouched: await populated(await account('Cyd')),
  listed: await withLists(await account('Dee')),
}));
afterAll(async () => {
  await given.stop();
  await pages[Symbol.asyncDispose]();
});

/** A website of seven pages, and four FAQs that may be attached. */
async function withLists(account: Account) {
  const website = await account.website(pages.url);
  const attachable = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => account.faq(name, { 'Which letter?': name })),
  );
  await Promise.all([website, ...attachable].map((item) => account.train(item)));
  return { ...(await populated(account)), website, attachable };
}

export const {
  parley,
  baseUrl,
  mongo,
  a,
  b,
  /** Of account `a`. */
  mine,
  /** Of account `b`. */
  theirs,
  /** A key of account `a` without a scope. */
  bare,
  /** An account that no other table changes, and one with something in every list. */
  untouched,
  listed,
} = given;
