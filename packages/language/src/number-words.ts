import { primaryTag } from './detect.ts';

const WORDS: Readonly<Record<string, string>> = {
  en: 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  de: 'ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  fr: 'un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
  es: 'uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
  zh: '一 二 三 四 五 六 七 八 九 十',
  fa: 'یک دو سه چهار پنج شش هفت هشت نه ده',
};
const LARGE: Readonly<Record<string, readonly [string, number][]>> = {
  en: [['thirty', 30], ['forty', 40], ['fifty', 50], ['sixty', 60], ['seventy', 70], ['eighty', 80], ['ninety', 90], ['hundred', 100], ['thousand', 1_000], ['million', 1_000_000]],
  de: [['dreißig', 30], ['vierzig', 40], ['fünfzig', 50], ['sechzig', 60], ['hundert', 100], ['tausend', 1_000], ['million', 1_000_000], ['millionen', 1_000_000]],
  zh: [['三十', 30]],
};

/** The words of a language for numbers. */
export function numberWords(tag: string | undefined): ReadonlyMap<string, number> {
  const language = primaryTag(tag) ?? 'en';
  const small = (WORDS[language] ?? '').split(' ').filter(Boolean);
  return new Map([...small.map((word, i): [string, number] => [word, i + 1]), ...(LARGE[language] ?? [])]);
}
