import type { Site } from './site.ts';

/** A school in English and Spanish, a gym in Italian and Polish. */
export const school: Site = {
  sections: {
    day: {
      title: 'The school day',
      language: 'en',
      text: 'Gates open at 8:15. Registration is at 8:40 and lessons end at 15:20 (14:30 on Fridays). After-school club runs until 18:00 and costs £6.50 per session; siblings get 10% off. Lunch is £2.65 a day, free in Reception, Year 1 and Year 2.',
    },
    terms: {
      title: 'Term dates 2025/26',
      language: 'en',
      text: 'Autumn term: 3 September to 19 December 2025, half-term 27-31 October. Spring term: 5 January to 27 March 2026. Summer term: 13 April to 17 July 2026. INSET days (no pupils): 2 September, 6 February.',
    },
    uniform: {
      title: 'Uniform',
      language: 'en',
      isFaq: true,
      text: 'Navy sweatshirt with logo (£14), white polo shirt, grey trousers or skirt. Buy from Kidswear Direct, 22 Mill Lane, or order at www.kidsweardirect.example using the school code OAK77. No jewellery except small studs.',
    },
    becas: {
      title: 'Becas de comedor',
      language: 'es',
      text: 'La beca cubre el 100 % del menú si la renta anual de la familia no supera los 12.400 euros, y el 50 % hasta 18.600 euros. Plazo: del 1 al 30 de septiembre. Documentos: libro de familia y declaración de la renta. Consultas: becas@colegioroble.example o 91 555 03 20.',
    },
    palestra: {
      title: 'Abbonamenti',
      language: 'it',
      text: 'Mensile 49 €, trimestrale 129 €, annuale 420 €. Studenti e over 65: sconto del 20%. La quota di iscrizione di 25 € si paga una volta sola. Disdetta entro 14 giorni dalla firma. Apertura: lun-ven 6.30-22.30, sab-dom 9-20.',
    },
    basen: {
      title: 'Basen',
      language: 'pl',
      text: 'Basen ma 25 metrów i sześć torów. Bilet normalny kosztuje 22 zł za godzinę, ulgowy 15 zł. Karnet na 10 wejść: 190 zł, ważny trzy miesiące. W poniedziałki od 6:00 do 8:00 tylko dla seniorów.',
    },
  },
  good: [
    ['when do i have to pick up my kid on friday', 'On Fridays lessons finish at 2:30 pm {day}.'],
    [
      'How much is after school club for two kids?',
      'One session is £6.50, and the second child gets 10% off (£5.85), so £12.35 for both {day}.',
    ],
    ['lunch price per week', "At £2.65 a day, a five-day week is £13.25 {day}. It's free up to Year 2."],
    ['is there school on 29 october', 'No, that falls in half-term, which is from 27 to 31 October {terms}.'],
    ['When does the summer term start?', 'On Monday 13 April 2026, and it ends on 17/07/2026 {terms}.'],
    [
      'how many weeks are the easter holidays',
      'Spring term ends on 27 March and summer term begins on 13 April 2026, so a bit more than two weeks {terms}.',
    ],
    [
      'where do we get the jumper and what does it cost',
      'The navy sweatshirt costs £14 {uniform}. You get it from Kidswear Direct at 22 Mill Lane, or online at kidsweardirect.example with the code OAK77 {uniform}.',
    ],
    ['Can she wear earrings?', 'Only small studs are allowed. {uniform}'],
    [
      '¿Mi familia gana 15.000 € al año, tenemos beca?',
      'Sí, con 15.000 € la beca cubre la mitad (50 %) del menú, porque no se superan los 18 600 € {becas}.',
    ],
    ['plazo becas', 'Del 1 al 30 de septiembre {becas}.'],
    ['¿Qué papeles necesito?', '- Libro de familia {becas}\n- Declaración de la renta {becas}'],
    [
      'What income is the limit for a full grant?',
      'The full grant (100%) is for families earning no more than €12,400 a year {becas}.',
    ],
    [
      'quanto costa un anno per uno studente',
      'Con lo sconto del 20% l’abbonamento annuale costa 336 € {palestra}, più 25 € di iscrizione la prima volta {palestra}.',
    ],
    [
      'conviene il trimestrale?',
      'Sì: tre mesi singoli costano 147 €, il trimestrale 129 € {palestra}, quindi risparmi 18 €.',
    ],
    ['aperti domenica sera alle 21?', 'No, la domenica si chiude alle 20:00 {palestra}.'],
    [
      'Can I still cancel if I signed ten days ago?',
      'Yes, you can cancel within 14 days of signing, so you have four days left {palestra}.',
    ],
    [
      'ile kosztuje karnet i jak długo jest ważny',
      'Karnet na 10 wejść kosztuje 190 zł i jest ważny 3 miesiące {basen}.',
    ],
    [
      'Ile oszczędzę na karnecie?',
      'Dziesięć biletów normalnych kosztowałoby 220 zł, więc z karnetem oszczędzasz 30 zł {basen}.',
    ],
    ['Wie lang ist das Becken?', 'Das Becken ist 25 m lang und hat 6 Bahnen {basen}.'],
    ['どのくらいの長さのプールですか？', 'プールは25メートルで、6コースあります{basen}。'],
    [
      'Havuz pazartesi sabahı açık mı?',
      'Pazartesi günleri saat 06.00–08.00 arasında yalnızca yaşlılara açıktır {basen}.',
    ],
    ['كم سعر الاشتراك الشهري؟', 'الاشتراك الشهري يكلف ٤٩ يورو {palestra}.'],
    ['Is there a school bus?', 'NOT_IN_KNOWLEDGE'],
    [
      'Do you offer violin lessons and what about the club?',
      'I could not find anything about violin lessons. The after-school club is open until 6 p.m. {day}',
    ],
  ],
  lies: [
    ['when do lessons end', 'Lessons end at 16:05 {day}.'],
    ['cost of club', 'The club costs £7.80 per session {day}.'],
    ['half term?', 'Half-term is from 20 to 24 October {terms}.'],
    ['school code', 'Use the code ELM42 {uniform}.'],
    ['address of the uniform shop', 'You find it at 35 Mill Lane {uniform}.'],
    ['email becas', 'Escriba a ayudas@colegioroble.example {becas}.'],
    ['¿Hasta qué renta hay beca completa?', 'La beca completa es hasta 14.900 euros {becas}.'],
    ['prezzo mensile', 'Il mensile costa 59 € {palestra}.'],
    ['sconto studenti', 'Gli studenti hanno il 35% di sconto {palestra}.'],
    ['ile kosztuje bilet', 'Bilet normalny kosztuje 28 zł {basen}.'],
    ['how long is the pool', 'The pool is 50 metres long {basen}.'],
    ['telefono becas', 'Llame al 91 555 30 02 {becas}.'],
    ['Who is the head teacher?', 'Mrs Helen Carter has been head teacher since 2011.'],
  ],
};
