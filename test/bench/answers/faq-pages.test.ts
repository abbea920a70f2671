import { expect, test } from '@jest/globals';
import { barePages, barePath, faqOf } from './faq-pages.ts';

const LONG = 'This answer is long enough to be one, and so it is kept.';

test.each([
  [
    'git',
    'gitfaq.html',
    `<dl><dt class="hdlist1">\nWhy <code>so</code>?</dt><dd><p>${LONG}</p></dd></dl><h2>Next</h2>`,
  ],
  ['sqlite', 'faq.html', `<p><b>(1) Why so?</b></p><blockquote>${LONG}</blockquote></li><a name="q2"></a>`],
  ['fetchmail', 'fetchmail-FAQ.html', `<h2><a id="G1" name="G1">G1. Why\nso?</a></h2><p>${LONG}</p><hr />`],
  [
    'python',
    'faq/general.html',
    `<h2>Group<a class="headerlink" href="#g">¶</a></h2><h3>Why so?<a class="headerlink" href="#q">¶</a></h3><p>${LONG}</p><div class="sphinxsidebar">`,
  ],
])('the FAQ of %s is read as questions and answers, without its groups', (source, path, html) => {
  const entries = faqOf(source, new Map([[path, html]]));
  expect(entries.map(({ question }) => question)).toEqual(['Why so?']);
  expect(entries[0]!.html).toContain(LONG);
  expect(entries[0]!.html).not.toMatch(/Next|q2|hr|sphinxsidebar|Why/);
});

test('other pages of the source are no FAQ, and what says next to nothing is no answer', () => {
  expect(faqOf('sqlite', new Map([['wal.html', `<p><b>(1) Why so?</b></p>${LONG}`]]))).toEqual([]);
  expect(faqOf('sqlite', new Map([['faq.html', '<p><b>(1) Why so?</b></p>See above.']]))).toEqual([]);
});

test('an answer becomes a page without its question and without links', () => {
  const pages = barePages('SQLite', [{ question: 'Why so?', html: `<p><a href="wal.html">${LONG}</a></p>` }]);
  const page = pages.get(barePath(0))!;
  expect(page).toContain(LONG);
  expect(page).not.toMatch(/Why so|href/);
});
