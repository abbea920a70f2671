import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Turn } from '../visit/turns.ts';
import { Down, Up } from './icons.tsx';
import type { Ui } from './ui.ts';

/** As the API has it. */
const LONGEST_REASON = 500;

/** Thumbs up and down; who gives the second may say why. */
export function Feedback({ turn, ui: { words, visit } }: { turn: Turn; ui: Ui }): VNode {
  const [asksWhy, askWhy] = useState(false);
  const [isThanked, thank] = useState(false);
  const { key, vote } = turn;

  async function choose(chosen: 'up' | 'down') {
    askWhy(chosen === 'down');
    thank(false);
    const isTaken = await visit.vote(key, chosen);
    if (chosen === 'up') thank(isTaken);
  }
  async function explain(event: SubmitEvent) {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget as HTMLFormElement).get('reason')).trim();
    askWhy(false);
    thank(reason === '' || (await visit.vote(key, 'down', reason)));
  }

  return (
    <div class="feedback">
      <button
        type="button"
        aria-label={words.helpful}
        title={words.helpful}
        aria-pressed={vote === 'up'}
        onClick={() => choose('up')}
      >
        <Up />
      </button>
      <button
        type="button"
        aria-label={words.unhelpful}
        title={words.unhelpful}
        aria-pressed={vote === 'down'}
        onClick={() => choose('down')}
      >
        <Down />
      </button>
      <span role="status">{isThanked && words.thanks}</span>
      {asksWhy && (
        <form onSubmit={explain}>
          <input name="reason" dir="auto" maxLength={LONGEST_REASON} aria-label={words.why} placeholder={words.why} />
          <button type="submit" class="plain">
            {words.send}
          </button>
        </form>
      )}
    </div>
  );
}
