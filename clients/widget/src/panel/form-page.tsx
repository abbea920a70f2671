import { render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PanelHandle } from '../contract.ts';
import type { Api } from '../visit/api.ts';
import { OwnTicketPage } from './own-ticket.tsx';
import { type FormUi, TicketForm } from './ticket-form.tsx';

interface Options extends Pick<FormUi, 'words' | 'newKey'> {
  container: HTMLElement;
  api: Pick<Api, 'form' | 'openTicket' | 'ticket' | 'write'>;
  /** A public id. */
  form: string;
}

/** The page of a ticket form: the form, or the ticket whose token is behind the # of the address. */
export function mountForm({ container, ...options }: Options): PanelHandle {
  return {
    open: () => render(<FormPage {...options} />, container),
    close() {},
    newConversation() {},
    identify() {},
  };
}

const tokenInAddress = () => location.hash.slice(1);

function FormPage({ api, form, words, newKey }: Omit<Options, 'container'>): VNode {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    const follow = () => setToken(tokenInAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const visit: FormUi['visit'] = {
    async form() {
      const found = await api.form(form);
      document.title = found.title;
      return found;
    },
    openTicket: async (ticket, files, key) => (await api.openTicket(form, ticket, files, key)).token,
  };
  return (
    <main class="panel">
      {token === '' ? (
        <TicketForm ui={{ words, newKey, visit }} hasTranscript={false} />
      ) : (
        <OwnTicketPage key={token} api={api} token={token} words={words} newKey={newKey} />
      )}
    </main>
  );
}
