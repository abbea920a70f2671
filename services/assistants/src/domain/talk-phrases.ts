import type { Language } from './language.ts';

/** What people say to an assistant besides their questions, separated by `|`. */
export interface Phrases {
  greeting: string;
  thanks: string;
  farewell: string;
  /** Questions about the assistant itself. */
  identity: string;
  /** What may stand beside them without meaning more. */
  filler: string;
}

export const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    greeting:
      'hi|hello|hey|heya|hiya|howdy|yo|greetings|good morning|morning|good afternoon|good evening|good day|welcome|how are you|how are you doing|how are you today|how is it going|hows it going|how do you do|whats up|sup|nice to meet you|anyone there|anybody there|is anyone there|is anybody there|are you there|hello world',
    thanks:
      'thanks|thank you|thankyou|thx|ty|tysm|cheers|much appreciated|appreciated|i appreciate it|i appreciate your help|many thanks|thanks a lot|thanks a million|thanks a bunch|that helped|that helps|that was helpful|very helpful',
    farewell:
      'bye|goodbye|good bye|bye bye|byebye|see you|see you later|see ya|cya|later|take care|good night|farewell|have a nice day|have a good day|have a great day|have a nice weekend|until next time|thats all|that is all|that will be all|thats it|nothing else',
    identity:
      'who are you|what are you|who is this|who am i talking to|who am i speaking to|who am i speaking with|who am i chatting with|are you a bot|are you a robot|are you a human|are you human|are you a person|are you a real person|are you real|are you a machine|are you a computer|are you a chatbot|are you an ai|are you ai|are you an assistant|are you chatgpt|are you a human or a bot|are you a bot or a human|are you a real human|am i talking to a bot|am i talking to a robot|am i talking to a human|am i talking to a person|am i talking to a real person|am i talking to a machine|am i chatting with a bot|is this a bot|is this a robot|is this a human|is this a real person|is this an ai|what is your name|whats your name|do you have a name|what can you do|what can you do for me|what can you help with|what can you help me with|how can you help|how can you help me|what can i ask|what can i ask you|what can i ask you about|what do you know|can you help me|can you help|could you help me|i need help|help|help me|who made you|who created you|who built you|tell me about yourself|introduce yourself',
    filler:
      'there|again|everyone|everybody|all|team|bot|assistant|dear|sir|madam|friend|buddy|mate|so much|very much|a lot|ok|okay|k|great|perfect|cool|nice|good|awesome|excellent|wonderful|alright|well|oh|ah|yes|yeah|no|please|for your help|for the help|for the info|for the information|for the answer|for your time|for everything|for that|for now|then|and|just|got it|i see|understood|my|today|you',
  },
  de: {
    greeting:
      'hallo|hi|hey|moin|moin moin|servus|grüezi|grüß gott|grüss gott|grüß dich|guten tag|guten morgen|guten abend|tag|morgen|wie geht es dir|wie geht es ihnen|wie gehts|wie gehts dir|ist da jemand|jemand da',
    thanks:
      'danke|dankeschön|danke schön|vielen dank|vielen lieben dank|herzlichen dank|besten dank|danke sehr|danke dir|danke ihnen|ich danke ihnen|ich danke dir|das hat geholfen|das hilft mir',
    farewell:
      'tschüss|tschüß|tschau|auf wiedersehen|wiedersehen|auf wiederhören|bis bald|bis später|bis dann|bis zum nächsten mal|gute nacht|schönen tag|schönen tag noch|einen schönen tag|einen schönen tag noch|schönes wochenende|mach es gut|machs gut|das wars|das ist alles|das war alles',
    identity:
      'wer bist du|wer sind sie|was bist du|was sind sie|bist du ein bot|bist du ein roboter|bist du ein mensch|bist du eine maschine|bist du eine ki|bist du echt|bist du ein chatbot|sind sie ein bot|sind sie ein roboter|sind sie ein mensch|sind sie eine maschine|sind sie eine ki|sind sie ein echter mensch|bist du ein echter mensch|spreche ich mit einem menschen|spreche ich mit einem bot|rede ich mit einem menschen|rede ich mit einem bot|mit wem spreche ich|mit wem rede ich|wie heißt du|wie heißen sie|was kannst du|was können sie|was kannst du tun|was kannst du für mich tun|was können sie für mich tun|was kannst du alles|wie kannst du mir helfen|wie können sie mir helfen|wobei kannst du helfen|wobei können sie helfen|wobei kannst du mir helfen|wobei können sie mir helfen|kannst du mir helfen|können sie mir helfen|was kann ich dich fragen|was kann ich sie fragen|was kann ich fragen|hilfe|ich brauche hilfe|wer hat dich gemacht|wer hat dich entwickelt|stell dich vor',
    filler:
      'ok|okay|gut|sehr gut|super|prima|perfekt|toll|klasse|alles klar|ja|nein|bitte|und|dann|also|auch|zusammen|leute|alle|für die hilfe|für ihre hilfe|für deine hilfe|für die auskunft|für die antwort|für die information|für alles|nochmal|noch|sehr|verstanden|da|heute',
  },
  fr: {
    greeting:
      'bonjour|bonsoir|salut|coucou|hello|allô|allo|rebonjour|bon matin|comment allez vous|comment ça va|ça va|comment vas tu|comment tu vas|il y a quelqu un|il y a quelquun|enchanté|enchantée',
    thanks:
      'merci|merci beaucoup|merci bien|mille mercis|merci à vous|merci à toi|je vous remercie|je te remercie|grand merci|un grand merci|merci infiniment',
    farewell:
      'au revoir|à bientôt|à plus|à plus tard|à demain|à la prochaine|adieu|bonne journée|bonne soirée|bonne nuit|bon week end|cest tout|bonne fin de journée|tchao',
    identity:
      'qui es tu|qui êtes vous|tu es qui|vous êtes qui|es tu un robot|êtes vous un robot|tu es un robot|vous êtes un robot|es tu un bot|êtes vous un bot|es tu humain|êtes vous humain|es tu un humain|êtes vous un humain|es tu une personne|êtes vous une personne|êtes vous une vraie personne|êtes vous une personne réelle|es tu une ia|êtes vous une ia|est ce que tu es un robot|est ce que vous êtes un robot|est ce que je parle à un robot|est ce que je parle à un humain|je parle à qui|à qui je parle|à qui ai je affaire|comment tu tappelles|comment tappelles tu|comment vous appelez vous|quel est ton nom|quel est votre nom|que peux tu faire|que pouvez vous faire|que sais tu faire|que savez vous faire|quest ce que tu peux faire|quest ce que vous pouvez faire|que peux tu faire pour moi|que pouvez vous faire pour moi|comment peux tu maider|comment pouvez vous maider|peux tu maider|pouvez vous maider|en quoi pouvez vous maider|aide|aidez moi|aide moi|jai besoin daide|présente toi|présentez vous',
    filler:
      'ok|okay|oui|non|super|parfait|très bien|bien|génial|daccord|dac|à tous|tout le monde|madame|monsieur|et|alors|donc|pour votre aide|pour ton aide|pour laide|pour la réponse|pour tout|sil vous plaît|sil te plaît|svp|stp|beaucoup|encore|entendu|compris|vous|toi',
  },
  es: {
    greeting:
      'hola|holi|buenas|buenos días|buen día|buenas tardes|buenas noches|saludos|qué tal|hola qué tal|cómo estás|cómo está|cómo está usted|qué hay|hay alguien|hay alguien ahí|mucho gusto|encantado|encantada',
    thanks:
      'gracias|muchas gracias|mil gracias|muchísimas gracias|gracias por todo|te lo agradezco|se lo agradezco|muy agradecido|muy agradecida|muy amable',
    farewell:
      'adiós|chao|chau|hasta luego|hasta pronto|hasta mañana|hasta la vista|nos vemos|que tengas un buen día|que tenga un buen día|buen fin de semana|eso es todo|eso era todo|nada más',
    identity:
      'quién eres|quién es usted|qué eres|quién eres tú|eres un bot|eres un robot|eres humano|eres un humano|eres una persona|eres una persona real|eres una máquina|eres una ia|eres real|es usted un robot|es usted una persona|es usted humano|es usted un bot|estoy hablando con un robot|estoy hablando con una persona|estoy hablando con un humano|hablo con un robot|hablo con una persona|con quién hablo|con quién estoy hablando|cómo te llamas|cómo se llama|cómo se llama usted|cuál es tu nombre|cuál es su nombre|qué puedes hacer|qué puede hacer|qué sabes hacer|qué puedes hacer por mí|qué puede hacer por mí|cómo puedes ayudarme|cómo puede ayudarme|cómo me puedes ayudar|en qué puedes ayudarme|en qué puede ayudarme|en qué me puedes ayudar|puedes ayudarme|puede ayudarme|me puedes ayudar|me puede ayudar|qué puedo preguntarte|qué te puedo preguntar|ayuda|ayúdame|necesito ayuda|preséntate',
    filler:
      'ok|vale|sí|no|bien|muy bien|perfecto|genial|estupendo|excelente|de acuerdo|entendido|y|pues|entonces|por favor|a todos|señor|señora|amigo|amiga|por tu ayuda|por su ayuda|por la ayuda|por la información|por la respuesta|por todo|muy|mucho|ya|usted|tú',
  },
  pt: {
    greeting:
      'olá|oi|oie|bom dia|boa tarde|boa noite|e aí|saudações|tudo bem|tudo bom|como vai|como está|como você está|como vai você|alguém aí|tem alguém aí|prazer',
    thanks:
      'obrigado|obrigada|muito obrigado|muito obrigada|obrigadão|valeu|agradeço|agradecido|agradecida|grato|grata|brigado|brigada',
    farewell:
      'tchau|adeus|até logo|até mais|até breve|até amanhã|até a próxima|até já|tenha um bom dia|bom fim de semana|um abraço|abraços|é só isso|era só isso|é tudo',
    identity:
      'quem é você|quem és tu|quem é|o que é você|o que você é|você é um robô|você é um bot|você é humano|você é um humano|você é uma pessoa|você é uma pessoa real|você é uma máquina|você é uma ia|você é real|és um robô|és humano|és uma pessoa|é um robô|estou falando com um robô|estou falando com uma pessoa|estou a falar com um robô|estou a falar com uma pessoa|com quem estou falando|com quem falo|com quem estou a falar|qual é o seu nome|qual é o teu nome|qual o seu nome|como você se chama|como te chamas|o que você pode fazer|o que você faz|o que você sabe fazer|o que podes fazer|o que você pode fazer por mim|como você pode me ajudar|como podes ajudar|pode me ajudar|você pode me ajudar|podes ajudar me|pode ajudar me|em que pode me ajudar|o que posso perguntar|ajuda|me ajuda|me ajude|preciso de ajuda|apresente se',
    filler:
      'ok|sim|não|bem|muito bem|perfeito|ótimo|excelente|legal|beleza|certo|entendi|entendido|e|então|por favor|a todos|pessoal|senhor|senhora|amigo|amiga|pela ajuda|pela sua ajuda|pela informação|pela resposta|por tudo|mesmo|muito|mais|você',
  },
  it: {
    greeting:
      'ciao|salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|ehi|come stai|come sta|come va|tutto bene|piacere|cè qualcuno',
    thanks:
      'grazie|grazie mille|molte grazie|tante grazie|grazie tante|ti ringrazio|la ringrazio|vi ringrazio|grazie infinite|grazie di tutto|grazie di cuore',
    farewell:
      'arrivederci|arrivederla|addio|a presto|a dopo|a domani|ci vediamo|alla prossima|buona giornata|buona serata|buonanotte|buona notte|buon fine settimana|è tutto|questo è tutto',
    identity:
      'chi sei|chi è lei|chi siete|cosa sei|sei un bot|sei un robot|sei umano|sei un umano|sei una persona|sei una persona reale|sei una macchina|sei un ia|sei unia|sei reale|lei è un robot|lei è una persona|sto parlando con un robot|sto parlando con una persona|con chi parlo|con chi sto parlando|come ti chiami|come si chiama|qual è il tuo nome|qual è il suo nome|cosa puoi fare|cosa sai fare|che cosa puoi fare|che cosa sai fare|cosa può fare|cosa puoi fare per me|come puoi aiutarmi|come può aiutarmi|in cosa puoi aiutarmi|puoi aiutarmi|può aiutarmi|mi puoi aiutare|mi può aiutare|cosa posso chiederti|aiuto|aiutami|ho bisogno di aiuto|presentati',
    filler:
      'ok|okay|sì|no|bene|molto bene|perfetto|ottimo|fantastico|va bene|daccordo|capito|e|allora|poi|per favore|a tutti|signore|signora|amico|amica|per laiuto|per il tuo aiuto|per il suo aiuto|per le informazioni|per la risposta|di tutto|per tutto|ancora|molto|mille|lei|tu',
  },
  nl: {
    greeting:
      'hallo|hoi|hey|hi|goedendag|goedemorgen|goedemiddag|goedenavond|goeiedag|dag|hoe gaat het|hoe gaat het met je|hoe gaat het met u|alles goed|is er iemand|is daar iemand',
    thanks:
      'dank|bedankt|dank je|dank u|dankje|dankjewel|dank je wel|dank u wel|hartelijk dank|hartelijk bedankt|heel erg bedankt|erg bedankt|bedankt hoor|veel dank',
    farewell:
      'doei|doeg|tot ziens|tot later|tot straks|tot morgen|tot snel|fijne dag|fijne dag nog|een fijne dag|prettige dag|fijn weekend|goedenacht|welterusten|dat was het|dat is alles|vaarwel',
    identity:
      'wie ben je|wie ben jij|wie bent u|wat ben je|wat ben jij|ben je een bot|ben je een robot|ben je een mens|ben jij een bot|ben jij een robot|ben jij een mens|bent u een bot|bent u een robot|bent u een mens|ben je een echt persoon|ben je echt|ben je een ai|praat ik met een robot|praat ik met een mens|spreek ik met een mens|spreek ik met een robot|met wie praat ik|met wie spreek ik|hoe heet je|hoe heet u|wat is je naam|wat is uw naam|wat kan je|wat kun je|wat kunt u|wat kan je doen|wat kun je doen|wat kunt u doen|wat kun je voor me doen|wat kun je voor mij doen|wat kunt u voor mij doen|hoe kun je me helpen|hoe kunt u mij helpen|waarmee kun je helpen|kun je me helpen|kun je mij helpen|kunt u mij helpen|kan je me helpen|wat kan ik vragen|wat kan ik je vragen|help|hulp|ik heb hulp nodig|stel je voor',
    filler:
      'ok|oké|okay|ja|nee|goed|heel goed|prima|perfect|top|mooi|super|fijn|en|dan|dus|alsjeblieft|alstublieft|allemaal|iedereen|voor de hulp|voor je hulp|voor uw hulp|voor de informatie|voor het antwoord|voor alles|hoor|begrepen|duidelijk|nog|erg|wel',
  },
  sv: {
    greeting:
      'hej|hejsan|hallå|tja|tjena|god morgon|godmorgon|god dag|god kväll|hur mår du|hur är det|läget|är någon där',
    thanks: 'tack|tack så mycket|stort tack|tusen tack|många tack|tackar|jättetack',
    farewell:
      'hej då|hejdå|adjö|vi ses|vi hörs|på återseende|ha det bra|ha en bra dag|ha en fin dag|god natt|trevlig helg|det var allt|det är allt',
    identity:
      'vem är du|vad är du|är du en bot|är du en robot|är du en människa|är du människa|är du en riktig människa|är du en ai|är du en maskin|är du verklig|pratar jag med en robot|pratar jag med en människa|vem pratar jag med|vad heter du|vad kan du göra|vad kan du|vad kan du hjälpa till med|vad kan du hjälpa mig med|hur kan du hjälpa mig|kan du hjälpa mig|vad kan jag fråga|hjälp|hjälp mig|jag behöver hjälp|presentera dig',
    filler:
      'ok|okej|ja|nej|bra|jättebra|perfekt|toppen|fint|och|då|så|snälla|alla|för hjälpen|för din hjälp|för svaret|för allt|mycket|förstår',
  },
  pl: {
    greeting:
      'cześć|hej|witam|witaj|witajcie|dzień dobry|dobry wieczór|siema|siemka|halo|jak się masz|co słychać|jest tu ktoś',
    thanks:
      'dziękuję|dzięki|dziękuję bardzo|bardzo dziękuję|wielkie dzięki|stokrotne dzięki|serdecznie dziękuję|dzięki wielkie',
    farewell:
      'do widzenia|do zobaczenia|na razie|pa|pa pa|żegnaj|dobranoc|miłego dnia|miłego wieczoru|miłego weekendu|do usłyszenia|to wszystko|to tyle',
    identity:
      'kim jesteś|kim pan jest|kim pani jest|czym jesteś|czy jesteś botem|jesteś botem|czy jesteś robotem|jesteś robotem|czy jesteś człowiekiem|jesteś człowiekiem|czy jesteś prawdziwą osobą|czy jesteś sztuczną inteligencją|czy rozmawiam z botem|czy rozmawiam z człowiekiem|z kim rozmawiam|jak się nazywasz|jak masz na imię|co potrafisz|co umiesz|co możesz zrobić|co możesz dla mnie zrobić|jak możesz mi pomóc|w czym możesz pomóc|w czym możesz mi pomóc|czy możesz mi pomóc|możesz mi pomóc|o co mogę zapytać|pomoc|pomocy|pomóż mi|potrzebuję pomocy|przedstaw się',
    filler:
      'ok|okej|tak|nie|dobrze|bardzo dobrze|świetnie|super|doskonale|rozumiem|jasne|i|a|no|więc|proszę|wszystkim|za pomoc|za odpowiedź|za informację|za wszystko|bardzo|jeszcze',
  },
  tr: {
    greeting:
      'merhaba|merhabalar|selam|selamlar|selamün aleyküm|günaydın|iyi günler|iyi akşamlar|tünaydın|nasılsın|nasılsınız|naber|ne haber|kimse var mı|orada kimse var mı',
    thanks:
      'teşekkürler|teşekkür ederim|teşekkür ederiz|çok teşekkürler|çok teşekkür ederim|sağ ol|sağol|sağ olun|sağolun|eyvallah|çok sağ ol|minnettarım',
    farewell:
      'hoşça kal|hoşçakal|hoşça kalın|güle güle|görüşürüz|görüşmek üzere|iyi geceler|kendine iyi bak|bay bay|allaha ısmarladık|iyi hafta sonları|hepsi bu|bu kadar',
    identity:
      'sen kimsin|siz kimsiniz|kimsin|kimsiniz|nesin|sen nesin|bot musun|sen bot musun|robot musun|sen robot musun|sen bir robot musun|sen bir bot musun|insan mısın|sen insan mısın|gerçek misin|gerçek bir insan mısın|yapay zeka mısın|sen yapay zeka mısın|robot musunuz|insan mısınız|kiminle konuşuyorum|bir robotla mı konuşuyorum|bir insanla mı konuşuyorum|adın ne|adınız ne|ismin ne|neler yapabilirsin|ne yapabilirsin|neler yapabilirsiniz|ne yapabilirsiniz|benim için ne yapabilirsin|bana nasıl yardım edebilirsin|bana nasıl yardımcı olabilirsin|nasıl yardımcı olabilirsin|nasıl yardımcı olabilirsiniz|bana yardım edebilir misin|bana yardım eder misin|yardım edebilir misin|yardımcı olur musun|ne sorabilirim|sana ne sorabilirim|yardım|yardım et|yardıma ihtiyacım var|kendini tanıt',
    filler:
      'tamam|evet|hayır|iyi|çok iyi|güzel|harika|mükemmel|süper|peki|anladım|ve|lütfen|herkese|arkadaşlar|yardımın için|yardımınız için|her şey için|cevap için|çok|tekrar',
  },
  ru: {
    greeting:
      'привет|приветик|приветствую|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер|доброго дня|доброго времени суток|хай|салют|как дела|как вы|как ты|как поживаете|есть кто|есть кто нибудь|кто нибудь есть|алло|алё',
    thanks:
      'спасибо|большое спасибо|спасибо большое|спасибо огромное|огромное спасибо|благодарю|благодарю вас|спс|пасиб|спасибки|очень благодарен|очень благодарна',
    farewell:
      'пока|до свидания|до встречи|всего доброго|всего хорошего|до скорого|увидимся|прощайте|прощай|спокойной ночи|хорошего дня|хороших выходных|это всё|это все|на этом всё|на этом все',
    identity:
      'кто ты|кто вы|ты кто|вы кто|кто ты такой|кто вы такой|что ты такое|ты бот|вы бот|ты робот|вы робот|ты человек|вы человек|ты живой человек|вы живой человек|ты настоящий|ты настоящий человек|ты ии|ты искусственный интеллект|я говорю с роботом|я говорю с человеком|я разговариваю с роботом|я разговариваю с человеком|с кем я говорю|с кем я разговариваю|как тебя зовут|как вас зовут|что ты умеешь|что вы умеете|что ты можешь|что вы можете|что ты умеешь делать|что вы умеете делать|что ты можешь делать|что ты можешь сделать|что вы можете сделать|чем ты можешь помочь|чем вы можете помочь|чем можешь помочь|чем можете помочь|как ты можешь мне помочь|как вы можете мне помочь|ты можешь мне помочь|вы можете мне помочь|можешь помочь|можете помочь|что можно спросить|о чём можно спросить|о чем можно спросить|помощь|помоги|помогите|помоги мне|помогите мне|мне нужна помощь|нужна помощь|представься|представьтесь',
    filler:
      'ок|окей|да|нет|хорошо|очень хорошо|отлично|прекрасно|супер|понятно|понял|поняла|ясно|и|а|ну|тогда|пожалуйста|всем|вам|тебе|за помощь|за вашу помощь|за ответ|за информацию|за всё|за все|ещё|еще|очень|большое|бот|ты|вы',
  },
  uk: {
    greeting:
      'привіт|вітаю|вітання|добрий день|доброго дня|добрий ранок|доброго ранку|добрий вечір|доброго вечора|здрастуйте|як справи|як ви|є хтось|хтось є',
    thanks: 'дякую|дуже дякую|щиро дякую|щиро вдячний|щиро вдячна|спасибі|велике спасибі|дякую дуже|красно дякую',
    farewell:
      'до побачення|бувай|бувайте|до зустрічі|на все добре|на добраніч|гарного дня|гарного вечора|гарних вихідних|побачимось|це все',
    identity:
      'хто ти|хто ви|ти хто|ви хто|ти бот|ви бот|ти робот|ви робот|ти людина|ви людина|ти жива людина|ви жива людина|ти справжній|ти ші|ти штучний інтелект|я розмовляю з роботом|я розмовляю з людиною|з ким я розмовляю|з ким я говорю|як тебе звати|як вас звати|що ти вмієш|що ви вмієте|що ти можеш|що ви можете|що ти можеш зробити|що ви можете зробити|чим ти можеш допомогти|чим ви можете допомогти|чим можеш допомогти|чим можете допомогти|ти можеш мені допомогти|ви можете мені допомогти|можеш допомогти|можете допомогти|що можна запитати|допомога|допоможи|допоможіть|мені потрібна допомога|потрібна допомога',
    filler:
      'ок|окей|так|ні|добре|дуже добре|чудово|супер|зрозуміло|зрозумів|зрозуміла|ясно|і|й|а|ну|тоді|будь ласка|всім|усім|вам|тобі|за допомогу|за відповідь|за інформацію|за все|ще|дуже',
  },
  fa: {
    greeting:
      'سلام|سلام علیکم|درود|درود بر شما|صبح بخیر|صبح به خیر|ظهر بخیر|عصر بخیر|شب خوش|وقت بخیر|روز بخیر|خسته نباشید|حالت چطوره|حالتون چطوره|حال شما چطور است|حال شما چطوره|چطوری|چطورید|خوبی|خوبید|کسی هست|کسی اینجاست|خوشوقتم',
    thanks:
      'ممنون|ممنونم|متشکرم|متشکر|مرسی|سپاس|سپاسگزارم|سپاسگزار|تشکر|تشکر میکنم|با تشکر|خیلی ممنون|خیلی ممنونم|بسیار ممنون|بسیار ممنونم|بسیار متشکرم|بسیار سپاسگزارم|دستت درد نکنه|دستتون درد نکنه|دست شما درد نکند|لطف کردید',
    farewell:
      'خداحافظ|خدا حافظ|خدانگهدار|خدا نگهدار|بدرود|فعلا|تا بعد|به امید دیدار|شب بخیر|شب به خیر|روز خوش|روز خوبی داشته باشید|بای|همین|همین بود|دیگه سوالی ندارم|سوال دیگری ندارم',
    identity:
      'تو کی هستی|شما کی هستید|کی هستی|تو کیستی|شما کیستید|تو چی هستی|شما چه هستید|تو ربات هستی|تو رباتی|شما ربات هستید|آیا شما ربات هستید|آیا تو ربات هستی|ربات هستی|ربات هستید|تو انسان هستی|تو انسانی|شما انسان هستید|آیا شما انسان هستید|آیا تو انسان هستی|آدمی یا ربات|انسانی یا ربات|شما واقعی هستید|تو هوش مصنوعی هستی|شما هوش مصنوعی هستید|با کی حرف میزنم|با چه کسی صحبت میکنم|دارم با ربات حرف میزنم|اسمت چیه|اسم شما چیست|اسم شما چیه|نام شما چیست|نامت چیست|چه کار میتوانی بکنی|چه کار میتوانید بکنید|چه کاری میتوانی انجام دهی|چه کاری میتوانید انجام دهید|چه کارهایی میتوانی انجام دهی|چه کارهایی میتوانید انجام دهید|چیکار میتونی بکنی|چه کار میتونی بکنی|چیکار میکنی|چطور میتوانی کمکم کنی|چگونه میتوانید به من کمک کنید|چطور میتوانید به من کمک کنید|میتوانی کمکم کنی|میتوانید کمکم کنید|میتوانید به من کمک کنید|میتونی کمکم کنی|میشه کمکم کنی|چه سوالی میتوانم بپرسم|چی میتونم بپرسم|کمک|کمکم کن|به کمک نیاز دارم|کمک میخواهم|خودت را معرفی کن|خودتان را معرفی کنید',
    filler:
      'باشه|بله|آره|نه|خوب|خیلی خوب|عالی|عالیه|اوکی|اوکیه|متوجه شدم|فهمیدم|و|پس|لطفا|دوست عزیز|عزیز|از کمک شما|از کمکت|از راهنمایی شما|بابت راهنمایی|برای کمک شما|بابت پاسخ|از شما|خیلی|بسیار|واقعا|همه|همگی|به همه|جان|آقا|خانم',
  },
  ar: {
    greeting:
      'مرحبا|مرحبا بك|مرحبا بكم|أهلا|أهلا وسهلا|السلام عليكم|السلام عليكم ورحمة الله|السلام عليكم ورحمة الله وبركاته|سلام|سلام عليكم|صباح الخير|مساء الخير|صباح النور|مساء النور|هاي|هلا|هلا والله|تحية طيبة|كيف حالك|كيف الحال|كيف حالكم|كيفك|هل من أحد هنا|هل يوجد أحد|تشرفنا',
    thanks:
      'شكرا|شكرا لك|شكرا لكم|شكرا جزيلا|شكرا جزيلا لك|شكرا كثيرا|ألف شكر|الف شكر|أشكرك|أشكركم|جزاك الله خيرا|جزاكم الله خيرا|ممنون|ممنونك|تسلم|مشكور|مشكورين|يعطيك العافية',
    farewell:
      'مع السلامة|وداعا|إلى اللقاء|أراك لاحقا|نراكم لاحقا|تصبح على خير|تصبحون على خير|في أمان الله|باي|يومك سعيد|طاب يومك|نهارك سعيد|هذا كل شيء',
    identity:
      'من أنت|من انت|من أنتم|من تكون|ما أنت|ما انت|مين انت|مين أنت|هل أنت روبوت|هل انت روبوت|أنت روبوت|انت روبوت|هل أنت بوت|هل أنت إنسان|هل انت انسان|هل أنت بشر|هل أنت شخص حقيقي|هل أنت حقيقي|هل أنت ذكاء اصطناعي|هل أنت آلة|هل أتحدث مع روبوت|هل أتحدث مع إنسان|هل أتحدث مع شخص حقيقي|مع من أتحدث|ما اسمك|ما هو اسمك|شو اسمك|ماذا يمكنك أن تفعل|ماذا يمكنك ان تفعل|ماذا تستطيع أن تفعل|ماذا تفعل|ما الذي يمكنك فعله|ماذا يمكنك أن تفعل لي|كيف يمكنك مساعدتي|كيف يمكنك أن تساعدني|بماذا يمكنك مساعدتي|هل يمكنك مساعدتي|هل تستطيع مساعدتي|هل يمكنك أن تساعدني|ماذا يمكنني أن أسألك|عن ماذا يمكنني أن أسأل|مساعدة|ساعدني|أحتاج مساعدة|أحتاج إلى مساعدة|عرف عن نفسك|عرفني بنفسك',
    filler:
      'حسنا|نعم|لا|جيد|جيد جدا|ممتاز|رائع|تمام|طيب|أوكي|اوكي|فهمت|مفهوم|و|إذن|من فضلك|لو سمحت|جميعا|للجميع|صديقي|سيدي|سيدتي|على المساعدة|على مساعدتك|على المعلومات|على الإجابة|على كل شيء|جدا|كثيرا|جزيلا|لك|لكم|بك|بكم|يا',
  },
  hi: {
    greeting:
      'नमस्ते|नमस्कार|हैलो|हेलो|हाय|प्रणाम|राम राम|सुप्रभात|शुभ प्रभात|शुभ संध्या|आप कैसे हैं|आप कैसे हो|कैसे हो|कैसे हैं|क्या हाल है|कोई है',
    thanks: 'धन्यवाद|बहुत धन्यवाद|बहुत बहुत धन्यवाद|आपका धन्यवाद|शुक्रिया|बहुत शुक्रिया|बहुत बहुत शुक्रिया|आभार|थैंक्स|थैंक यू',
    farewell: 'अलविदा|फिर मिलेंगे|बाय|शुभ रात्रि|शुभ दिन|आपका दिन शुभ हो|बस इतना ही',
    identity:
      'आप कौन हैं|आप कौन हो|तुम कौन हो|तू कौन है|आप क्या हैं|तुम क्या हो|क्या आप रोबोट हैं|क्या तुम रोबोट हो|क्या आप बॉट हैं|क्या तुम बॉट हो|क्या आप इंसान हैं|क्या तुम इंसान हो|क्या आप असली हैं|क्या आप मशीन हैं|क्या आप एआई हैं|मैं किससे बात कर रहा हूँ|मैं किससे बात कर रही हूँ|आपका नाम क्या है|तुम्हारा नाम क्या है|आप क्या कर सकते हैं|आप क्या कर सकते हो|तुम क्या कर सकते हो|आप मेरे लिए क्या कर सकते हैं|आप मेरी मदद कैसे कर सकते हैं|आप मेरी क्या मदद कर सकते हैं|क्या आप मेरी मदद कर सकते हैं|क्या आप मदद कर सकते हैं|मैं क्या पूछ सकता हूँ|मदद|मेरी मदद करो|मेरी मदद कीजिए|मुझे मदद चाहिए|अपना परिचय दो|अपना परिचय दीजिए',
    filler:
      'ठीक है|ठीक|अच्छा|बहुत अच्छा|हाँ|हां|जी|जी हाँ|नहीं|बढ़िया|समझ गया|समझ गई|और|तो|कृपया|सबको|भाई|दोस्त|सर|मैडम|मदद के लिए|आपकी मदद के लिए|जानकारी के लिए|जवाब के लिए|बहुत|फिर से|आपको',
  },
  zh: {
    greeting:
      '你好|您好|你们好|嗨|哈喽|哈啰|喂|大家好|早|早上好|早安|上午好|下午好|中午好|晚上好|你好吗|您好吗|最近好吗|有人吗|有人在吗|在吗|在嗎|您在吗|妳好|幸会',
    thanks:
      '谢谢|謝謝|谢谢你|谢谢您|謝謝你|謝謝您|多谢|多謝|感谢|感謝|非常感谢|非常感謝|十分感谢|谢了|谢啦|太感谢了|万分感谢|辛苦了',
    farewell:
      '再见|再見|拜拜|拜|回见|回头见|下次见|明天见|晚安|祝你愉快|祝您愉快|祝你有美好的一天|没有了|就这些|没别的了',
    identity:
      '你是谁|您是谁|你是誰|您是哪位|你是什么|你是机器人吗|你是機器人嗎|您是机器人吗|你是真人吗|您是真人吗|你是人吗|你是人类吗|你是人工智能吗|你是真人还是机器人|你是人还是机器人|你是ai吗|我在和机器人说话吗|我在跟谁说话|我在和谁说话|你叫什么|你叫什么名字|您叫什么名字|你的名字是什么|你能做什么|您能做什么|你会做什么|你可以做什么|你会什么|你能干什么|你能帮我做什么|你能为我做什么|你能帮我吗|您能帮我吗|你可以帮我吗|可以帮我吗|你能怎么帮我|我可以问什么|我能问你什么|我可以问你什么|帮助|帮帮我|帮我|我需要帮助|介绍一下你自己|请介绍一下自己|自我介绍一下',
    filler:
      '好|好的|好吧|嗯|哦|是|是的|对|不|行|可以|明白|明白了|知道了|了解|太好了|很好|非常好|完美|请|那|啊|呀|呢|吧|了|你的帮助|您的帮助|你的回答|您的回答|解答|大家|各位|朋友|机器人|助手|小助手|客服',
  },
  ja: {
    greeting:
      'こんにちは|こんにちわ|こんばんは|こんばんわ|おはよう|おはようございます|はじめまして|初めまして|やあ|どうも|もしもし|ハロー|お世話になります|お世話になっております|お元気ですか|元気ですか|元気|誰かいますか|よろしく|よろしくお願いします|よろしくお願いいたします',
    thanks:
      'ありがとう|ありがとうございます|ありがとうございました|有難う|有難うございます|有り難うございます|感謝します|感謝|サンキュー|助かりました|助かります|どうもありがとう|どうもありがとうございます|どうもありがとうございました',
    farewell:
      'さようなら|さよなら|バイバイ|またね|じゃあね|では また|それでは|失礼します|失礼いたします|おやすみ|おやすみなさい|また今度|また明日|以上です|良い一日を',
    identity:
      'あなたは誰ですか|あなたは誰|あなたはだれですか|誰ですか|君は誰|あなたは何ですか|あなたは何者ですか|ロボットですか|あなたはロボットですか|ボットですか|あなたはボットですか|人間ですか|あなたは人間ですか|本物の人間ですか|aiですか|あなたはaiですか|人工知能ですか|あなたは人工知能ですか|誰と話していますか|私は誰と話していますか|名前は|名前は何ですか|お名前は|あなたの名前は|あなたの名前は何ですか|何ができますか|何ができる|何が出来ますか|あなたは何ができますか|あなたに何ができますか|何をしてくれますか|どんなことができますか|何を手伝ってくれますか|手伝ってくれますか|手伝ってください|助けてください|助けて|ヘルプ|何を聞けますか|何を質問できますか|自己紹介してください|自己紹介して',
    filler:
      'はい|いいえ|うん|ええ|そう|そうですか|なるほど|わかりました|分かりました|了解|了解です|了解しました|ok|オーケー|すごい|いいね|完璧|とても|本当に|みなさん|皆さん|お願いします|ね|よ|では|じゃあ|さん|丁寧に|ご丁寧に|教えてくれて|教えていただき|助けてくれて',
  },
  ko: {
    greeting:
      '안녕|안녕하세요|안녕하십니까|반가워|반가워요|반갑습니다|하이|헬로|여보세요|좋은 아침|좋은 아침입니다|좋은 아침이에요|좋은 저녁입니다|잘 지내세요|잘 지내|어떻게 지내세요|처음 뵙겠습니다|누구 있어요|누구 있나요|계세요|계신가요',
    thanks:
      '감사|감사해요|감사합니다|정말 감사합니다|대단히 감사합니다|고마워|고마워요|고맙습니다|정말 고마워요|정말 고맙습니다|땡큐|수고하셨습니다|수고하세요|도움이 됐어요|도움이 되었습니다',
    farewell:
      '잘 가|잘 가요|안녕히 가세요|안녕히 계세요|잘 있어|잘 있어요|또 봐|또 봐요|또 만나요|다음에 봐요|바이|바이바이|잘 자|안녕히 주무세요|좋은 하루 되세요|좋은 하루 보내세요|그게 다예요|끝',
    identity:
      '누구세요|누구야|누구입니까|누구신가요|넌 누구야|너는 누구야|너 누구야|당신은 누구세요|당신은 누구입니까|당신은 누구인가요|당신은 무엇입니까|로봇이에요|로봇인가요|로봇이야|로봇입니까|너 로봇이야|당신은 로봇입니까|당신은 로봇인가요|봇이에요|봇인가요|사람이에요|사람인가요|사람이야|사람입니까|당신은 사람입니까|당신은 사람인가요|진짜 사람인가요|진짜 사람이에요|인공지능인가요|인공지능이에요|인공지능입니까|ai인가요|ai예요|누구와 이야기하고 있나요|제가 누구와 이야기하고 있나요|이름이 뭐예요|이름이 뭐야|이름이 무엇입니까|이름이 뭔가요|뭘 할 수 있어|뭘 할 수 있어요|뭘 할 수 있나요|무엇을 할 수 있나요|무엇을 할 수 있어요|무엇을 할 수 있습니까|무엇을 도와줄 수 있나요|어떻게 도와줄 수 있나요|도와줄 수 있나요|도와줄 수 있어요|도와주세요|도와줘|도움말|도움|도움이 필요해요|도움이 필요합니다|무엇을 물어볼 수 있나요|뭘 물어볼 수 있어요|자기소개 해줘|자기소개 해주세요',
    filler:
      '네|예|응|아니요|아니|그래|그래요|좋아|좋아요|좋습니다|완벽해요|훌륭해요|알겠습니다|알겠어요|알았어|알았어요|그렇군요|오케이|ok|정말|너무|매우|진짜|여러분|다들|도와주셔서|도와줘서|답변|알려줘서|알려주셔서|그럼|그리고',
  },
};
