/** The words of the launcher, which loads no others before it is opened. */
const WORDS = {
  en: ['Open chat', 'Close chat', 'The chat could not be loaded. Please try again.'],
  de: ['Chat öffnen', 'Chat schließen', 'Der Chat konnte nicht geladen werden. Bitte versuchen Sie es noch einmal.'],
  fr: ['Ouvrir la discussion', 'Fermer la discussion', 'La discussion n’a pas pu être chargée. Veuillez réessayer.'],
  es: ['Abrir el chat', 'Cerrar el chat', 'No se pudo cargar el chat. Inténtelo de nuevo.'],
  fa: ['باز کردن گفتگو', 'بستن گفتگو', 'گفتگو بارگذاری نشد. لطفاً دوباره تلاش کنید.'],
  zh: ['打开聊天', '关闭聊天', '聊天无法加载，请重试。'],
} as const;

export type Language = keyof typeof WORDS;

/** The first of these languages that there are words in, else English. */
export function languageOf(...wanted: (string | undefined)[]): Language {
  for (const tag of wanted) {
    const language = tag?.split('-')[0]?.toLowerCase();
    if (language && Object.hasOwn(WORDS, language)) return language as Language;
  }
  return 'en';
}

export function launcherWords(language: Language): { open: string; close: string; failed: string } {
  const [open, close, failed] = WORDS[language];
  return { open, close, failed };
}
