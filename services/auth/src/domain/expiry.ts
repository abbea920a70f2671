import { invalidArgument } from '@parley/runtime';

/** A key can't create a key that outlives it, or it could renew itself. `makers` is null if the calling key never expires. */
export function checkExpiry(asked: Date | null, makers: Date | null): void {
  if (asked && asked.getTime() <= Date.now()) throw invalidArgument('expires_at must be in the future.');
  if (makers && (!asked || asked > makers))
    throw invalidArgument(
      `expires_at is required and must not be later than ${makers.toISOString()}, when the calling key expires.`,
    );
}
