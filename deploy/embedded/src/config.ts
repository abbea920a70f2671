import { type Env, readEnv } from '@parley/runtime';

/** Settings of `npm start`; the services read their own from `variables`. */
export interface EmbeddedConfig {
  dataDir: string;
  host: string;
  port: number;
  /** Whether to set up the demo. */
  demo: boolean;
  /** The preferred port of the demo site at its first start. */
  demoPort: number;
  /** Search without an embedding model, as configured. */
  withoutEmbeddings: boolean;
  /** The working directory of the user's shell; npm changes to the package's directory. */
  shellIsElsewhere: boolean;
  variables: Variables;
}

export type Variables = Record<string, string | undefined>;

const LAST_PORT = 65_535;

/** @throws ConfigError that names the variable. */
export function readConfig(variables: Variables): EmbeddedConfig {
  const env = readEnv(variables);
  const port = env.integer('PORT', 8080, { max: LAST_PORT });
  const beside = port > 0 && port < LAST_PORT ? port + 1 : 0;
  return {
    dataDir: readDataDir(env),
    host: env.optional('HOST') ?? '127.0.0.1',
    port,
    demo: env.flag('DEMO', true),
    demoPort: env.integer('DEMO_PORT', beside, { max: LAST_PORT }),
    withoutEmbeddings: env.optional('EMBEDDINGS') === 'none',
    shellIsElsewhere: (env.optional('INIT_CWD') ?? process.cwd()) !== process.cwd(),
    // For a person at a terminal: problems with dependencies are reported in sentences, so the log shows only our own errors.
    variables: {
      ...variables,
      LOG_LEVEL: env.optional('LOG_LEVEL') ?? 'error',
      LOG_FORMAT: env.optional('LOG_FORMAT') ?? 'text',
    },
  };
}

/** Where all data is stored: PARLEY_DATA, `.parley` by default. */
export const readDataDir = (env: Env): string => env.optional('PARLEY_DATA') ?? '.parley';
