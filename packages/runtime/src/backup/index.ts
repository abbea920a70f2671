/** Backing a system up, and restoring it. */
export { type BackupProgram, runBackupProgram } from './backup-program.ts';
export { type BackupConfig, readBackupConfig } from './config.ts';
export { fingerprintsOf } from './manifest.ts';
export { restoreBackup } from './restore-backup.ts';
export { keepNewest, type Stores, saveBackup } from './save-backup.ts';
