/** A source could not be loaded; the message is a sentence that the owner of the knowledge item can act on. */
export class LoadError extends Error {
  override readonly name: string = 'LoadError';
}

/** The same request may succeed later: the server was not reached, or did not answer as a whole. */
export class PassingFailure extends LoadError {
  override readonly name: string = 'PassingFailure';
}

/** The server did not answer in time. */
export class LateAnswer extends PassingFailure {
  override readonly name = 'LateAnswer';
}
