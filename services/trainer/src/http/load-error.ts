/** A source could not be loaded; the message is a sentence that the owner of the knowledge item can act on. */
export class LoadError extends Error {
  override readonly name: string = 'LoadError';
}

/** The server did not answer in time. */
export class LateAnswer extends LoadError {
  override readonly name = 'LateAnswer';
}
