import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../../deploy/stack/config.ts';
import { run } from '../cluster/command.ts';
import { described } from '../conformance/description.ts';
import { isForVisitors } from '../conformance/operations.ts';
import { packagesIn } from '../models/wheels.ts';
import { type Targets, TOKEN, targetsFor } from './targets.ts';

/** Schemathesis and its dependencies. */
const PACKAGES = [
  'schemathesis==4.32.5',
  'anyio==4.16.0',
  'certifi==2026.10.18',
  'charset-normalizer==3.5.2',
  'click==8.5.1',
  'graphql-core==3.3.2',
  'harfile==0.6.0',
  'hypothesis==6.170.15',
  'hypothesis-graphql==0.13.5',
  'idna==3.20',
  'iniconfig==2.3.1',
  'jsonschema-rs==0.60.3',
  'markdown-it-py==4.3.0',
  'markupsafe==3.0.4',
  'mdurl==0.1.2',
  'packaging==26.3',
  'pluggy==1.7.0',
  'pygments==2.21.0',
  'pyrate-limiter==4.5.1',
  'pytest==9.2.0',
  'pyyaml==6.0.3',
  'requests==2.34.2',
  'rich==15.0.0',
  'sortedcontainers==2.4.0',
  'typing-extensions==4.16.0',
  'urllib3==2.8.0',
  'werkzeug==3.1.9',
];

/** The directory to put on PYTHONPATH. Fetched into the cache if missing. */
export function schemathesisPackages(cacheDir = cacheDirectory()): Promise<string> {
  const version = createHash('sha256').update(PACKAGES.join()).digest('hex').slice(0, 16);
  return packagesIn(join(cacheDir, `schemathesis-${version}`), PACKAGES);
}

/**
 * Left out are checks that the conformance suite makes of every operation, by hand: authentication, methods and `Allow`, and
 * resources that are gone or another account's. `positive_data_acceptance` would refuse every rule that a schema can't
 * express, such as which addresses may be crawled.
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
  'negative_data_rejection',
];

const WITHIN_MS = 300_000;
/** How often an id leads somewhere; otherwise it is generated. */
const TARGETED = 0.8;

export interface RunOptions {
  packages: string;
  /** Ends with `/v1`. */
  baseUrl: string;
  key: string;
  targets: Targets;
  seed: number;
  /** Which operations: those for API keys, or those for visitors. */
  of: 'keys' | 'visitors';
  /** Generated requests for each operation, besides the description's own examples. */
  examples: number;
}

/**
 * Attacks all operations with the description's own examples and with generated requests, valid and not, and returns what
 * Schemathesis printed; rejects with that if a check failed. It has a phase that tries all bounds of all parameters, too, but
 * that takes minutes.
 */
export async function runSchemathesis(options: RunOptions): Promise<string> {
  const { packages, baseUrl, seed, examples, of } = options;
  const directory = await mkdtemp(join(tmpdir(), 'parley-attack-'));
  try {
    const config = join(directory, 'schemathesis.toml');
    await writeFile(config, await configOf(options));
    const args = [
      ...['--config-file', config, '--no-color', 'run', `${baseUrl}/openapi.json`],
      ...['--seed', `${seed}`, '--max-examples', `${examples}`, '--generation-database', 'none'],
      ...['--phases', 'examples,fuzzing', '--checks', CHECKS.join(), '--continue-on-failure', '--warnings', 'off'],
      ...['--request-timeout', '30', of === 'visitors' ? '--include-path-regex' : '--exclude-path-regex', '^/public/'],
    ];
    const environment = [`PYTHONPATH=${packages}`, `HYPOTHESIS_STORAGE_DIRECTORY=${directory}`];
    const program = [...environment, 'python3', join(packages, 'bin/schemathesis')];
    return await run('env', [...program, ...args], { timeoutMs: WITHIN_MS });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** In TOML, whose strings and arrays of strings are written as in JSON. */
async function configOf({ baseUrl, key, targets, of }: RunOptions): Promise<string> {
  const byVisitors = of === 'visitors';
  const all = (await described(baseUrl)).operations;
  const operations = all.filter(({ path }) => isForVisitors(path) === byVisitors);
  const dictionaries = Object.entries(targets);
  const bindings = operations.flatMap(({ path, operation }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    if (names.length === 0) return [];
    return [
      '[[operations]]',
      `include-operation-id = ${JSON.stringify(operation.operationId)}`,
      '[operations.parameters]',
      ...names.flatMap((name) => {
        const own = targetsFor(targets, path, name);
        const [dictionary] = dictionaries.find(([, ids]) => ids === own) ?? [];
        if (dictionary === undefined) return [];
        return [`"path.${name}" = { dictionary = "${dictionary}", probability = ${TARGETED} }`];
      }),
    ];
  });
  return [
    `base-url = ${JSON.stringify(byVisitors ? new URL(baseUrl).origin : baseUrl)}`,
    // It would be in the working directory.
    '[cache]',
    'enabled = false',
    // Otherwise websites that the attack creates could be found in answers, and trained.
    '[phases.fuzzing.extra-data-sources]',
    'responses = false',
    '[headers]',
    byVisitors
      ? `X-Visitor-Token = ${JSON.stringify(targets[TOKEN]![0])}`
      : `Authorization = ${JSON.stringify(`Bearer ${key}`)}`,
    ...dictionaries.flatMap(([name, ids]) => [`[dictionaries.${name}]`, `values = ${JSON.stringify(ids)}`]),
    ...bindings,
    '',
  ].join('\n');
}
