/** Something outside could not be loaded; the message is a sentence that the owner of the knowledge item can act on. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}
