import { type Env, readEnv } from '@parley/runtime';

/** What `npm start` is told; all that the services are told beside it, they read from `variables` themselves. */
export interface EmbeddedConfig {
  dataDir: string;
  host: string;
  port: number;
  /** Whether the demonstration is set up. */
  demo: boolean;
  /** Where the demonstration's site listens from its first start on, where the port is free. */
  demoPort: number;
  /** Search was asked to do without an embedding model. */
  withoutEmbeddings: boolean;
  /** The user's shell stands elsewhere than this process: npm goes to the package's own directory. */
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
    variables,
  };
}

/** Where everything is kept: PARLEY_DATA, `.parley` by default. */
export const readDataDir = (env: Env): string => env.optional('PARLEY_DATA') ?? '.parley';
