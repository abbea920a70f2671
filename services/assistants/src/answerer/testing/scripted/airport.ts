import type { Site } from './site.ts';

/** A small airport, a music festival and a savings bank. */
export const airport: Site = {
  sections: {
    parking: {
      title: 'Car parks',
      text: '| Car park | First hour | Each day | Walk |\n|---|---|---|---|\n| P1 | €4.50 | €32 | 3 minutes |\n| P2 | €3 | €19.90 | 8 minutes |\n| P5 | – | €11.50 | shuttle, every 15 minutes |\n\nBook P5 online at least 24 hours ahead. Vehicles above 2.05 m only on P5. Motorcycles are free.',
    },
    security: {
      title: 'Security',
      text: 'Be at the airport 90 minutes before a flight within Schengen, 2.5 hours before any other. Security opens at 4:15. Liquids: containers of up to 100 ml in one bag of 1 litre. From 1 March 2027 new scanners allow 2 litres.',
    },
    luggage: {
      title: 'Lost luggage',
      text: 'Report it within 7 days at desk 14 in arrivals, or on +351 289 800 617, daily from 6 am to midnight. Damaged bags: within 21 days. We keep what is found for 90 days. Reference form: PIR-22.',
    },
    festival: {
      title: 'Brook Festival: tickets',
      text: 'Brook takes place from Thursday 8 to Sunday 11 July. A weekend ticket is £185, a day ticket £72, camping £25 on top. Under 12 free, 12 to 16 half price. Fee for paying in instalments: £6. Sold tickets are exchanged until 30 June; 15% is kept.',
    },
    site: {
      title: 'Brook Festival: on the site',
      text: 'Gates open at noon on Thursday and at 10 am on other days. Music ends at 23:00, on Saturday at 1:30. Glass, drones and gas stoves are not allowed. Dogs must stay at home. Water is free at 14 taps. Tents: at most 4 m × 3 m.',
    },
    savings: {
      title: 'Savings',
      text: 'The Anchor account pays 3.25% a year on up to 20,000 euros and 1.1% above that. Interest is credited on 31 December. Withdrawals of more than 2,000 euros a month need notice of three months. Opening takes 10 minutes; the minimum is 50 euros.',
    },
    card: {
      title: 'Lost card',
      text: 'Block it at once on 116 116 (from abroad +49 116 116), day and night. A new card costs 12 euros and comes within 4 working days. You are liable for at most 50 euros until you have told us.',
    },
  },
  good: [
    [
      'cheapest parking for a week',
      'P5 is the cheapest: €11.50 a day, so €80.50 for seven days {parking}. It has to be booked online at least one day ahead {parking}.',
    ],
    ['Which car park is nearest?', 'P1: you walk three minutes {parking}.'],
    [
      'Is P2 for 3 days cheaper than P1 for two?',
      'Yes. Three days on P2 come to €59.70, two days on P1 to €64 {parking}.',
    ],
    [
      'My van is 2.3 metres high',
      'Then only P5 is possible, since vehicles above 2.05 m may not use the others {parking}.',
    ],
    ['motorbike?', 'Motorcycles park for free {parking}.'],
    [
      'flight to New York at 10, when do I have to be there',
      'New York is outside Schengen, so be there two and a half hours before, i.e. at 7:30 {security}.',
    ],
    [
      'Can I take a 150 ml shampoo?',
      'Not at the moment: containers may hold up to 100 ml {security}. That changes on 1 March 2027, when 2 litres will be allowed {security}.',
    ],
    [
      'Our flight leaves at 5:30 am to Paris',
      "You should be there at 4 o'clock, 90 minutes before {security}, but note that security opens only at 4.15 am {security}.",
    ],
    [
      'suitcase did not arrive',
      'Go to desk 14 in arrivals or call +351 289 800 617 between 6:00 and 24:00, within a week {luggage}.',
    ],
    ['my bag is broken, how long do i have', 'Three weeks {luggage}.'],
    ['what form', 'The form is called PIR-22 {luggage}.'],
    [
      '2 adults and a child of 13 for the whole festival with camping',
      'Two weekend tickets are £370 and the 13-year-old pays half, £92.50 {festival}. Camping adds £25 each {festival}.',
    ],
    ['which days is it', 'It runs for four days, from 8 July (a Thursday) to 11 July {festival}.'],
    [
      'can i give back my weekend ticket',
      'Until the end of June you can exchange it; 15 percent is kept, which is £27.75 of £185 {festival}.',
    ],
    ['is the festival free for my 9 year old', 'Yes, children under twelve come in free {festival}.'],
    ['till when is the music on saturday', 'Until half past one at night {site}.'],
    ['when can we get in on friday', 'From 10:00 {site}.'],
    ['our tent is 5 by 3', 'That is too large: tents may measure 4 m by 3 m at most {site}.'],
    ['dog', 'Sorry, dogs have to stay at home {site}.'],
    ['how much interest for 10000 a year', 'At 3.25%, 10,000 euros earn 325 euros in a year {savings}.'],
    [
      'interest on 30.000?',
      'The first 20,000 euros earn 3.25 %, i.e. €650, and the other 10,000 earn 1.1 %, i.e. €110: together €760 a year {savings}.',
    ],
    ['Wann werden die Zinsen gutgeschrieben?', 'Die Zinsen werden am 31.12. gutgeschrieben {savings}.'],
    ['Wie viel muss ich mindestens einzahlen?', 'Mindestens 50 Euro {savings}.'],
    [
      'Puis-je retirer 3000 euros demain ?',
      'Non : au-delà de 2 000 € par mois, il faut un préavis de trois mois {savings}.',
    ],
    [
      'He perdido la tarjeta en México',
      'Bloquéela enseguida llamando al +49 116 116, de día o de noche {card}. La nueva cuesta 12 € y llega en cuatro días laborables {card}.',
    ],
    [
      'カードを失くしました',
      'すぐに116 116に電話して停止してください{card}。新しいカードは12ユーロで、4営業日以内に届きます{card}。',
    ],
    ['Сколько я теряю, если карту украли?', 'До звонка вы отвечаете не более чем за 50 евро {card}.'],
    ['停车一天最便宜多少钱', '最便宜的是P5，每天11.50欧元{parking}。'],
    ['كم سعر تذكرة اليوم الواحد؟', 'تذكرة اليوم الواحد بسعر 72 جنيهًا إسترلينيًا {festival}.'],
    [
      'Bagajım kayboldu, kaç gün içinde bildirmeliyim?',
      'En geç 7 gün içinde 14 numaralı bankoya bildirmelisiniz {luggage}.',
    ],
    ['Quanto costa il campeggio?', 'Il campeggio costa 25 sterline in più {festival}.'],
    ['is there a hotel at the airport', 'NOT_IN_KNOWLEDGE'],
    ['how many taps and is there wifi', 'There are 14 taps with free water {site}. The pages say nothing about Wi-Fi.'],
    [
      'Compare P1, P2 and P5 please',
      'Here is how they compare:\n\n- **P1**: €4.50 for the first hour, €32 a day, three minutes on foot {parking}\n- **P2**: €3, then €19.90 a day, eight minutes {parking}\n- **P5**: €11.50 a day, with a shuttle every quarter of an hour {parking}',
    ],
  ],
  lies: [
    ['price p1 per day', 'P1 costs €29 a day {parking}.'],
    ['p2 first hour', 'The first hour on P2 is €2.50 {parking}.'],
    ['shuttle how often', 'The shuttle leaves every 20 minutes {parking}.'],
    ['p5 for ten days', 'Ten days on P5 come to €105 {parking}.'],
    ['height p1', 'P1 is open to vehicles up to 2.20 m {parking}.'],
    ['when does security open', 'Security opens at 3:45 {security}.'],
    ['how early for a flight to Rome', 'Be there 120 minutes before {security}.'],
    ['new scanners when', 'The new scanners start on 1 May 2027 {security}.'],
    ['liquids', 'Containers may hold up to 100 litres {security}.'],
    ['lost luggage phone', 'Call +351 289 800 671 {luggage}.'],
    ['email for lost bags', 'Write to lost@airport.example {luggage}.'],
    ['how long do you keep things', 'Found things are kept for 90 hours {luggage}.'],
    ['which desk', 'Go to desk 17 in arrivals {luggage}.'],
    ['weekend ticket', 'A weekend ticket is £165 {festival}.'],
    ['day ticket for a 14 year old', 'A 14-year-old pays £38 {festival}.'],
    ['dates', 'The festival is from 15 to 18 July {festival}.'],
    ['how much is kept', 'They keep 25% {festival}.'],
    ['until when can i exchange', 'Tickets are exchanged until 15 June {festival}.'],
    ['gates friday', 'The gates open at 8 am on Friday {site}.'],
    ['app?', 'Yes, get the app at https://brook-festival.app {site}.'],
    ['rate', 'The Anchor account pays 3.75% a year {savings}.'],
    ['Zinsen für 5000 Euro', 'Für 5.000 Euro bekommen Sie 195 Euro im Jahr {savings}.'],
    ['minimum', 'The minimum is 500 euros {savings}.'],
    ['block card', 'Call 116 117 {card}.'],
    ['Combien coûte une nouvelle carte ?', 'Une nouvelle carte coûte 15 € {card}.'],
    ['cuándo llega la tarjeta', 'Llega en 6 días laborables {card}.'],
    ['is there a lounge', 'Yes, the lounge costs €35 and is open from 5 am.'],
    ['liability', 'You are liable for at most 150 euros {-}.'],
  ],
};
