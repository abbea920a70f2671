import type { Passage } from '../../domain/cite.ts';
import { type Behaviour, says } from './model-server.ts';
import type { Site } from './scripted/site.ts';

/** The sections of a site as a search finds them, those that an answer names first. */
export function passagesOf({ sections }: Site, written = ''): Passage[] {
  const isNamed = (name: string) => written.includes(`{${name}}`) || written.includes(`${name},`);
  const names = Object.keys(sections).sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
  return names.map((name) => {
    const { title, text, ...section } = sections[name]!;
    return { title, text, url: `https://pages.example/${name}`, score: 1, evidence: 0.8, sectionId: name, ...section };
  });
}

/** Writes what the script says to a question, with the numbers that the sections have in the prompt. */
export function scripted({ sections, good, lies }: Site): Behaviour {
  const answers = new Map([...good, ...lies]);
  return (response, request, received) => {
    const prompt = received.body.messages[1]!.content;
    const [, question = ''] = /<message-(?:\w+)>\n([\s\S]*?)\n<\/message-/.exec(prompt) ?? [];
    const numbers = numbersIn(prompt, sections);
    const numberOf = (name: string) => (name === '-' ? 99 : numbers.get(name));
    const written = (answers.get(question) ?? 'NOT_IN_KNOWLEDGE').replace(
      /\{([^}]*)\}/g,
      (_, names: string) => `[${names.split(',').map(numberOf).join(', ')}]`,
    );
    return says(written)(response, request, received);
  };
}

/** By the title on the line below a number. */
function numbersIn(prompt: string, sections: Site['sections']): Map<string, number> {
  const under = [...prompt.matchAll(/^\[(\d+)\]\n(.*)$/gm)];
  const named = Object.entries(sections).map(([name, { title }]): [string, number] => {
    const found = under.find(([, , line]) => line!.startsWith(title));
    return [name, Number(found?.[1])];
  });
  return new Map(named);
}
