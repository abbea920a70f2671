import { render } from 'preact';
import type { PanelHandle } from '../contract.ts';
import type { Api } from '../visit/api.ts';
import { type FormUi, TicketForm } from './ticket-form.tsx';

interface Options extends Pick<FormUi, 'words' | 'newKey'> {
  container: HTMLElement;
  api: Pick<Api, 'form' | 'openTicket'>;
  /** A public id. */
  form: string;
}

/** The page of a ticket form: the form and nothing else. */
export function mountForm({ container, api, form, words, newKey }: Options): PanelHandle {
  const visit: FormUi['visit'] = {
    async form() {
      const found = await api.form(form);
      document.title = found.title;
      return found;
    },
    openTicket: async (ticket, key) => void (await api.openTicket(form, ticket, key)),
  };
  return {
    open: () =>
      render(
        <main class="panel">
          <TicketForm ui={{ words, newKey, visit }} hasTranscript={false} />
        </main>,
        container,
      ),
    close() {},
    newConversation() {},
    identify() {},
  };
}
