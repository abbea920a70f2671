import { type Env, readEnv, type Variables } from '@parley/runtime';

export type { Variables };

/** Settings of `npm start`; the services read their own from `variables`. */
export interface EmbeddedConfig {
  dataDir: string;
  host: string;
  port: number;
  /** True if to set up the demo. */
  demo: boolean;
  /** The preferred port of the demo site at its first start. */
  demoPort: number;
  /** Search without an embedding model, as configured. */
  withoutEmbeddings: boolean;
  /** The working directory of the user's shell; npm changes to the package's directory. */
  shellIsElsewhere: boolean;
  variables: Variables;
}

const LAST_PORT = 65_535;

/** @throws ConfigError that names the variable. */
export function readConfig(variables: Variables): EmbeddedConfig {
  const env = readEnv(variables);
  const port = env.get('PORT');
  const beside = port > 0 && port < LAST_PORT ? port + 1 : 0;
  return {
    dataDir: readDataDir(env),
    host: env.get('HOST') ?? '127.0.0.1',
    port,
    demo: env.get('DEMO'),
    demoPort: env.get('DEMO_PORT') ?? beside,
    withoutEmbeddings: env.get('EMBEDDINGS') === 'none',
    shellIsElsewhere: (variables['INIT_CWD'] ?? process.cwd()) !== process.cwd(),
    // For a person at a terminal: problems with dependencies are reported in sentences, so the log shows only our own errors.
    variables: {
      ...variables,
      LOG_LEVEL: env.has('LOG_LEVEL') ? env.get('LOG_LEVEL') : 'error',
      MAIL_PORT: String(env.get('MAIL_PORT')),
      LOG_FORMAT: env.has('LOG_FORMAT') ? env.get('LOG_FORMAT') : 'text',
    },
  };
}

/** Where all data is stored: PARLEY_DATA, `.parley` by default. */
export const readDataDir = (env: Env): string => env.get('PARLEY_DATA');
