import { expect, test } from '@jest/globals';
import { placesOf } from './places.ts';
import { rangeOf, sectionsOf, textAt } from './sections.ts';

const PAGE = `<html><head><title>No heading</title></head><body>
  <p>Before.</p>
  <section id="outer"><h1>Title</h1><p>Intro</p>
    <div id="a"><h2><a name="a2"></a>First</h2><p id="p">alpha</p><h3 id="deep">Deep</h3><p>beta</p></div>
    <a id="b"></a>
    <h2>Second</h2><p>gamma</p></section></body></html>`;
const sections = sectionsOf(PAGE);
const flat = (anchor: string) => textAt(sections, anchor)?.replace(/\s+/g, ' ').trim();

test('a section reaches to the next heading of its level or above', () => {
  expect(flat('a')).toBe('First alpha Deep beta');
  expect(flat('deep')).toBe('Deep beta');
  expect(flat('b')).toBe('Second gamma');
  expect(flat('outer')).toBe('Title Intro First alpha Deep beta Second gamma');
});

test('an anchor leads to the heading that follows it, or to the section that it stands in', () => {
  expect(rangeOf(sections, 'a2')).toEqual(rangeOf(sections, 'a'));
  expect(rangeOf(sections, 'p')).toEqual(rangeOf(sections, 'a'));
  expect(rangeOf(sections, 'nowhere')).toBeUndefined();
});

test('without an anchor, the text is that of the whole page', () => {
  expect(flat('')).toBe('Before. Title Intro First alpha Deep beta Second gamma');
});

test('an address leads to a section, to one inside it, but not to the one around it or another page', () => {
  const places = placesOf(new Map([['dir/page.html', sections]]));
  const url = (rest: string) => `http://127.0.0.1:1/${rest}`;
  expect(places.leadsTo(url('dir/page.html#a2'), 'dir/page.html#a')).toBe(true);
  expect(places.leadsTo(url('dir/page.html#deep'), 'dir/page.html#a')).toBe(true);
  expect(places.leadsTo(url('dir/page.html#outer'), 'dir/page.html#a')).toBe(false);
  expect(places.leadsTo(url('dir/page.html'), 'dir/page.html#a')).toBe(false);
  expect(places.leadsTo(url('page.html#a'), 'dir/page.html#a')).toBe(false);
  expect(places.leadsToPage(url('dir/page.html'), 'dir/page.html#a')).toBe(true);
  expect(places.leadsToPage(url('page.html#a'), 'dir/page.html#a')).toBe(false);
});
