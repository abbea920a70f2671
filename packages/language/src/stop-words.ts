/**
 * Words that say nothing about the topic of a text, question words included, by language (BCP 47). They also tell languages
 * apart, so a list holds what is frequent in its language.
 */
const LISTS: Record<string, string> = {
  en: `a about above after again against all also am an and any are as at be because been before being below between both
    but by can cannot could did do does doing don down during each either else ever every few for from further had has
    have having he hello her here hers herself hi him himself his how i if in into is isn it its itself just ll let may me
    might more most must my myself neither no nor not now of off on once only or other ought our ours ourselves out over
    own per please re s same shall she should so some such t tell than thank thanks that the their theirs them themselves
    then there these they this those through to too under until up upon us ve very was we were what when where whether
    which while who whom whose why will with without would you your yours yourself yourselves d m`,
  de: `aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anstatt auch auf
    aus außer außerdem bei beide beiden beides beim bereits bevor bin bis bisher bist bitte da dabei dadurch dafür
    dagegen daher dahin damals damit danach danke dann daran darauf daraus darf darfst darin darüber darum das dass daß
    dasselbe davon davor dazu dazwischen dein deine deinem deinen deiner dem demselben den denn denselben der deren
    derselbe derselben des deshalb desselben dessen deswegen dich die dies diese dieselbe dieselben diesem diesen dieser
    dieses dir doch dort du durch dürfen dürft dürfte dürften ein eine einem einen einer eines einige einigen einmal er
    es etwa etwas euch euer eure falls für ganz gar gegen gewesen geworden gibt hab habe haben hallo hat hätte hatte
    hätten hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins inwiefern irgend
    irgendwie irgendwo ist ja jede jedem jeden jeder jedes jedoch jemand jemandem jemanden jetzt kann kannst kein keine
    keinem keinen keiner können könnte könnten lasse lassen lässt mag magst man manche manchmal mehr mein meine meinem
    meinen meiner mich mir mit möchte möchten möchtest mögen muss müssen musst müsst müsste musste müssten nach nachdem
    nein nicht nichts nie niemand noch nun nur ob obwohl oder ohne schon sehr sein seine seinem seinen seiner seit
    selber selbst sich sie sind so sobald sogar solche soll sollen sollst sollt sollte sollten sondern sonst soweit
    sowie statt trotz trotzdem tue tun tust tut über um und uns unser unsere unserem unseren unter viel viele vielen
    vieler vom von vor während wann war wäre wären waren warum was wegen weil welche welchem welchen welcher welches wem
    wen wenige wenigen wenn wer werde werden weshalb wessen weswegen wie wieder wieso wieviel will willst wir wird wirst
    wo wobei wodurch wofür wogegen woher wohin wohl wollen wollt wollte wollten womit wonach woran worauf woraus worden
    worin worüber worum wovon wozu würde wurde würden wurden zu zum zur zwischen`,
  fr: `à afin ai ainsi alors après as au aucun aucune aujourd aura aussi autre autres aux avait avant avec avez avoir
    avons beaucoup bien bonjour c ça car ce ceci cela celle celles celui ces cet cette ceux chaque chez comme comment
    d dans de depuis des deux dois doit doivent donc dont du elle elles en encore entre es est et étaient était étant
    été être eu eux faire faut il ils j je l la là laquelle le lequel les lesquelles lesquels leur leurs lors lorsque
    lui m ma mais me même mêmes merci mes moi moins mon n ne ni non nos notre nous on ont ou où par parce pas pendant
    peu peut peuvent peux plus pour pourquoi puis puisque qu quand que quel quelle quelles quels qui quoi s sa sans se
    selon sera ses si sinon soit son sont sous suis sur t ta te tes toi ton tous tout toute toutes très tu un une vers
    voici voilà vos votre vous y`,
  es: `a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquí así aún aunque bien cada como cómo con
    contra cual cuál cuales cuáles cualquier cuando cuándo cuánto de debe deben debo del desde después donde dónde dos
    durante e el él ella ellas ellos en entonces entre era eran es esa esas ese eso esos esta está están estar estas este
    esto estos estoy fue fueron gracias ha había hace hacer hacia han hasta hay he hola la las le les lo los más me mi mí
    mientras mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque
    qué que quien quién quienes se sea según ser si sí sido siempre sin sino sobre son soy su sus tal también tampoco tan
    tanto te tengo ti tiene tienen toda todas todo todos tu tú tus un una unas uno unos usted ustedes vez y ya yo puede
    pueden puedo`,
  it: `a abbiamo ad agli ai al alcuni alla alle allo altra altre altri altro anche ancora avere aveva c che chi ci ciao
    ciò coi col come con cosa così cui da dagli dai dal dalla dalle dallo degli dei del della delle dello dentro deve
    devo di dopo dove due e è ed era erano essere fa fare fino fra già gli grazie ha hanno ho i il in io l la le lei li
    lo loro lui ma me mentre mi mia mie miei mio molto ne negli nei nel nella nelle nello noi non nostra nostro o ogni
    oppure per perché perciò però più po poi possiamo posso possono prima può qual quale quali quando quanto quella
    quelle quelli quello questa queste questi questo qui quindi se sei senza si sia siamo solo sono sopra sotto sta
    stato su sua sue sugli sui sul sulla suo suoi te ti tra tu tua tuo tutta tutte tutti tutto un una uno vi voi vostro`,
  pt: `a à ainda algum alguma algumas alguns antes ao aos apenas aquela aquele aquilo as às assim até bem cada com como
    contra da dá das de dela dele deles depois desde dessa desse desta deste deve devem devo do dos duas e é ela elas ele
    eles em enquanto entre era essa essas esse esses esta está estão estas este estes eu faz fazer foi foram há isso isto
    já lhe lhes mais mas me mesmo meu meus minha minhas muito na não nas nem nenhum nessa nesta no nos nós nossa nosso num
    numa o obrigado olá onde os ou para pela pelas pelo pelos pode podem pois por porque posso pouco qual quais qualquer
    quando quanto que quê quem se seja sem sempre ser será seu seus si sido só sob sobre sou sua suas são também tem têm
    tenho ter teu toda todas todo todos tu tua um uma umas uns você vocês`,
  nl: `aan al alle alleen als altijd andere ben bij bijvoorbeeld daar dan dat de deze die dit doen door dus een eens en
    er ge geen had hallo heb hebben heeft hem het hier hij hoe hoeveel hun ik in is ja je jij jou jouw jullie kan kon
    kunnen kunt maar me meer men met mij mijn moet moeten na naar nee niet niets nog nu of om omdat ons onze ook op over
    te tegen toch toen tot tussen uit uw van vaak veel via voor waar waarom wanneer want waren was wat we wel welk welke
    werd wie wij wil wordt worden zal ze zich zij zijn zo zonder zou bedankt`,
  sv: `alla allt att av blev bli blir både börjar de dem den denna deras dess dessa det detta dig din ditt då där därför
    efter eller en er ett från för genom ha hade han har hej henne hennes hon honom hur här i icke igen ingen inget inom
    inte jag ju kan kunde man med mellan men mig min mitt mot mycket måste ni nu när någon något några och också om oss på
    samma sedan sig sin sina sitt ska skall skulle som så sådan till tack under upp ut utan vad var vara varför varit
    varje vars vem vi vid vilka vilken vilket vår vårt än är åt över`,
  da: `ad af alle alt anden andre at blev blive bliver da de dem den denne der deres det dette dig din disse dit dog du
    efter eller en end er et for fordi fra før ham han hans har havde hej hende hendes her hos hun hvad hvem hver hvilke
    hvilken hvis hvor hvordan hvorfor hvornår i ikke ind jeg jer jo kan kunne man mange med meget mellem men mig min mine
    mit mod må ned noget nogle nogen nok nu når og også om op os over på sig sin sine sit skal skulle som sådan tak thi
    til ud uden under var vi vil ville vor være været`,
  nb: `alle at av bare begge ble blei bli blir både da de deg dem den denne der dere deres det dette din disse ditt du
    eller en enn er et ett etter for fordi fra før ha hadde han hans har hei hennes her hun hva hvem hver hvilke hvilken
    hvis hvor hvordan hvorfor i ikke ingen inn jeg kan kunne man mange med meg mellom men min mine mitt mot mye må ned noe
    noen nå når og også om opp oss over på seg selv sin sine sitt skal skulle slik som så takk til ut uten var ved vi vil
    ville vår være vært`,
  fi: `ei eivät emme en et ette että he hei hän häntä ja jo joka jos jossa jotka joten kaikki kanssa kiitos kuin kuinka
    kuka kun kuten koska me mikä mikäli milloin minkä minun minä missä mitkä mitä miksi miten mutta myös ne niin niitä
    noin nyt olen olet oli olisi olivat olla on ovat se sekä sen siinä siitä sillä sitä sinä tai te tämä tämän tässä
    vaikka vain vai voi voin voit voivat`,
  pl: `a aby ale bardzo bez bo by być był była było były będzie będą chce co coś czy czyli dla do dzięki gdy gdzie go i
    ich ile im inne innych ja jak jaka jaki jakie jakich jako je jednak jego jej jest jestem jeszcze jeśli jeżeli już
    każdy kiedy kto która które którego której który których którzy lub ma mam mają mi mnie może można mogę my na nad nam
    nas nie niż np o od ona one oni ono oraz po pod ponieważ poprzez przed przez przy są się swoje ta tak także tam te
    tego tej ten to tu tych tylko tym u w we więc wszystkie wszystko z za ze że`,
  cs: `a aby ale ani asi až bez bude budou by byl byla bylo být co či do díky ho i já jak jaká jaké jaký jako je jeho
    její jejich jen jestli ještě ji jinak již jsem jsme jsou k kam kde kdo kdy kdyby když která které kterou který kteří
    ke lze má mám mají mezi mi mohu může můžete můj my na nad nám nás ne nebo nebyl než ni nic není o od on ona oni pak po
    pod podle pokud pro proč proto protože před při s se si ta tak také takže tam ten tento tedy tím to tohle toho tomto
    tu tuto ty u už v ve více však všechny vy z za zda ze že`,
  tr: `acaba ama ancak artık aslında bana bazı belki ben beni benim beri bile bir birçok biri biz bize bizim böyle bu buna
    bunda bundan bunu bunun burada çok çünkü da daha de defa değil diye dolayı en fakat gibi göre hangi hatta hem henüz
    hep her hiç için ile ise kadar kendi ki kim kime mı mi mu mü nasıl ne neden nedir nerede nereye niçin niye o olan
    olarak oldu olduğu olur ona onlar onu onun orada oysa sana sen senin siz sizin sonra şey şu tüm üzere var ve veya ya
    yani yok yine teşekkürler merhaba`,
  ru: `а без более бы был была были было быть в вам вас ваш весь во вот все всего всех вы где да даже для до его ее если
    есть ещё еще же за здесь и из или им их к как какая какие какой какого ко когда которая которые который которых кто
    куда ли либо лишь мне может можно мой моя мы на над нам нас наш не него нее нет ни них но ну о об однако он она они
    оно от очень по под после потому почему при про привет пожалуйста с сам свой себе себя сейчас со спасибо сколько так
    такой такие также там те тебя тем то тогда того тоже только том тот ту ты у уже хочу чего чей чем что чтобы чьи эта
    эти этих это этого этой этом этот я нужно надо могу`,
  uk: `а або але без би був була були було бути в вам вас ваш вже ви від він вона вони воно все всі де для до же з за зі
    й його її їх і із ім інші коли кого кожен котрий ким ку лише ми мене мені може можна мій мною моя на над нас наш не
    неї немає ні ніж них нього о об один перед по під після при про просто також та так такий там те тебе ти то тобто
    тоді той тому треба ту у хто це цей ці цього цьому через чи чий чому що щоб ще я як яка який які якщо якого`,
  ar: `أم أن أنا أنت أنه أو أي إذا إلا إلى إن إنه ألا التي الذي الذين اللذان الى انا انت ان او اي بعد بعض بل بما بها به
    بين تكون تلك ثم حتى حيث خلال ذلك سوف شكرا ضد على عليه عليها عن عند عندما غير فإن فقط في فيه فيها قبل قد كان كانت كل
    كم كما كنت كيف كيفية لا لأن لدي لقد لكن لكي لم لماذا لن له لها لو ليس ليست ما ماذا مع متى مثل من منذ منه منها مهما
    نحن نعم نفس هؤلاء هذا هذه هل هم هنا هناك هو هي و وقد وكان ولا ولكن ولم وما ومن وهو وهي يا يتم يكون يمكن يمكنني مرحبا`,
  fa: `آن آنها آیا از است اگر اما او اون اين این ایشان با باشد باید بدون بر برای بعد بعضی بود بودن به بی بین پس پیش تا
    تمام تو چرا چگونه چطور چه چند چون چیست حتی خواهد خود دارد دارم دارند داشت در درباره دو دیگر را روی زیر سپس سلام سوی
    شاید شد شده شما شود کجا کدام کرد کرده کردن کند کنم کنند کنید که کی ما مانند ممنون من مگر می میشود نه نیز نیست هر هم
    همان همه همین هیچ هست هستم هستند و ولی وی یا یک یکی توانم تواند میتوانم میتوان میکند میکنم`,
  ur: `اس ان اور آپ ایک اپنے اپنی بھی پر تک تھا تھی تھے جو جب جا جس کا کہ کی کے کو کر کریں کرنے کیا کیسے کیوں کہاں کون گا گی
    گئی گے لیے مجھے میں میری میرے نہیں نے وہ ہم ہو ہوں ہے ہیں ہوتا یا یہ سے تو اگر لیکن سکتا سکتے`,
  hi: `अगर अपना अपनी अपने अब आप इन इस इसका इसके उन उनके उस उसके एक एवं और कर करता करते करना करने करें का किया किस किसी की
    कुछ के कैसे को कोई कौन क्या क्यों कहाँ कब गया जब जहाँ जा जाता जो तक तथा तब तो था थी थे द्वारा न नहीं ने पर बहुत भी में
    मैं मुझे मेरा मेरे यदि यह या ये रहा लिए लेकिन वह वे सकता सकते से हम ही हुआ है हैं हो होता होती होते`,
};

const SETS = new Map(Object.entries(LISTS).map(([language, list]) => [language, new Set(list.trim().split(/\s+/))]));

export const LISTED_LANGUAGES: readonly string[] = [...SETS.keys()];

export const stopWordsOf = (language: string): ReadonlySet<string> | undefined => SETS.get(language);

const LANGUAGES = new Map<string, string[]>();
for (const [language, words] of SETS)
  for (const word of words) LANGUAGES.set(word, [...(LANGUAGES.get(word) ?? []), language]);

/** The languages that have this stop word. */
export const languagesWith = (word: string): readonly string[] => LANGUAGES.get(word) ?? [];
