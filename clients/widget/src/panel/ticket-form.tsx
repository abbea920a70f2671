import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Failure, type Form, type FormField, failureOf } from '../visit/api.ts';
import { filled } from '../words/words.ts';
import { explained } from './explained.ts';
import { Field, readValue } from './field.tsx';
import { Done } from './icons.tsx';
import type { Ui } from './ui.ts';

/** The context of the form, in the panel or on a page for itself. */
export interface FormUi extends Pick<Ui, 'words' | 'newKey'> {
  visit: Pick<Ui['visit'], 'form' | 'openTicket'>;
}

interface Props {
  ui: FormUi;
  hasTranscript: boolean;
  /** Absent from a page for itself. */
  leave?: () => void;
}

/** The form that leads to a person. */
export function TicketForm({ ui, hasTranscript, leave }: Props): VNode {
  const { visit, words } = ui;
  const [form, setForm] = useState<Form>();
  const [failure, setFailure] = useState<Failure>();
  const [sent, setSent] = useState<{ email: string; token: string }>();

  const attempt = async (work: () => Promise<void>) => {
    setFailure(undefined);
    await work().catch((error) => setFailure(failureOf(error)));
  };
  const load = () => attempt(async () => setForm(await visit.form()));
  useEffect(() => {
    load();
  }, []);

  if (sent) return <Sent {...sent} ui={ui} leave={leave} />;
  return (
    <div class="form-scroller">
      {form && (
        <Fields
          form={form}
          ui={ui}
          hasTranscript={hasTranscript}
          isPage={leave === undefined}
          send={(ticket, files, key) =>
            attempt(async () => {
              const token = await visit.openTicket(ticket, files, key);
              setSent({ email: ticket.email, token });
            })
          }
        />
      )}
      {!form && !failure && <span class="dots" />}
      {failure && (
        <div class="failed" role="alert">
          {/* What is wrong with a field only the service can say. */}
          <p>{[400, 413].includes(failure.status) ? failure.message : explained(failure, words)}</p>
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
  isPage: boolean;
  send(ticket: Filled, files: File[], key: string): Promise<void>;
}

function Fields({ form, ui, hasTranscript, isPage, send }: FieldsProps): VNode {
  const Title = isPage ? 'h1' : 'h3';
  const { words } = ui;
  const key = useMemo(ui.newKey, []);
  const [isSending, setSending] = useState(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setSending(true);
    const files = (data.getAll(FILES) as File[]).filter(({ size, name }) => size > 0 || name !== '');
    await send(ticketOf(form.fields, data), files, key);
    setSending(false);
  }

  return (
    <form class="ticket" onSubmit={submit}>
      <Title dir="auto">{form.title}</Title>
      <Field
        field={{ id: EMAIL, name: words.email, type: 'EMAIL', required: true }}
        words={words}
        autocomplete="email"
      />
      <Field field={{ id: NAME, name: words.name, type: 'TEXT', required: false }} words={words} autocomplete="name" />
      {form.fields.map((field) => (
        <Field key={field.id} field={field} words={words} />
      ))}
      <div class="field">
        <label for={FILES}>{words.files}</label>
        <input id={FILES} name={FILES} type="file" multiple />
      </div>
      {hasTranscript && <p class="aside">{words.transcript}</p>}
      <button type="submit" class="primary" aria-disabled={isSending}>
        {words.send}
      </button>
    </form>
  );
}

/** No ids of fields, which are UUIDs. */
const [EMAIL, NAME, FILES] = ['email', 'name', 'files'];

function ticketOf(fields: FormField[], data: FormData): Filled {
  const name = String(data.get(NAME)).trim();
  const answers = fields.flatMap((field) => {
    const value = readValue(field, data);
    return value === undefined ? [] : [{ field_id: field.id, value }];
  });
  return { email: String(data.get(EMAIL)).trim(), ...(name && { name }), answers };
}

const Sent = ({
  email,
  token,
  ui: { words },
  leave,
}: {
  email: string;
  token: string;
  ui: FormUi;
  leave?: (() => void) | undefined;
}): VNode => (
  <div class="notice" role="status">
    <span class="tick">
      <Done />
    </span>
    {leave ? (
      <p>
        <strong>{words.sent}</strong>
      </p>
    ) : (
      <h1>{words.sent}</h1>
    )}
    <p>{filled(words.answerTo, { email })}</p>
    {leave ? (
      <button type="button" class="plain" onClick={leave}>
        {words.back}
      </button>
    ) : (
      <a href={`#${token}`}>{words.see}</a>
    )}
  </div>
);
