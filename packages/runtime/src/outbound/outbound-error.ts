/** Why a request to an address that a user gave failed. Callers phrase it for their own users. */
export type OutboundFailure =
  /** Not an absolute address; `text` is how it begins. */
  | { readonly kind: 'not_an_address'; readonly text: string }
  /** The guard's sentence: a private address, a scheme other than http and https, or credentials. */
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'address_too_long'; readonly maxLength: number }
  | { readonly kind: 'bad_redirect' }
  | { readonly kind: 'too_many_redirects'; readonly max: number }
  | { readonly kind: 'too_large'; readonly maxBytes: number }
  | { readonly kind: 'unknown_coding'; readonly coding: string }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  /** `code` is Node's, undici's, OpenSSL's or zlib's; `not_http` if the answer is not HTTP; it may be empty. */
  | { readonly kind: 'network'; readonly host: string; readonly code: string };

export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, cause?: unknown) {
    super(`The request failed: ${failure.kind}.`, { cause });
    this.failure = failure;
  }
}
