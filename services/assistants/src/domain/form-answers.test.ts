import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answersText, withTranscript } from './form-answers.ts';
import type { FieldType, FormField } from './form-fields.ts';

const field = (type: FieldType, more: Partial<FormField> = {}): FormField => ({
  ...{ id: type.toLowerCase(), name: type, type, required: false },
  ...(type.endsWith('SELECT') && { values: ['s', 'm', 'l'].map((value) => ({ value, label: value.toUpperCase() })) }),
  ...more,
});
const say = (type: FieldType, ...values: string[]) =>
  answersText([field(type)], [{ field: type.toLowerCase(), values }]);

test('each answer is a line, in the order of the form, and what is blank is left out', () => {
  const fields = [field('TEXT', { name: 'Order' }), field('DATE'), field('MULTI_SELECT', { name: 'Sizes' })];
  const answers = [
    { field: 'MULTI_SELECT', values: ['l', 's', 'l'] },
    { field: 'date', values: [' '] },
    { field: 'text', values: ['17'] },
  ];
  expect(answersText(fields, answers)).toBe('Order: 17\nSizes: l, s');
});

test.each<[FieldType, string[], string]>([
  ['TEXT', ['a\nb'], 'one line'],
  ['TEXT', ['a', 'b'], 'one value'],
  ['EMAIL', ['ann'], 'email address'],
  ['NUMBER', ['1e3'], 'number'],
  ['SELECT', ['xl'], 'one of the values'],
  ['MULTI_SELECT', ['s', 'xl'], 'one of the values'],
  ['CHECKBOX', ['yes'], 'true or false'],
  ['DATE', ['2026-02-30'], 'a date'],
])('%s does not take %j', (type, values, says) => {
  expect(() => say(type, ...values)).toThrow(says);
});

test.each<[FieldType, string]>([
  ['LONG_TEXT', 'a\nb'],
  ['EMAIL', 'ann@example.com'],
  ['NUMBER', '-1.5'],
  ['SELECT', 'm'],
  ['CHECKBOX', 'false'],
  ['DATE', '2028-02-29'],
])('%s takes %j', (type, value) => {
  expect(say(type, value)).toBe(`${type}: ${value}`);
});

test('what is required must be there, a required box must be ticked, and no field is answered twice or unknown', () => {
  const required = [field('TEXT', { required: true }), field('CHECKBOX', { required: true })];
  const ticked = { field: 'checkbox', values: ['true'] };
  const text = { field: 'text', values: ['x'] };
  expect(answersText(required, [text, ticked])).toBe('TEXT: x\nCHECKBOX: true');
  for (const wrong of [
    [],
    [text],
    [text, { ...ticked, values: ['false'] }],
    [text, ticked, text],
    [{ ...text, field: 'x' }],
  ])
    expect(() => answersText(required, wrong)).toThrow(/^answers/);
});

test('the transcript follows, and its oldest lines go where the message would be too long', () => {
  expect(withTranscript('Help', '', [])).toBe('Help');
  expect(withTranscript('Help', 'Order: 17', [{ isVisitor: true, text: 'Hi' }])).toBe('Order: 17\n\nVisitor: Hi');
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4_000 }), { maxLength: 10 }), (texts) => {
      const message = withTranscript(
        'Help',
        'Order: 17',
        texts.map((text) => ({ isVisitor: false, text })),
      );
      expect([...message].length).toBeLessThanOrEqual(10_000);
    }),
  );
});
