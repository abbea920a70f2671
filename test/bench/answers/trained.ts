import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { localModelDir } from '../local-model.ts';
import { type Owner, type System, startSystem, trainItem } from '../system.ts';
import type { Options } from './options.ts';
import { openSite, type Pages } from './site.ts';
import type { Ground } from './sites.ts';

/** A site as the system knows it. */
export interface TrainedSite {
  item: string;
  chatbot: string;
  /** Port of its website, whose addresses are in the answers. */
  port: number;
  /** Hash of its pages, and of the settings that they were embedded with. */
  hash: string;
}

/** The description of a kept data directory. */
interface State {
  owner: Owner;
  sites: Record<string, TrainedSite>;
}

export interface Trained extends AsyncDisposable {
  system: System;
  /** By name. */
  sites: Readonly<Record<string, TrainedSite>>;
}

/** Starts the system with a chatbot for each site, which is attached to nothing but that site. */
export async function openTrained(
  sites: readonly Pick<Ground, 'name' | 'pages'>[],
  { keep, retrain, variables }: Pick<Options, 'keep' | 'retrain' | 'variables'>,
): Promise<Trained> {
  const stateFile = keep && join(keep, 'answers.json');
  const kept = stateFile ? await readState(stateFile) : undefined;
  const system = await startSystem({
    variables: { ...(await settings(variables)), ...variables },
    keepIn: keep,
    owner: kept?.owner,
  });
  try {
    const { account, key } = system;
    const state: State = kept ?? { owner: { account, key }, sites: {} };
    for (const { name, pages } of sites) {
      const known = state.sites[name];
      const hash = hashOf(pages, variables);
      if (known && known.hash === hash && !retrain) continue;
      state.sites[name] = { ...(await train(system, name, pages, known)), hash };
      if (stateFile) await writeFile(stateFile, JSON.stringify(state, null, 2), { mode: 0o600 });
    }
    return { system, sites: state.sites, [Symbol.asyncDispose]: () => system[Symbol.asyncDispose]() };
  } catch (error) {
    await system[Symbol.asyncDispose]();
    throw error;
  }
}

type Variables = Options['variables'];

/** Other languages than English are embedded by the multilingual model, unless `variables` say otherwise. */
const settings = async ({ EMBEDDING_LOCAL_MODEL = 'auto' }: Variables): Promise<Variables> => ({
  ...{ EMBEDDINGS: 'local', EMBEDDING_LOCAL_MODEL, EMBEDDING_MODEL_DIR: await localModelDir() },
  ...(EMBEDDING_LOCAL_MODEL !== 'english' && { EMBEDDING_MULTILINGUAL_DIR: await localModelDir('multilingual') }),
  ...{ CRAWL_ALLOW: '127.0.0.0/8', CRAWL_DELAY_MS: '0' },
});

async function readState(file: string): Promise<State | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as State;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function train(
  system: System,
  name: string,
  pages: Pages,
  known: TrainedSite | undefined,
): Promise<Omit<TrainedSite, 'hash'>> {
  const began = performance.now();
  await using site = await openSite(pages, known?.port);
  const { send } = system;
  const item = known?.item ?? (await send<Created>('POST', '/knowledge/website', { website_url: site.url })).id;
  await send('PATCH', `/knowledge/${item}`, { include: patternsOf(pages) });
  await trainItem(system, item);
  const chatbot = known?.chatbot ?? (await createChatbot(system, name, item));
  process.stderr.write(`Trained ${name} in ${((performance.now() - began) / 1000).toFixed(0)} s.\n`);
  return { item, chatbot, port: site.port };
}

/** As many as a website may have. */
const MAX_PATTERNS = 50;

function patternsOf(pages: Pages): string[] {
  const paths = [...pages.keys()];
  if (paths.length <= MAX_PATTERNS) return paths.map((path) => `/${path}$`);
  return [...new Set(paths.map((path) => `/${dirname(path)}/`))];
}

interface Created {
  id: string;
}

async function createChatbot({ send }: System, title: string, item: string): Promise<string> {
  const { id } = await send<Created>('POST', '/chatbots', { title });
  await send('PUT', `/chatbot/${id}/knowledge`, { knowledge_id: item });
  return id;
}

/** Settings that change how texts are embedded. */
const EMBEDS = /^(EMBEDDINGS$|EMBEDDING_|OPENAI_EMBEDDING)/;

function hashOf(pages: Pages, variables: Variables): string {
  const hash = createHash('sha256').update(JSON.stringify([...pages]));
  for (const entry of Object.entries(variables)) if (EMBEDS.test(entry[0])) hash.update(JSON.stringify(entry));
  return hash.digest('hex');
}
