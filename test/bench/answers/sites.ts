import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { type GroundSet, type Question, questionsOf, SETS } from './questions.ts';
import type { Pages } from './site.ts';

/** A website with the questions that are asked about it. */
export interface Ground {
  name: string;
  /** The kind of its owner. */
  owner: string;
  set: GroundSet;
  /** BCP 47 tag. */
  language: string;
  /** The start page first. */
  pages: Pages;
  questions: Question[];
}

const FOLDER = new URL('./sites/', import.meta.url);

/** The names of all sites, without reading them. */
export async function siteNames(): Promise<string[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

export async function readSite(name: string): Promise<Ground> {
  const folder = new URL(`${name}/`, FOLDER);
  const about = parse(await readFile(new URL('site.yaml', folder), 'utf8'));
  if (!SETS.includes(about.set)) throw new Error(`${name} is of no set.`);
  return {
    ...{ name, owner: about.owner, set: about.set, language: about.language },
    pages: await readSitePages(new URL('pages/', folder)),
    questions: questionsOf({ name, set: about.set }, await readFile(new URL('questions.yaml', folder), 'utf8')),
  };
}

const START = 'index.html';

async function readSitePages(folder: URL): Promise<Pages> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html') && name !== START).sort();
  const pages = new Map<string, string>();
  for (const name of [START, ...names]) pages.set(name, await readFile(new URL(name, folder), 'utf8'));
  return pages;
}

export const readSites = async (): Promise<Ground[]> => Promise.all((await siteNames()).map(readSite));
