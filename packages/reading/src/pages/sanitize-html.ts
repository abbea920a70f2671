import type { CheerioAPI } from 'cheerio';
import type { Node } from './node.ts';

/** Elements that a reader of the page never sees, or that are not part of its text. */
const UNSEEN = [
  'script, style, template, noscript, svg, math, canvas, iframe, object, embed, audio, video',
  'input, select, textarea, datalist, dialog:not([open]), [hidden], [aria-hidden="true" i]',
].join(', ');

const UNSEEN_STYLE =
  /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|opacity\s*:\s*0(\.0*)?\s*(!|;|$)|font-size\s*:\s*0(?![.\d]*[1-9]))/i;

/** Characters of a text that describes an image; what follows is left out. */
const LONGEST_ALT = 1_000;
/** Words of one in a link or a button: fewer are an icon's, such as "next". */
const FEWEST_WORDS_IN_LINK = 4;

/**
 * Removes hidden elements, comments and the marks that link a heading to itself, and writes out what images show. Other
 * buttons than those of questions stay.
 */
export function removeHidden($: CheerioAPI): void {
  $(UNSEEN).remove();
  // The question in an accordion is a button.
  $('h1, h2, h3, h4, h5, h6, dt, summary')
    .find('button')
    .replaceWith((_, button) => $(button).contents());
  $('button[class*="accordion" i]').replaceWith((_, button) => $('<p>').append($(button).contents()));
  $('[style]')
    .filter((_, element) => UNSEEN_STYLE.test($(element).attr('style') ?? ''))
    .remove();
  $('a[href^="#"]')
    .filter((_, element) => /^[\s¶#§🔗]*$/u.test($(element).text()))
    .remove();
  describeImages($.root()[0] as Node);
}

/** Turns each image with a text that describes it into that text. Uses its own stack, like all that walks a page. */
function describeImages(root: Node) {
  const stack: { node: Node; inLink: boolean }[] = [{ node: root, inLink: false }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node } = step;
    const inLink = step.inLink || node.name === 'a' || node.name === 'button';
    if (node.name === 'img') describe(node, inLink);
    else for (const child of node.children ?? []) stack.push({ node: child, inLink });
  }
}

/** In place: replacing thousands of children of one element takes minutes. */
function describe(image: Node, inLink: boolean) {
  const alt = image.attribs?.['alt']?.replace(/\s+/g, ' ').trim().slice(0, LONGEST_ALT) ?? '';
  const isText = /\p{L}{2}/u.test(alt) && !/^\S+\.(avif|gif|jpe?g|png|svg|webp)$/i.test(alt);
  const isDecoration = /^(none|presentation)$/i.test(image.attribs?.['role'] ?? '');
  if (!isText || isDecoration || (inLink && alt.split(' ').length < FEWEST_WORDS_IN_LINK)) return;
  Object.assign(image, { type: 'text', data: ` ${alt} ` });
}
