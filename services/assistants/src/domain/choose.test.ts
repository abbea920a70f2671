import { expect, test } from '@jest/globals';
import { choose } from './choose.ts';
import type { Passage } from './cite.ts';

const passage = (text: string, more: Partial<Passage> = {}): Passage => ({
  title: text.split(' ')[0]!,
  url: `https://docs.example/#${text.length}`,
  text,
  score: 0.8,
  ...more,
});
const texts = (question: string, passages: Passage[], parts: Parameters<typeof choose>[2] = []) =>
  choose(question, passages, parts).sections.map(({ text }) => text);

test('passages of one section are one, with the best first', () => {
  const section = { section: 'One. Two. Three.', sectionId: 's' };
  const [one, other, two] = [passage('One.', section), passage('Elsewhere.'), passage('Two.', section)];
  expect(choose('one', [one, other, two], []).sections).toMatchObject([
    { text: 'One. Two. Three.', passages: [one, two] },
  ]);
});

test('the parts of a section that is too long stay apart', () => {
  const [one, two] = [
    passage('Ports are closed.', { section: 'Ports are closed.', sectionId: 's' }),
    passage('Certificates are checked.', { section: 'Certificates are checked.', sectionId: 's' }),
  ];
  expect(texts('Ports and certificates?', [one, two])).toEqual(['Ports are closed.', 'Certificates are checked.']);
});

test('a section that has words of the question which the best one lacks is chosen too', () => {
  const best = passage('To install a package use apt install.', { score: 0.9 });
  const other = passage('To purge its configuration use apt purge.', { score: 0.45 });
  const useless = passage('Packages have versions.', { score: 0.5 });
  expect(texts('How do I install a package and purge its configuration?', [best, useless, other])).toEqual([
    best.text,
    other.text,
  ]);
});

test('a section about as good as the best one is chosen too, unless it repeats it or is but a title', () => {
  const best = passage('Shipping takes two days.', { score: 0.9 });
  const close = passage('Shipping abroad costs ten euros.', { score: 0.6 });
  expect(texts('What about shipping?', [best, close])).toEqual([best.text, close.text]);
  for (const other of [
    passage('Shipping takes two days!', { title: 'Another page', score: 0.85 }),
    passage('Chapter 3. Shipping', { title: 'Chapter 3. Shipping', score: 0.9 }),
    { ...close, score: 0.5 },
  ])
    expect(texts('What about shipping?', [best, other])).toEqual([best.text]);
});

test('a title by itself is the answer only if there is nothing else', () => {
  const heading = passage('Chapter 3. Shipping', { title: 'Guide', headings: ['Chapter 3. Shipping'], score: 0.9 });
  const best = passage('It takes two days.', { score: 0.5 });
  expect(texts('What about shipping?', [heading, best])).toEqual([best.text]);
  expect(texts('What about shipping?', [heading])).toEqual([heading.text]);
  const item = { ...heading, isFaq: true };
  expect(texts('What about shipping?', [item, best])).toEqual([item.text]);
});

test('each part of a question gets its own best section, in the order of the parts', () => {
  const [mixed, install, remove] = [
    passage('Install or remove: an overview.', { score: 0.9 }),
    passage('Apt install adds one.'),
    passage('Apt purge takes it away.', { score: 0.4 }),
  ];
  const parts = [
    { question: 'How do I install it?', passages: [install, mixed] },
    { question: 'How do I remove it?', passages: [remove] },
  ];
  expect(texts('How do I install it and how do I remove it?', [mixed, install, remove], parts).slice(0, 2)).toEqual([
    install.text,
    remove.text,
  ]);
});

test('if only one part has an answer, the best passage of the whole question comes first', () => {
  const [whole, part] = [passage('Both are free.', { score: 0.9 }), passage('Shipping is cheap.')];
  const parts = [{ question: 'Is shipping cheap?', passages: [part] }];
  expect(texts('Are both free, and is shipping cheap?', [whole, part], parts)).toEqual([whole.text, part.text]);
});

test('no more than three sections are chosen, or four of a message with several questions', () => {
  const many = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map((word) => passage(`${word} is explained here.`));
  expect(texts('alpha beta gamma delta epsilon', many)).toHaveLength(3);
  const parts = many.slice(0, 2).map((one) => ({ question: one.text, passages: [one] }));
  expect(texts('alpha beta gamma delta epsilon', many, parts)).toHaveLength(4);
});
