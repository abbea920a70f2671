import type { Language } from './language.ts';

/** What an assistant says on its own account, by what it replies to. */
export interface Sentences {
  greeting: string;
  thanks: string;
  farewell: string;
  identity: string;
  noEvidence: string;
}

export const SENTENCES: Readonly<Record<Language, Sentences>> = {
  en: {
    greeting: 'Hello! What would you like to know?',
    thanks: "You're welcome! Is there anything else you would like to know?",
    farewell: 'Goodbye! Come back whenever you have a question.',
    identity:
      'I am an automated assistant, not a person. I answer questions from the knowledge I have been given, and I name my sources. What would you like to know?',
    noEvidence: 'I could not find an answer to that in the knowledge I have been given.',
  },
  de: {
    greeting: 'Hallo! Was möchten Sie wissen?',
    thanks: 'Gern geschehen! Möchten Sie noch etwas wissen?',
    farewell: 'Auf Wiedersehen! Kommen Sie wieder, wenn Sie eine Frage haben.',
    identity:
      'Ich bin ein automatischer Assistent, kein Mensch. Ich beantworte Fragen aus dem Wissen, das mir gegeben wurde, und nenne meine Quellen. Was möchten Sie wissen?',
    noEvidence: 'Darauf habe ich in dem Wissen, das mir gegeben wurde, keine Antwort gefunden.',
  },
  fr: {
    greeting: 'Bonjour ! Que souhaitez-vous savoir ?',
    thanks: 'Je vous en prie ! Souhaitez-vous savoir autre chose ?',
    farewell: 'Au revoir ! Revenez dès que vous avez une question.',
    identity:
      'Je suis un assistant automatique, pas une personne. Je réponds aux questions à partir des connaissances qui m’ont été fournies, et je cite mes sources. Que souhaitez-vous savoir ?',
    noEvidence: 'Je n’ai pas trouvé de réponse à cette question dans les connaissances qui m’ont été fournies.',
  },
  es: {
    greeting: '¡Hola! ¿Qué le gustaría saber?',
    thanks: '¡De nada! ¿Le gustaría saber algo más?',
    farewell: '¡Hasta luego! Vuelva cuando tenga una pregunta.',
    identity:
      'Soy un asistente automático, no una persona. Respondo preguntas con el conocimiento que me han dado y cito mis fuentes. ¿Qué le gustaría saber?',
    noEvidence: 'No he encontrado una respuesta a eso en el conocimiento que me han dado.',
  },
  pt: {
    greeting: 'Olá! O que gostaria de saber?',
    thanks: 'De nada! Gostaria de saber mais alguma coisa?',
    farewell: 'Até logo! Volte sempre que tiver uma pergunta.',
    identity:
      'Sou um assistente automático, não uma pessoa. Respondo a perguntas com o conhecimento que me foi dado e cito as minhas fontes. O que gostaria de saber?',
    noEvidence: 'Não encontrei uma resposta para isso no conhecimento que me foi dado.',
  },
  it: {
    greeting: 'Buongiorno! Che cosa vorrebbe sapere?',
    thanks: 'Prego! Vorrebbe sapere altro?',
    farewell: 'Arrivederci! Torni quando ha una domanda.',
    identity:
      'Sono un assistente automatico, non una persona. Rispondo alle domande in base alle conoscenze che mi sono state fornite e cito le mie fonti. Che cosa vorrebbe sapere?',
    noEvidence: 'Non ho trovato una risposta nelle conoscenze che mi sono state fornite.',
  },
  nl: {
    greeting: 'Hallo! Wat wilt u weten?',
    thanks: 'Graag gedaan! Wilt u nog iets anders weten?',
    farewell: 'Tot ziens! Kom gerust terug als u een vraag hebt.',
    identity:
      'Ik ben een automatische assistent, geen mens. Ik beantwoord vragen uit de kennis die mij is gegeven en noem mijn bronnen. Wat wilt u weten?',
    noEvidence: 'Daarop heb ik geen antwoord gevonden in de kennis die mij is gegeven.',
  },
  sv: {
    greeting: 'Hej! Vad vill du veta?',
    thanks: 'Varsågod! Vill du veta något mer?',
    farewell: 'Hej då! Kom tillbaka när du har en fråga.',
    identity:
      'Jag är en automatisk assistent, inte en människa. Jag svarar på frågor utifrån den kunskap jag har fått och anger mina källor. Vad vill du veta?',
    noEvidence: 'Jag hittade inget svar på det i den kunskap jag har fått.',
  },
  pl: {
    greeting: 'Dzień dobry! Czego chcesz się dowiedzieć?',
    thanks: 'Nie ma za co! Czy chcesz dowiedzieć się czegoś jeszcze?',
    farewell: 'Do widzenia! Wróć, kiedy będziesz mieć pytanie.',
    identity:
      'Jestem automatycznym asystentem, a nie człowiekiem. Odpowiadam na pytania na podstawie przekazanej mi wiedzy i podaję źródła. Czego chcesz się dowiedzieć?',
    noEvidence: 'W przekazanej mi wiedzy nie ma odpowiedzi na to pytanie.',
  },
  tr: {
    greeting: 'Merhaba! Ne öğrenmek istersiniz?',
    thanks: 'Rica ederim! Öğrenmek istediğiniz başka bir şey var mı?',
    farewell: 'Hoşça kalın! Sorunuz olduğunda yine gelin.',
    identity:
      'Ben otomatik bir asistanım, insan değilim. Soruları bana verilen bilgilerden yanıtlar ve kaynaklarımı belirtirim. Ne öğrenmek istersiniz?',
    noEvidence: 'Bana verilen bilgilerde bunun yanıtını bulamadım.',
  },
  ru: {
    greeting: 'Здравствуйте! Что бы вы хотели узнать?',
    thanks: 'Пожалуйста! Хотите узнать что-нибудь ещё?',
    farewell: 'До свидания! Возвращайтесь, когда появится вопрос.',
    identity:
      'Я автоматический помощник, а не человек. Я отвечаю на вопросы по предоставленным мне материалам и указываю источники. Что бы вы хотели узнать?',
    noEvidence: 'В предоставленных мне материалах нет ответа на этот вопрос.',
  },
  uk: {
    greeting: 'Вітаю! Що б ви хотіли дізнатися?',
    thanks: 'Будь ласка! Хочете дізнатися ще щось?',
    farewell: 'До побачення! Повертайтеся, коли матимете запитання.',
    identity:
      'Я автоматичний помічник, а не людина. Я відповідаю на запитання за наданими мені матеріалами й указую джерела. Що б ви хотіли дізнатися?',
    noEvidence: 'У наданих мені матеріалах немає відповіді на це запитання.',
  },
  fa: {
    greeting: 'سلام! چه چیزی می‌خواهید بدانید؟',
    thanks: 'خواهش می‌کنم! سؤال دیگری دارید؟',
    farewell: 'خداحافظ! هر وقت سؤالی داشتید برگردید.',
    identity:
      'من یک دستیار خودکار هستم، نه یک انسان. از روی دانشی که به من داده شده به پرسش‌ها پاسخ می‌دهم و منبع‌هایم را نام می‌برم. چه چیزی می‌خواهید بدانید؟',
    noEvidence: 'در دانشی که به من داده شده پاسخی برای این پرسش پیدا نکردم.',
  },
  ar: {
    greeting: 'مرحبًا! ماذا تود أن تعرف؟',
    thanks: 'على الرحب والسعة! هل تود معرفة شيء آخر؟',
    farewell: 'إلى اللقاء! عد متى كان لديك سؤال.',
    identity: 'أنا مساعد آلي ولست إنسانًا. أجيب عن الأسئلة من المعرفة التي أُعطيت لي وأذكر مصادري. ماذا تود أن تعرف؟',
    noEvidence: 'لم أجد إجابة عن ذلك في المعرفة التي أُعطيت لي.',
  },
  hi: {
    greeting: 'नमस्ते! आप क्या जानना चाहेंगे?',
    thanks: 'आपका स्वागत है! क्या आप कुछ और जानना चाहेंगे?',
    farewell: 'अलविदा! जब भी कोई सवाल हो, फिर आइए।',
    identity:
      'मैं एक स्वचालित सहायक हूँ, इंसान नहीं। मैं मुझे दी गई जानकारी से सवालों के जवाब देता हूँ और अपने स्रोत बताता हूँ। आप क्या जानना चाहेंगे?',
    noEvidence: 'मुझे दी गई जानकारी में इसका उत्तर नहीं मिला।',
  },
  zh: {
    greeting: '您好！您想了解什么？',
    thanks: '不客气！您还想了解什么吗？',
    farewell: '再见！有问题随时再来。',
    identity: '我是自动助手，不是真人。我根据所获得的知识回答问题，并注明来源。您想了解什么？',
    noEvidence: '在我所获得的知识中没有找到这个问题的答案。',
  },
  ja: {
    greeting: 'こんにちは。何をお知りになりたいですか。',
    thanks: 'どういたしまして。ほかにお知りになりたいことはありますか。',
    farewell: 'さようなら。ご質問があればまたお越しください。',
    identity:
      '私は自動アシスタントで、人間ではありません。与えられた知識をもとに質問にお答えし、出典を示します。何をお知りになりたいですか。',
    noEvidence: '与えられた知識の中に、その答えは見つかりませんでした。',
  },
  ko: {
    greeting: '안녕하세요! 무엇을 알고 싶으신가요?',
    thanks: '천만에요! 더 알고 싶은 것이 있으신가요?',
    farewell: '안녕히 가세요! 궁금한 것이 있으면 언제든지 다시 오세요.',
    identity:
      '저는 사람이 아니라 자동 도우미입니다. 주어진 지식을 바탕으로 질문에 답하고 출처를 밝힙니다. 무엇을 알고 싶으신가요?',
    noEvidence: '주어진 지식에서 그에 대한 답을 찾지 못했습니다.',
  },
};
