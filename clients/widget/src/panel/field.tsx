import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { FormField, Ticket } from '../visit/api.ts';
import type { Words } from '../words/en.ts';

interface Props {
  field: FormField;
  words: Words;
  autocomplete?: string;
}

type Value = Ticket['answers'][number]['value'];

const INPUTS = { TEXT: 'text', EMAIL: 'email', NUMBER: 'number', DATE: 'date' } as const;

/** A question of a form, with the browser's own control for its type. */
export function Field({ field, words, autocomplete }: Props): VNode {
  const { id, name, type, required, defaultSelectValues: choices = [] } = field;
  const label = required ? name : `${name} ${words.optional}`;
  if (type === 'MULTI_SELECT') return <Choices field={field} label={label} />;
  if (type === 'CHECKBOX')
    return (
      <div class="check">
        <input id={id} type="checkbox" name={id} required={required} />
        <label for={id} dir="auto">
          {label}
        </label>
      </div>
    );
  return (
    <div class="field">
      <label for={id} dir="auto">
        {label}
      </label>
      {type === 'LONG_TEXT' ? (
        <textarea id={id} name={id} rows={4} required={required} dir="auto" />
      ) : type === 'SELECT' ? (
        <select id={id} name={id} required={required}>
          <option value="">{words.choose}</option>
          {choices.map(({ value, label }) => (
            <option value={value}>{label}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={id}
          type={INPUTS[type]}
          required={required}
          dir="auto"
          {...(type === 'NUMBER' && { step: 'any' })}
          {...(autocomplete && { autocomplete })}
        />
      )}
    </div>
  );
}

/** Several boxes, of which at least one must be checked if the field is required. */
function Choices({ field, label }: { field: FormField; label: string }): VNode {
  const [checked, setChecked] = useState(0);
  return (
    <fieldset>
      <legend dir="auto">{label}</legend>
      {field.defaultSelectValues?.map(({ value, label }, i) => (
        <div class="check">
          <input
            id={`${field.id}-${i}`}
            type="checkbox"
            name={field.id}
            value={value}
            required={field.required && checked === 0}
            onChange={(event) => setChecked((count) => count + (event.currentTarget.checked ? 1 : -1))}
          />
          <label for={`${field.id}-${i}`} dir="auto">
            {label}
          </label>
        </div>
      ))}
    </fieldset>
  );
}

/** Returns the value as the API takes it; undefined if the field is empty. */
export function readValue({ id, type }: FormField, data: FormData): Value | undefined {
  const values = data.getAll(id).map(String);
  if (type === 'CHECKBOX') return values.length > 0;
  if (type === 'MULTI_SELECT') return values.length > 0 ? values : undefined;
  const [value = ''] = values;
  if (value.trim() === '') return undefined;
  return type === 'NUMBER' ? Number(value) : value;
}
