/** Files, on a server that speaks S3 or in a directory. */
export { createDirectoryStore } from './directory.ts';
export { type ObjectStore, readObject, type StoredObject } from './objects.ts';
export { openObjects } from './open-objects.ts';
