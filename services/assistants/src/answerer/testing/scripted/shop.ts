import type { Site } from './site.ts';

export const shop: Site = {
  sections: {
    returns: {
      title: 'Returns and refunds',
      text: 'You can send unused items back within 30 days of delivery. Print the label from your account and drop the parcel at any post office. We refund the full price within five working days after the parcel reaches our warehouse. Return shipping costs $4.95, which we deduct from the refund. Personalised mugs cannot be returned.',
    },
    shipping: {
      title: 'Shipping',
      text: '| Destination | Time | Price |\n|---|---|---|\n| United States | 3-5 days | $6.90 |\n| Canada | 5-8 days | $12.50 |\n| Europe | 7-12 days | $18.00 |\n\nOrders over $75 ship free within the United States. Orders placed before 2 p.m. leave the same day.',
    },
    kettle: {
      title: 'Brass Kettle 1.2 L',
      headings: ['Specifications'],
      text: 'Capacity: 1.2 litres. Weight: 850 g. Works on gas, electric and induction hobs. Not dishwasher safe. Model number BK-120. Price: $64.00. Two-year warranty.',
    },
    contact: {
      title: 'Contact us',
      text: 'Write to hello@copperkettle.example or call +1 (503) 555-0147 from Monday to Friday, 9am-5pm Pacific time. Wholesale: see https://copperkettle.example/wholesale.',
    },
    cards: {
      title: 'Gift cards',
      text: 'Gift cards come in $25, $50 and $100 and never expire. They are sent by email at once. Gift cards can be combined with one discount code per order.',
    },
  },
  good: [
    [
      'can i return something after six weeks',
      'No: six weeks is 42 days, and returns are only accepted within 30 days of delivery {returns}.',
    ],
    [
      'How long till I get my money back?',
      'Once your parcel arrives at the warehouse, the refund takes up to 5 working days. {returns}',
    ],
    ['is return shipping free?', 'Unfortunately not. $4.95 is taken off your refund for it {returns}.'],
    ['shipping to toronto price', "It's $12.50 to Canada, and it takes 5 to 8 days {shipping}."],
    [
      'I want two kettles sent to Portland, Oregon. What do I pay in total?',
      'Two kettles at $64 each come to $128.00 {kettle}. As that is above $75, shipping within the US is free {shipping}. So you pay $128 in total.',
    ],
    [
      'and one kettle to Berlin?',
      'One kettle is $64.00 {kettle} and delivery to Europe is $18 {shipping}, which makes $82.00 altogether.',
    ],
    ['can it go on an induction stove', 'Yes, it can: gas, electric and induction are all fine {kettle}.'],
    ['Can I put the kettle in the dishwasher?', "Please don't, it isn't dishwasher-safe. {kettle}"],
    ['how much water fits', 'The kettle holds 1.2 l, i.e. 1,200 ml {kettle}.'],
    [
      'How do I reach you?',
      'You can:\n\n- email hello@copperkettle.example\n- call (503) 555-0147, Mon-Fri from 9:00 to 17:00 Pacific time\n\nBoth are listed on the contact page {contact}.',
    ],
    ['do gift cards run out?', "They don't - our gift cards have no expiry date {cards}."],
    [
      'Can I use two discount codes with a gift card, and do you wrap gifts?',
      'A gift card works together with 1 discount code per order, so two codes are not possible {cards}. I have no information on gift wrapping.',
    ],
    [
      'Wie lange dauert der Versand nach Deutschland?',
      'Nach Europa dauert die Lieferung 7 bis 12 Tage und kostet 18,00 $ {shipping}.',
    ],
    [
      'Kann ich den personalisierten Becher zurückgeben?',
      'Nein, personalisierte Becher sind von der Rückgabe ausgeschlossen. {returns}',
    ],
    ['¿Cuánto tarda el reembolso?', 'Hasta cinco días laborables desde que el paquete llega al almacén {returns}.'],
    ['退货需要多少天之内?', '请在收货后30天内寄回未使用的商品{returns}。退回运费为4.95美元，会从退款中扣除{returns}。'],
    ['model no of the kettle?', 'It is the BK-120 {kettle}.'],
    ['how heavy', 'About 0.85 kg (850 grams) {kettle}.'],
  ],
  lies: [
    ['How many days do I have to return an item?', 'You have 45 days to send it back {returns}.'],
    ['How much is shipping to Canada?', 'Shipping to Canada is $9.50 {shipping}.'],
    ['What is your email address?', 'Write to support@copperkettle.example {contact}.'],
    ['phone number?', 'Call us at +1 (503) 555-0199 {contact}.'],
    ['Where is the wholesale form?', 'You find it at https://copperkettle.example/trade {contact}.'],
    ['How long is the warranty of the kettle?', 'The kettle has a warranty of ten years {kettle}.'],
    ['When was the company founded?', 'Copper Kettle was founded in 1987 by two brothers in Portland.'],
    ['Do you have a shop in Seattle?', 'Yes, there is one at 1420 Pine Street, open until 8 p.m. {-}'],
    ['what model is it?', 'It is model BK-210 {kettle}.'],
    ['What does the kettle cost?', 'The kettle costs €64 {kettle}.'],
  ],
};
