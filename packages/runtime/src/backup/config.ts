import type { RootSecret } from '../derive-key.ts';
import { ConfigError, type Env } from '../env.ts';
import type { MongoConfig } from '../mongo/connect.ts';
import { type ObjectsConfig, readMongo, readObjectsConfig, readPepper, readS3, readSecret } from '../service-config.ts';
import type { Secrets } from './sealed-secrets.ts';

/** The settings of the program that backs up and restores. */
export interface BackupConfig {
  mongodb: Pick<MongoConfig, 'uri' | 'tls'> & { prefix: string };
  objects: ObjectsConfig;
  backups: ObjectsConfig;
  secret: RootSecret;
  pepper: string;
  /** The variables that hold them. */
  secrets: Secrets;
  passphrase?: string | undefined;
  pauseMs: number;
}

export const readBackupConfig = (env: Env): BackupConfig => {
  const previous = env.get('PARLEY_SECRET_PREVIOUS').join('\n');
  const { uri, tls, database } = readMongo(env, '');
  return {
    mongodb: { uri, tls, prefix: database },
    objects: readObjectsConfig(env),
    backups: readBackups(env),
    secret: readSecret(env),
    pepper: readPepper(env),
    secrets: {
      PARLEY_SECRET: env.get('PARLEY_SECRET'),
      PARLEY_KEY_PEPPER: readPepper(env),
      ...(previous && { PARLEY_SECRET_PREVIOUS: previous }),
    },
    passphrase: env.get('BACKUP_PASSPHRASE'),
    pauseMs: env.get('BACKUP_PAUSE_SECONDS') * 1000,
  };
};

/** A bucket, on the server of the files if there is no other; or a directory. */
function readBackups(env: Env): ObjectsConfig {
  const dir = env.get('BACKUP_DIR');
  const endpoint = env.get('BACKUP_ENDPOINT');
  if (dir !== undefined) return { dir };
  if (endpoint === undefined) throw new ConfigError('Set BACKUP_DIR or BACKUP_ENDPOINT, where backups are to be.');
  return {
    s3: readS3({
      endpoint: ['BACKUP_ENDPOINT', endpoint],
      bucket: ['BACKUP_BUCKET', env.get('BACKUP_BUCKET')],
      ...((env.has('BACKUP_ACCESS_KEY') || env.get('MINIO_CREDENTIALS') === 'keys') && {
        keys: {
          accessKey: env.get('BACKUP_ACCESS_KEY') ?? env.get('MINIO_ACCESS_KEY'),
          secretKey: env.get('BACKUP_SECRET_KEY') ?? env.get('MINIO_SECRET_KEY'),
        },
      }),
      region: env.get('BACKUP_REGION'),
    }),
  };
}
