import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { BSON } from 'mongodb';
import type { Api } from '../e2e/api.ts';
import type { Databases, Files } from './data.ts';

/** Data stored by a release, and its answers on it. */
export interface Release {
  version: string;
  /** The root secret, without which no key and no cursor is valid. */
  secret: string;
  /** An API key with every scope. */
  key: string;
  /** A chatbot that knows `populated`'s answer. */
  chatbot: string;
  /** The body of each list, and of each resource in it, by path. */
  answers: Record<string, unknown>;
  databases: Databases;
  files: Files;
}

const DATA = fileURLToPath(new URL('./data', import.meta.url));

/** Reads the releases whose data is kept, oldest first. */
export async function keptReleases(): Promise<Release[]> {
  const names = (await readdir(DATA)).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return Promise.all(
    names.map(async (name) => BSON.EJSON.parse(gunzipSync(await readFile(`${DATA}/${name}`)).toString())),
  );
}

/** Lists, and the path of one item of each. */
const LISTS = {
  '/knowledge': '/knowledge',
  '/chatbots': '/chatbot',
  '/ticket-forms': '/ticket-form',
  '/email-inboxes': '/email-inbox',
  '/personas': undefined,
  '/api-keys': undefined,
} as const;

/** Lists below an item, and whether each of their items can be read by itself. */
const CHILDREN: Record<string, Record<string, boolean>> = {
  '/chatbot': { knowledge: false, chats: true },
  '/ticket-form': { knowledge: false, tickets: true },
  '/email-inbox': { knowledge: false, emails: true },
};

const BASE_URL = 'https://parley.example.com/v1';

/** Reading changes when a key was last used. */
const withoutUse = (key: string, value: unknown) => (key === 'last_used_at' ? undefined : value);

/** Asks for everything that an account can read, by following its lists. */
export async function answersOf(api: Api): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const read = async (path: string): Promise<{ id: string }[]> => {
    const { status, text } = await api.get(path);
    const body = JSON.parse(text.replaceAll(api.baseUrl, BASE_URL), withoutUse);
    answers[path] = { status, body };
    return body.data?.items ?? body.data ?? [];
  };
  for (const [list, one] of Object.entries(LISTS)) {
    const items = await read(list);
    if (one === undefined) continue;
    for (const { id } of items) {
      await read(`${one}/${id}`);
      for (const [child, isReadable] of Object.entries(CHILDREN[one] ?? {}))
        for (const item of await read(`${one}/${id}/${child}`))
          if (isReadable) await read(`${one}/${id}/${child}/${item.id}`);
    }
  }
  return answers;
}
