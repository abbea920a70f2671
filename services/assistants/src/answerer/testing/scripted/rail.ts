import type { Site } from './site.ts';

/** A railway, a coffee roaster and a notary. */
export const rail: Site = {
  sections: {
    fares: {
      title: 'Fares',
      text: 'Single Lund to Malmö: SEK 65, day return SEK 118. Ten-trip card: SEK 520, valid 6 months. Ages 7 to 19: 40% off. Under 7: free, at most two per adult. Bicycles: SEK 35, not on weekdays 7:00-9:00 and 15:30-18:00.',
    },
    delays: {
      title: 'Delays',
      text: 'Delay 20-39 minutes: 25% back. 40-59 minutes: 50%. From 60 minutes: the whole fare, and up to SEK 1,500 for a taxi. Claim within 2 months, at claims.norrtag.example or by letter. We reply within 30 days.',
    },
    trains: {
      title: 'On board',
      text: 'Trains run every 12 minutes, from 4:52 until 0:40. The last coach (no. 6) is quiet. Power sockets at each seat, 230 V. The bistro opens 30 minutes after departure; it takes cards only.',
    },
    beans: {
      title: 'Our coffee',
      text: 'House blend: 250 g for $9.80, 1 kg for $34. Decaf: 250 g, $11.20. We roast on Mondays and Thursdays and ship the same day. Shipping is $4.90, free above $45. Subscription: 12% off, every 2, 3 or 4 weeks, can be stopped any time. Keeps for 8 weeks after roasting.',
    },
    brewing: {
      title: 'Brewing',
      text: 'Filter: 60 g for one litre of water at 92-96 °C, 3 to 4 minutes. Espresso: 18 g in, 36 g out, 25 to 30 seconds, 9 bar. Grinder setting G7 for filter, G2 for espresso.',
    },
    notary: {
      title: 'Notar: Gebühren',
      language: 'de',
      text: 'Die Beglaubigung einer Unterschrift kostet zwischen 20 und 70 Euro. Ein Testament bei einem Vermögen von 100.000 Euro kostet 273 Euro, ein Ehevertrag das Doppelte. Hinzu kommen 19 % Mehrwertsteuer. Termine: Mo-Fr 8.30-12.00, Do auch 14-18 Uhr. Wartezeit etwa drei Wochen.',
    },
    papers: {
      title: 'Notar: Unterlagen',
      language: 'de',
      text: 'Bitte bringen Sie einen gültigen Ausweis mit. Für den Hauskauf brauchen wir 14 Tage vor dem Termin den Grundbuchauszug und die Steuer-ID aller Beteiligten. Entwurf per E-Mail: post@notar-winkler.example, Fax 0221 555 01-29.',
    },
  },
  good: [
    [
      'family of two adults and a 10 year old, single',
      'Two adults pay SEK 130, and the ten-year-old 40% less, i.e. SEK 39 {fares}: SEK 169 in total.',
    ],
    [
      'Is the ten-trip card worth it?',
      'Yes: it comes to 52 kronor a trip instead of 65 {fares}, so you save 13 on each.',
    ],
    [
      'i go there and back the same day',
      'Then the day return for SEK 118 saves you SEK 12 compared with two singles {fares}.',
    ],
    [
      'bike at 8 in the morning on a tuesday',
      'No. On weekdays bicycles are not allowed between 7 and 9 a.m. or from half past three to six in the afternoon {fares}.',
    ],
    [
      'three kids of 4, 5 and 6 with me',
      'Two of them travel free with you; the third does not, since it is at most two per adult {fares}.',
    ],
    ['my train was 45 mins late', 'You get half of your fare back {delays}. Claim it within two months {delays}.'],
    [
      '2 hours late and took a cab for 1800',
      'The whole fare is refunded from an hour on, and the taxi up to SEK 1,500, so SEK 300 of the 1,800 are yours to pay {delays}.',
    ],
    ['how do i claim', 'Online at claims.norrtag.example or by post; the reply comes within a month {delays}.'],
    ['how many trains an hour', 'Five: one every 12 minutes {trains}.'],
    ['last train', 'The last one leaves at 00:40 {trains}.'],
    [
      'where can i work in peace',
      'In coach 6, the last one, which is the quiet coach {trains}. Each seat has a 230 V socket {trains}.',
    ],
    [
      'kann ich im Bistro bar zahlen',
      'Nein, dort werden nur Karten angenommen {trains}. Es öffnet eine halbe Stunde nach der Abfahrt {trains}.',
    ],
    [
      'Combien coûte un aller simple pour un ado de 15 ans ?',
      'Un aller simple coûte 65 SEK, moins 40 % : 39 SEK {fares}.',
    ],
    [
      'price per kilo small bag vs big',
      'Four bags of 250 g cost $39.20, so the kilo bag at $34 saves you $5.20 {beans}.',
    ],
    ['two bags of decaf with shipping', 'Two bags are $22.40, plus $4.90 for shipping, which makes $27.30 {beans}.'],
    ['house blend kilo in subscription', 'With 12% off, the $34 bag costs $29.92 {beans}.'],
    ['if i order tuesday when does it leave', 'It is roasted and shipped on Thursday {beans}.'],
    ['how long does it stay good', 'About two months: eight weeks after roasting {beans}.'],
    [
      'how much more do I need for free shipping with one kilo',
      'The kilo is $34, so anything that brings you above $45 will do: a little over $11 more {beans}.',
    ],
    ['filter for half a litre', '30 g, since it is 60 g to the litre {brewing}.'],
    ['espresso ratio', '18 grams in and 36 grams out, which is 1:2, in 25-30 seconds {brewing}.'],
    ['which grinder setting', 'G7 for filter coffee and G2 for espresso {brewing}.'],
    ['水温は？', 'フィルターの場合は92〜96℃です{brewing}。'],
    ['Температура воды для фильтра?', 'От 92 до 96 °C, три-четыре минуты {brewing}.'],
    [
      'was kostet ein Ehevertrag bei 100000 Vermögen',
      'Das Doppelte eines Testaments, also 546 Euro, zuzüglich 19 Prozent Mehrwertsteuer {notary}.',
    ],
    ['Testament inkl. MwSt?', 'Mit 19 % Mehrwertsteuer sind es 324,87 Euro {notary}.'],
    ['kann ich donnerstags um 17 uhr kommen', 'Ja, donnerstags ist auch von 14 bis 18 Uhr geöffnet {notary}.'],
    [
      'What do I need to bring to buy a house?',
      "A valid ID, and two weeks before the appointment the land register extract and everyone's tax ID {papers}.",
    ],
    ['Where do I send the draft?', 'To post@notar-winkler.example, or by fax to 0221 555 0129 {papers}.'],
    ['How long do I wait for an appointment?', 'Roughly three weeks {notary}.'],
    ['noter imza onayı kaç para', 'İmza onayı 20 ile 70 avro arasındadır {notary}.'],
    [
      '¿Cuánto tarda el trámite y qué documento llevo?',
      'Hay que esperar unas tres semanas {notary} y llevar un documento de identidad válido {papers}.',
    ],
    [
      'how much does the will cost in dollars',
      'It is 273 euros for assets of €100,000, before 19% VAT {notary}. The pages give no price in dollars.',
    ],
    ['do you sell capsules', 'NOT_IN_KNOWLEDGE'],
  ],
  lies: [
    ['single fare', 'A single from Lund to Malmö is SEK 75 {fares}.'],
    ['student?', 'Passengers from 7 to 19 get 50% off {fares}.'],
    ['card valid', 'The ten-trip card is valid for 9 months {fares}.'],
    ['ten trip card per trip', 'A trip with the card costs SEK 54 {fares}.'],
    ['bike price', 'A bicycle costs SEK 45 {fares}.'],
    ['30 min late', 'For a delay of 30 minutes you get 35% back {delays}.'],
    ['taxi', 'A taxi is paid up to SEK 2,500 {delays}.'],
    ['claim where', 'Claim at refunds.norrtag.example {delays}.'],
    ['how long to claim', 'You have 3 months to claim {delays}.'],
    ['first train', 'The first train leaves at 5:22 {trains}.'],
    ['quiet coach', 'Coach no. 8 is quiet {trains}.'],
    ['how often', 'Trains run every 15 minutes {trains}.'],
    ['decaf', 'Decaf is $12.40 for 250 g {beans}.'],
    ['free shipping', 'Shipping is free above $35 {beans}.'],
    ['three bags house blend', 'Three bags of 250 g come to $28.40 {beans}.'],
    ['subscription discount', 'Subscribers pay 15% less {beans}.'],
    ['code', 'Use the code BEAN20 at the checkout {beans}.'],
    ['espresso seconds', 'It takes 35 to 40 seconds {brewing}.'],
    ['grinder', 'Use setting G9 for filter {brewing}.'],
    ['how much for filter', 'Take 75 g for one litre {brewing}.'],
    ['Beglaubigung', 'Die Beglaubigung kostet zwischen 30 und 90 Euro {notary}.'],
    ['Testament mit Steuer', 'Mit Mehrwertsteuer kostet das Testament 331,20 Euro {notary}.'],
    ['fax', 'Fax: 0221 555 01-92 {papers}.'],
    ['wie lange vorher', 'Den Grundbuchauszug brauchen wir 21 Tage vorher {papers}.'],
    ['mail', 'Schreiben Sie an info@notar-winkler.example {papers}.'],
    ['Samstag offen?', 'Ja, samstags von 9 bis 13 Uhr {notary}.'],
  ],
};
