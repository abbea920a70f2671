/** Returns whether a response of this type is a page. Servers that send no type usually send one. */
export function isHtml(contentType: string | undefined): boolean {
  return !contentType || /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType.trim());
}
