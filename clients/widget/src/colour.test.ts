import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contrast, parse, themeOf } from './colour.ts';

const ratio = (one: string, other: string) => contrast(parse(one)!, parse(other)!);
const colours = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

test('every colour of an owner leads to readable text', () => {
  fc.assert(
    fc.property(colours, (colour) => {
      const { accent, onAccent, ink } = themeOf(colour);
      expect(ratio(accent, onAccent)).toBeGreaterThanOrEqual(4.5);
      for (const surface of ['#ffffff', '#dfe4ec']) expect(ratio(ink, surface)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 5_000 },
  );
});

test('a colour that is dark enough stays as it is, a bright one gets black text', () => {
  expect(themeOf('#0a5c38')).toEqual({ accent: '#0a5c38', onAccent: '#ffffff', ink: '#0a5c38' });
  expect(themeOf('#ffd400')).toMatchObject({ accent: '#ffd400', onAccent: '#000000' });
});

test.each([null, undefined, '', 'red', '#fff', 'url(x)'])('%p is no colour: the default is used', (colour) => {
  expect(themeOf(colour)).toEqual(themeOf(undefined));
});
