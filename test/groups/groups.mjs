import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Test files that a whole run loads together: most of their time went into loading the same modules and starting the
 * same services. `alone` excludes files whose hooks would change the tests of others, and files that take long anyway;
 * `only` names all that belong to it.
 */
const GROUPS = {
  answerer: { folder: 'services/assistants/src/answerer' },
  answers: { folder: 'test/e2e', only: /known-answers|website/ },
  assistants: { folder: 'services/assistants/src', alone: /kill|answerer/ },
  auth: { folder: 'services/auth/src', alone: /first-account/ },
  bench: { folder: 'test', only: /^(bench\/answers|soak)\// },
  browser: { folder: 'test/browser' },
  bus: { folder: 'packages/runtime/src/bus' },
  chart: { folder: 'test/chart' },
  conversations: { folder: 'services/conversations/src', alone: /race|model|heap|kill/ },
  corpus: { folder: 'packages/corpus/src', alone: /embedding/ },
  embedding: { folder: 'packages/corpus/src/embedding', alone: /openai/ },
  'end-to-end': { folder: 'test/e2e', alone: /account-deletion|model|website|known-answers/ },
  gateway: { folder: 'gateway/src', alone: /adversarial|own-database|body-budget|key-cache/ },
  knowledge: { folder: 'services/knowledge/src' },
  reading: { folder: 'packages/reading/src' },
  sandbox: { folder: 'services/trainer/src/sandbox' },
  runtime: { folder: 'packages/runtime/src', alone: /bus|connect|health|keepalive|linked-signal|loop|s3/ },
  trainer: { folder: 'services/trainer/src', alone: /hostile|trainer|sandbox/ },
  trainings: { folder: 'services/trainer/src', only: /trainer/ },
};

/** Paths of the group's test files, from the root. */
export function filesOf(group) {
  const { folder, alone, only } = GROUPS[group];
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((file) => /(?<!\.(stack|models))\.test\.ts$/.test(file))
    .filter((file) => !alone?.test(file) && (!only || only.test(file)))
    .map((file) => join(folder, file))
    .sort();
}

/** Loads the tests of a group one by one, so that they always run in the same order. */
export async function load(group) {
  for (const file of filesOf(group)) await import(join(ROOT, file));
}

/** Paths for Jest to ignore: a whole run leaves out the files that groups load, any other run the groups. */
export const ignoredPaths = (isWhole) =>
  isWhole
    ? Object.keys(GROUPS).flatMap((group) => filesOf(group).map((file) => `<rootDir>/${file}$`))
    : ['<rootDir>/test/groups/'];
