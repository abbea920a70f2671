export interface Answerable {
  question: string;
  /** Each must be in the answer. */
  says: RegExp[];
  /** Of the page that holds the answer. */
  path: string;
}

/** Judged by what a right answer can't do without. The form of the prompt was chosen on these: what they give is its best case. */
export const ANSWERABLE: Answerable[] = [
  { question: 'How many herbs can I grow at once?', says: [/\b(six|6)\b/i], path: '/' },
  { question: 'What comes in the box?', says: [/adapter/i, /pods/i, /plant food/i], path: '/' },
  { question: 'How much water fits into the tank?', says: [/2\.8/], path: '/setup' },
  { question: 'When should I remove the domes?', says: [/seedling|nine|9/i], path: '/setup' },
  { question: 'How often do I add plant food?', says: [/14 days|fourteen|two weeks/i], path: '/water' },
  { question: 'Can I use softened water?', says: [/\bno\b|not|harm/i], path: '/water' },
  { question: 'For how long is the lamp on each day?', says: [/15|fifteen/i], path: '/light' },
  {
    question: 'How do I make the light come on at a different time?',
    says: [/sun button/i, /five|5/i],
    path: '/light',
  },
  { question: 'My wifi is 5 GHz. Will the garden connect to it?', says: [/2\.4|\bno\b|not/i], path: '/app' },
  { question: 'How can I reset the garden?', says: [/leaf/i, /sun/i, /\b(ten|10)\b/i], path: '/app' },
  { question: 'How many days until I can harvest mint?', says: [/35/], path: '/plants' },
  { question: 'May I grow my own seeds in it?', says: [/empty pods|own/i], path: '/plants' },
  { question: 'What do you charge for shipping a small order?', says: [/4\.90/], path: '/orders' },
  { question: 'I have already used the garden. Can I still return it?', says: [/\byes\b|60/i], path: '/orders' },
  { question: 'How long is the guarantee on the pump?', says: [/five|5/i], path: '/warranty' },
  {
    question: 'Where do I find the serial number?',
    says: [/(under|below|beneath|bottom of) the tank/i],
    path: '/warranty',
  },
];

/** Of the same product, and nowhere on its pages. */
export const UNANSWERABLE: string[] = [
  'Which colours is the garden sold in?',
  'Who is the founder of the company?',
  'How loud is the pump in decibels?',
  'Does the garden work with voice assistants?',
  'What does the garden itself cost?',
  'Do you deliver to Switzerland?',
  'Can I grow strawberries in it?',
  'What are the opening hours of your shop?',
];
