/** A section of a chapter; `html` is its content without the heading and its subsections. */
export interface Section {
  id: string;
  heading: string;
  html: string;
  sections?: readonly Section[];
}

export interface Chapter {
  title: string;
  /** The pages before and after it. */
  previous: string;
  next: string;
  sections: readonly Section[];
}

/**
 * A chapter as DocBook's stylesheets write it, and with them much of the documentation of Linux distributions: navigation in
 * tables, a table of contents that repeats every heading, and no `main` or `article`.
 */
export function docbook(page: string, { title, previous, next, sections }: Chapter): string {
  const contents = sections
    .map(({ id, heading }) => `<dt><span class="section"><a href="${page}#${id}">${heading}</a></span></dt>`)
    .join('');
  const body = sections.map((each) => section(each)).join('');
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title></head><body>${navigation('navheader', title, previous, next)}
<div class="chapter"><div class="titlepage"><div><div><h1 class="title"><a id="top"></a>${title}</h1></div></div></div>
<div class="toc"><p><strong>Table of Contents</strong></p><dl class="toc">${contents}</dl></div>${body}</div>
${navigation('navfooter', title, previous, next)}</body></html>`;
}

const navigation = (name: string, title: string, previous: string, next: string): string =>
  `<div class="${name}"><table width="100%" summary="Navigation"><tr><th colspan="3" align="center">${title}</th></tr>` +
  `<tr><td width="20%" align="left"><a accesskey="p" href="${previous}">Prev</a> </td><th width="60%" align="center"> </th>` +
  `<td width="20%" align="right"> <a accesskey="n" href="${next}">Next</a></td></tr></table><hr /></div>`;

const section = ({ id, heading, html, sections = [] }: Section, level = 2): string =>
  `<div class="section"><div class="titlepage"><div><div><h${level} class="title"><a id="${id}"></a>${heading}</h${level}></div></div></div>` +
  `${html}${sections.map((each) => section(each, level + 1)).join('')}</div>`;

/** A list as DocBook's stylesheets write it. */
export const bullets = (...items: string[]): string =>
  `<div class="itemizedlist"><ul class="itemizedlist" type="disc">${items
    .map((item) => `<li class="listitem">${item.startsWith('<') ? item : `<p>${item}</p>`}</li>`)
    .join('')}</ul></div>`;

/** A command in a line of its own. */
export const screen = (command: string): string => `<pre class="screen">\n${command}\n</pre>`;

/** A word as it is typed. */
export const code = (text: string): string => `<code class="literal">${text}</code>`;
