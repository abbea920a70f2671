/** Languages in which the assistant has sentences of its own. */
export const LANGUAGES = [
  ...['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'pl', 'tr'],
  ...['ru', 'uk', 'fa', 'ar', 'hi', 'zh', 'ja', 'ko'],
] as const;
export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (tag: string): tag is Language => (LANGUAGES as readonly string[]).includes(tag);

/** Frequent words of the languages in Latin script, above all those of questions. */
const FREQUENT: Partial<Record<Language, string>> = {
  en:
    'the a an is are was do does did can could should would will how what where when why who which to of in on for with ' +
    'and or not it this that my your i you we they have has there from if be by at me as about',
  de:
    'der die das den dem des ein eine einen einem einer ist sind war wie was wo wann warum wer welche welcher welches ' +
    'kann könnte muss soll darf ich sie wir ihr mein meine ihre zu von mit für und oder nicht auf im am es gibt mir ' +
    'man bei nach aus wird werden haben hat habe auch nur um zum zur mich',
  fr:
    'le la les un une des du de est sont était comment quel quelle quels quelles où quand pourquoi qui que combien je ' +
    'vous nous il elle on mon ma mes votre vos et ou ne pas dans sur pour avec ce cette ces peut puis dois faut ' +
    'au aux par y a ai avez quoi est-ce si se',
  es:
    'el la los las un una unos de del es son está están cómo qué cuál cuáles dónde cuándo por qué quién cuánto cuánta ' +
    'cuesta yo usted mi mis su sus y o no en para con este esta puedo puede debo hay se al lo le me hacer tengo si como que',
  pt:
    'o a os as um uma uns de do da dos das é são está estão como que qual quais onde quando porque quem quanto quanta ' +
    'custa eu você meu minha seu sua e ou não em no na nos nas para com este esta posso pode devo há se ao isso fazer tenho',
  it:
    'il lo la i gli le un uno una di del della dei delle è sono come che cosa quale quali dove quando perché chi quanto ' +
    'quanta costa io lei mio mia suo sua e o non in nel nella per con questo questa posso può devo si al alla ho fare c ci',
  nl:
    'de het een is zijn was hoe wat waar wanneer waarom wie welke kan kun moet mag ik je jij u wij we mijn uw van voor ' +
    'met en of niet op in er naar aan bij dit dat deze die heb heeft wordt worden ook om te',
  sv:
    'den det en ett är var hur vad när varför vem vilken vilket vilka kan ska måste får jag du ni vi min mitt din och ' +
    'eller inte på i för med av till från om finns har som man att de',
  pl:
    'jest są był jak co gdzie kiedy dlaczego kto który która które ile czy mogę można muszę ja ty mój moja i lub nie na ' +
    'w we z ze do dla od o się to ten ta za po przez mam kosztuje',
  tr:
    'bir bu şu ve veya ne nasıl nerede neden niçin kim hangi kaç mi mı mu mü için ile değil var yok ben sen siz biz ' +
    'olarak daha çok gibi kadar nedir zaman yapabilirim miyim olur da de',
};

const LETTERS: readonly [RegExp, Language][] = [
  [/ß/, 'de'],
  [/[ñ¿¡]/, 'es'],
  [/[ãõ]/, 'pt'],
  [/å/, 'sv'],
  [/[łąęśźżń]/, 'pl'],
  [/[ığş]/, 'tr'],
];

const languagesOf = new Map<string, Language[]>();
for (const [language, words] of Object.entries(FREQUENT) as [Language, string][])
  for (const word of new Set(words.split(' '))) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);

const SETS = new Map(Object.entries(FREQUENT).map(([language, words]) => [language, new Set(words.split(' '))]));
const NONE: ReadonlySet<string> = new Set();

/** Frequent words of a language, which say nothing about a subject; none if it is unknown. */
export const functionWordsOf = (language: Language | undefined): ReadonlySet<string> =>
  (language && SETS.get(language)) ?? NONE;

/** Characters; the beginning of a text says enough. */
const MAX_LENGTH = 2_000;
const PERSIAN_WORDS = /(?:^|\s)(?:است|چه|را|از|که|در|این|با|برای|آیا|چطور|چگونه|کجا|من|هست|سلام)(?=\s|$)/u;

/** The language of a text, by its script and its frequent words; undefined if they do not tell. */
export function languageOf(text: string): Language | undefined {
  const lower = text.slice(0, MAX_LENGTH).normalize('NFC').toLowerCase();
  const has = (script: RegExp) => (lower.match(script)?.length ?? 0) * 3 > (lower.match(/\p{L}/gu)?.length ?? 0);
  if (has(/[\p{sc=Hira}\p{sc=Kana}]/gu) || (/\p{sc=Hira}/u.test(lower) && has(/\p{sc=Han}/gu))) return 'ja';
  if (has(/\p{sc=Hang}/gu)) return 'ko';
  if (has(/\p{sc=Han}/gu)) return 'zh';
  if (has(/\p{sc=Deva}/gu)) return 'hi';
  if (has(/\p{sc=Cyrl}/gu)) return /[іїєґ]/.test(lower) ? 'uk' : 'ru';
  if (has(/\p{sc=Arab}/gu)) return /[پچژگیک]/.test(lower) || PERSIAN_WORDS.test(lower) ? 'fa' : 'ar';
  return has(/\p{sc=Latn}/gu) ? latin(lower) : undefined;
}

/** A word that many languages have says less about each. */
function latin(text: string): Language | undefined {
  const scores = new Map<Language, number>();
  const add = (language: Language, score: number) => scores.set(language, (scores.get(language) ?? 0) + score);
  for (const [word] of text.matchAll(/[\p{L}-]+/gu)) {
    const languages = languagesOf.get(word) ?? [];
    for (const language of languages) add(language, 1 / languages.length);
  }
  for (const [letters, language] of LETTERS) if (letters.test(text)) add(language, 1);
  const [best, second] = [...scores].sort((a, b) => b[1] - a[1]);
  return best && best[1] > (second?.[1] ?? 0) ? best[0] : undefined;
}
