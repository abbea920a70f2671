import { deriveId, invalidArgument } from '@parley/runtime';
import { requiredText } from '@parley/runtime/text';

export const FIELD_TYPES = [
  'TEXT',
  'LONG_TEXT',
  'EMAIL',
  'NUMBER',
  'SELECT',
  'MULTI_SELECT',
  'CHECKBOX',
  'DATE',
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

export interface SelectValue {
  value: string;
  label: string;
}

export interface FormField {
  id: string;
  name: string;
  type: FieldType;
  required: boolean;
  /** For SELECT and MULTI_SELECT only. */
  values?: SelectValue[];
}

/** A field as a caller describes it. An empty `id` asks for a new one. */
export type FieldInput = Omit<FormField, 'values'> & { values: SelectValue[] };

const MAX_FIELDS = 100;
const MAX_VALUES = 200;
const MAX_VALUES_OF_FORM = 2_000;
const MAX_TEXT = 200;

/**
 * Checks everything but the ids.
 *
 * @throws AppError `invalid_argument` that names the field.
 */
export function checkFields(fields: readonly FieldInput[]): FormField[] {
  if (fields.length > MAX_FIELDS) throw invalidArgument(`fields must have at most ${MAX_FIELDS} entries.`);
  const values = fields.reduce((sum, field) => sum + field.values.length, 0);
  if (values > MAX_VALUES_OF_FORM)
    throw invalidArgument(`fields must have at most ${MAX_VALUES_OF_FORM} defaultSelectValues in total.`);
  return fields.map((field, i) => ({
    id: field.id.toLowerCase(),
    name: requiredText(`fields[${i}].name`, field.name, MAX_TEXT),
    type: field.type,
    required: field.required,
    ...valuesOf(field, `fields[${i}].defaultSelectValues`),
  }));
}

/**
 * Gives each field its id: that of the existing field that it names, or a new one, which is the same on every retry of the
 * operation.
 *
 * @throws AppError `invalid_argument` for an id that is unknown or used twice.
 */
export function withIds(fields: readonly FormField[], operation: string, existing: readonly FormField[] = []) {
  const known = new Set(existing.map(({ id }) => id));
  return fields.map((field, i): FormField => {
    if (field.id === '') return { ...field, id: deriveId(operation, 'field', String(i)) };
    // Deleting it makes a second use of the same id fail.
    if (known.delete(field.id)) return field;
    throw invalidArgument(`fields[${i}].id must be that of a field of this form, and of no other entry.`);
  });
}

function valuesOf({ type, values }: FieldInput, at: string): Pick<FormField, 'values'> {
  const selects = type === 'SELECT' || type === 'MULTI_SELECT';
  if (!selects) {
    if (values.length > 0) throw invalidArgument(`${at} must be absent from a field of type ${type}.`);
    return {};
  }
  if (values.length === 0) throw invalidArgument(`${at} is required for a field of type ${type}.`);
  if (values.length > MAX_VALUES) throw invalidArgument(`${at} must have at most ${MAX_VALUES} entries.`);
  return {
    values: values.map(({ value, label }, i) => ({
      value: requiredText(`${at}[${i}].value`, value, MAX_TEXT),
      label: requiredText(`${at}[${i}].label`, label, MAX_TEXT),
    })),
  };
}
