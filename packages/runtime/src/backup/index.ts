/** Backing a system up, and restoring it. */
export { runBackupProgram } from './backup-program.ts';
export { readBackupConfig } from './config.ts';
export { fingerprintsOf } from './manifest.ts';
export { restoreBackup } from './restore-backup.ts';
export { keepNewest, saveBackup } from './save-backup.ts';
