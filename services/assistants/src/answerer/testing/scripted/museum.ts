import type { Site } from './site.ts';

/** A museum, a bank and a garage. */
export const museum: Site = {
  sections: {
    visit: {
      title: 'Plan your visit',
      text: 'The museum is open Tuesday to Sunday from 10 to 18, Thursdays until 21. Last entry is 45 minutes before closing. Adults €14, concessions €9, under 18 free. On the first Sunday of the month everyone pays what they like. Groups of ten or more: €11 each.',
    },
    tours: {
      title: 'Guided tours',
      text: 'Public tours in English start at 11:30 and 15:00 and last 75 minutes; the surcharge is €5. Private tours: 95 euros plus admission, at most 20 people. Book at tours@lantern-museum.example at least two weeks ahead.',
    },
    account: {
      title: 'Current account',
      headings: ['Fees'],
      text: 'The account is free if at least 700 euros arrive each month; otherwise it costs 4.90 euros a month. Interest on overdrafts: 11.25 % a year. Withdrawals at foreign machines: 1.75 percent, at least 5 euros. Block lost cards at once: +49 116 116.',
    },
    loan: {
      title: 'Car loan',
      text: 'Representative example: €10,000 over 48 months at 5.99% APR, monthly rate €234.62, total €11,261.76. Early repayment is free up to 50% of the sum. You need proof of income for the last three months.',
    },
    tyres: {
      title: 'Tyre change',
      text: 'Changing four wheels costs 39.00 EUR, with balancing 69.00 EUR. Storage for a season (6 months): 45 EUR. Recommended torque: 110-130 Nm. Re-tighten after 50 km. The law requires a tread of 1.6 mm; we recommend 4 mm in winter.',
    },
  },
  good: [
    ['are u open on monday', "No, we're closed on Mondays; opening days are Tuesday to Sunday {visit}."],
    [
      'latest entry on thursdays?',
      'On Thursdays the museum closes at 9 p.m. and the last entry is 45 minutes earlier, at 8:15 p.m. {visit}',
    ],
    [
      'tickets for 2 adults and 2 kids (8 and 12)',
      'Two adults pay €28 in total (2 × €14); both children get in for free because they are under 18 {visit}.',
    ],
    ['We are 12 people, how much?', 'As a group of ten or more you pay €11 each, which is €132 for 12 {visit}.'],
    [
      'How long is a tour and what does it cost me as a student',
      'Tours take 1 hour 15 minutes (75 minutes) {tours}. With the concession of €9 and the €5 surcharge, you pay €14 {visit,tours}.',
    ],
    [
      'private tour price for 15 people',
      'A private tour is €95 plus admission; for 15 people at the group rate of €11 that means 165 € admission, so €260 altogether {tours}{visit}.',
    ],
    [
      'How do I book a private tour?',
      'Send an email to tours@lantern-museum.example no later than 14 days before {tours}.',
    ],
    [
      'ist das Konto kostenlos',
      'Ja, wenn monatlich mindestens 700 € eingehen; sonst kostet es 4,90 € im Monat (58,80 € im Jahr) {account}.',
    ],
    ['I take out 400 euros in Prague. Fee?', '1.75% of €400 is €7.00, which is above the minimum of €5 {account}.'],
    ['lost my card!!', 'Please block it right away by calling +49 116 116 {account}.'],
    ['overdraft rate', 'It is 11.25% per year {account}.'],
    [
      'How much interest do I pay on the 10k loan?',
      'In the example you repay €11,261.76 for €10,000, so the loan costs €1,261.76 over four years {loan}.',
    ],
    [
      'Can I pay back 4000 early for free',
      'Yes. Up to half of the sum - €5,000 of €10,000 - can be repaid early at no cost {loan}.',
    ],
    ['which docs', 'Proof of income for the past 3 months {loan}.'],
    [
      'Reifenwechsel mit Wuchten und Einlagerung, was kostet das?',
      'Wechsel mit Wuchten kostet 69 €, die Einlagerung für eine Saison 45 € {tyres}. Zusammen sind das 114 €.',
    ],
    ['what torque', 'Between 110 and 130 Nm {tyres}. Please check the bolts again after 50 kilometres {tyres}.'],
    [
      'my tires have 3 mm left, ok for winter?',
      'It is legal, as the law requires only 1.6 mm, but for winter 4 mm is recommended {tyres}, so 3 mm is 1 mm less than that.',
    ],
    ['¿Cuánto dura la visita guiada?', 'La visita dura 75 minutos y cuesta 5 € más {tours}.'],
    ['Quels jours est-ce ouvert le soir ?', "Le jeudi, le musée reste ouvert jusqu'à 21 h {visit}."],
    ['多少钱一张成人票?', '成人票14欧元，优惠票9欧元{visit}。'],
    ['چه روزهایی تا دیروقت باز است؟', 'پنجشنبه‌ها تا ساعت ۲۱ باز است {visit}.'],
    ['do you sell used cars', 'NOT_IN_KNOWLEDGE'],
    ['Сколько стоит билет для взрослых?', 'Билет для взрослых стоит 14 евро {visit}.'],
    ['교체 비용이 얼마예요?', '휠 네 개 교체 비용은 39유로이고, 밸런싱 포함 시 69유로입니다 {tyres}.'],
  ],
  lies: [
    ['adult ticket?', 'Adults pay €17 {visit}.'],
    ['closing time thursdays', 'On Thursdays it is open until 23:00 {visit}.'],
    ['last entry', 'Last entry is 25 minutes before closing {visit}.'],
    ['when do tours start', 'Tours start at 10:45 {tours}.'],
    ['book tour', 'Book at https://lantern-museum.example/tours-booking {tours}.'],
    ['how many people in a private tour', 'At most 35 people {tours}.'],
    ['overdraft', 'The overdraft rate is 9.75 % {account}.'],
    ['blocking number', 'Call +49 30 4050 4050 {account}.'],
    ['monthly rate', 'The monthly rate is €219.50 {loan}.'],
    ['loan for 20000', 'For €20,000 the total is €23,890.00 {loan}.'],
    ['torque', 'Tighten with 90 Nm {tyres}.'],
    ['storage', 'Storage costs 65 EUR a season {tyres}.'],
    ['free days', 'Entry is free on 18 May, International Museum Day {visit}.'],
    ['Who painted it?', 'It was painted in 1642 by Rembrandt {-}.'],
  ],
};
