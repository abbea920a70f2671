const ADDRESS = /https?:\/\/[^\s<>"')\]]+/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

/** A text as simple HTML: paragraphs, line breaks, and links for what is an address already. */
export function htmlOf(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => `<p>${linked(paragraph.trim()).replaceAll('\n', '<br>\n')}</p>`).join('\n');
}

function linked(text: string): string {
  let html = '';
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    // What ends a sentence ends the address.
    const address = found.replace(/(?<![.,;:!?])[.,;:!?]+$/, '');
    html += `${escaped(text.slice(from, index))}<a href="${escaped(address)}">${escaped(address)}</a>`;
    from = index + address.length;
  }
  return html + escaped(text.slice(from));
}
