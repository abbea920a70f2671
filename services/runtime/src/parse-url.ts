/**
 * The address that a text is, by the WHATWG parser, or undefined. Not `URL.canParse`: in Node 20, once it has been
 * called often enough to be compiled, it refuses addresses with letters such as ä.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
