import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Failure, type Form, type FormField, failureOf } from '../visit/api.ts';
import { filled } from '../words/words.ts';
import { explained } from './explained.ts';
import { Field, readValue } from './field.tsx';
import { Done } from './icons.tsx';
import type { Ui } from './ui.ts';

interface Props {
  ui: Ui;
  hasTranscript: boolean;
  leave(): void;
}

/** The form that leads to a person. */
export function TicketForm({ ui, hasTranscript, leave }: Props): VNode {
  const { visit, words } = ui;
  const [form, setForm] = useState<Form>();
  const [failure, setFailure] = useState<Failure>();
  const [sentFrom, setSentFrom] = useState<string>();

  const attempt = async (work: () => Promise<void>) => {
    setFailure(undefined);
    await work().catch((error) => setFailure(failureOf(error)));
  };
  const load = () => attempt(async () => setForm(await visit.form()));
  useEffect(() => {
    load();
  }, []);

  if (sentFrom !== undefined) return <Sent email={sentFrom} ui={ui} leave={leave} />;
  return (
    <div class="form-scroller">
      {form && (
        <Fields
          form={form}
          ui={ui}
          hasTranscript={hasTranscript}
          send={(ticket, key) =>
            attempt(async () => {
              await visit.openTicket(ticket, key);
              setSentFrom(ticket.email);
            })
          }
        />
      )}
      {!form && !failure && <span class="dots" />}
      {failure && (
        <div class="failed" role="alert">
          {/* What is wrong with a field only the service can say. */}
          <p>{failure.status === 400 ? failure.message : explained(failure, words)}</p>
          {!form && (
            <button type="button" class="plain" onClick={load}>
              {words.retry}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

type Filled = Parameters<Ui['visit']['openTicket']>[0];

interface FieldsProps extends Pick<Props, 'ui' | 'hasTranscript'> {
  form: Form;
  send(ticket: Filled, key: string): Promise<void>;
}

function Fields({ form, ui, hasTranscript, send }: FieldsProps): VNode {
  const { words } = ui;
  const key = useMemo(ui.newKey, []);
  const [isSending, setSending] = useState(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setSending(true);
    await send(ticketOf(form.fields, data), key);
    setSending(false);
  }

  return (
    <form class="ticket" onSubmit={submit}>
      <h3 dir="auto">{form.title}</h3>
      <Field
        field={{ id: EMAIL, name: words.email, type: 'EMAIL', required: true }}
        words={words}
        autocomplete="email"
      />
      <Field field={{ id: NAME, name: words.name, type: 'TEXT', required: false }} words={words} autocomplete="name" />
      {form.fields.map((field) => (
        <Field key={field.id} field={field} words={words} />
      ))}
      {hasTranscript && <p class="aside">{words.transcript}</p>}
      <button type="submit" class="primary" aria-disabled={isSending}>
        {words.send}
      </button>
    </form>
  );
}

/** No ids of fields, which are UUIDs. */
const [EMAIL, NAME] = ['email', 'name'];

function ticketOf(fields: FormField[], data: FormData): Filled {
  const name = String(data.get(NAME)).trim();
  const answers = fields.flatMap((field) => {
    const value = readValue(field, data);
    return value === undefined ? [] : [{ field_id: field.id, value }];
  });
  return { email: String(data.get(EMAIL)).trim(), ...(name && { name }), answers };
}

const Sent = ({ email, ui: { words }, leave }: { email: string; ui: Ui; leave(): void }): VNode => (
  <div class="notice" role="status">
    <span class="tick">
      <Done />
    </span>
    <p>
      <strong>{words.sent}</strong>
    </p>
    <p>{filled(words.answerTo, { email })}</p>
    <button type="button" class="plain" onClick={leave}>
      {words.back}
    </button>
  </div>
);
