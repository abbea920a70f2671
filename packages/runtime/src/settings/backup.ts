import { integer, optionalSecret, text } from './setting.ts';

/** Settings of `npm run backup` and `npm run restore`, and of the same programs in a cluster. */
export const BACKUP = {
  BACKUP_DIR: text('the directory of backups; `npm start` has one beside its data directory'),
  BACKUP_ENDPOINT: text('or an S3-compatible server for them, as `http://host:port` or `https://host:port`'),
  BACKUP_ACCESS_KEY: optionalSecret('its access key', 3, '`MINIO_ACCESS_KEY`'),
  BACKUP_SECRET_KEY: optionalSecret('its secret key', 8, '`MINIO_SECRET_KEY`'),
  BACKUP_BUCKET: text('its bucket, not the one of the files; created if it does not exist', {
    fallback: 'parley-backups',
  }),
  BACKUP_REGION: text('its region', { fallback: 'us-east-1' }),
  BACKUP_PASSPHRASE: optionalSecret(
    'encrypts a copy of the secrets into the backup; without it, the backup only knows which they were',
    12,
    'none',
  ),
  BACKUP_PAUSE_SECONDS: integer('how long writes may wait at most, where MongoDB is a single server', {
    fallback: 60,
    min: 1,
    max: 3_600,
  }),
};
