export interface Answerable {
  question: string;
  /** The answer must match each. */
  says: RegExp[];
  /** Path of the page that contains the answer. */
  path: string;
}

/** Judged by what a right answer must contain. The prompt was tuned on these, so their results are its best case. */
export const TUNED_ANSWERABLE: Answerable[] = [
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

/** About the same product, but not answered on its pages. */
export const TUNED_UNANSWERABLE: string[] = [
  'Which colours is the garden sold in?',
  'Who is the founder of the company?',
  'How loud is the pump in decibels?',
  'Does the garden work with voice assistants?',
  'What does the garden itself cost?',
  'Do you deliver to Switzerland?',
  'Can I grow strawberries in it?',
  'What are the opening hours of your shop?',
];

/** About the ferry. Nothing was tuned on these: keep it so, or add others. */
export const ANSWERABLE: Answerable[] = [
  { question: 'How many people fit on the ferry?', says: [/140/], path: '/' },
  { question: 'How long am I at sea if there is fog?', says: [/hour/i], path: '/' },
  { question: 'When is the last boat home in summer?', says: [/21:15/], path: '/timetable' },
  { question: 'Does the ferry run on Mondays in winter?', says: [/\bno\b|none|not/i], path: '/timetable' },
  { question: 'How do I find out whether you sail in a storm?', says: [/radio/i, /12/], path: '/timetable' },
  { question: 'What is the price of a return ticket for an adult?', says: [/18/], path: '/tickets' },
  { question: 'Can I pay the crew by card?', says: [/\bno\b|not/i], path: '/tickets' },
  { question: 'My crossing was cancelled. How do I get a refund?', says: [/kiosk/i, /14/], path: '/tickets' },
  { question: 'What does it cost to take my bike?', says: [/\b(4|four)\b/i], path: '/luggage' },
  { question: 'Which things must I leave at home?', says: [/gas/i, /surfboard/i], path: '/luggage' },
  { question: 'Is there a toilet for wheelchair users?', says: [/pier/i], path: '/access' },
  { question: 'Where may I put up my tent?', says: [/meadow|lighthouse/i], path: '/island' },
];

/** About the ferry, but not answered on its pages. */
export const UNANSWERABLE: string[] = [
  'Who is the captain of the ferry?',
  'Is there a restaurant on board?',
  'Can I charter the ferry for a wedding?',
  'How much does a night in the hostel cost?',
  'Is there a discount for students?',
  'Does the ferry have wireless internet?',
  'How deep is the water at the landing?',
  'Can I park my car at Penmarrow?',
];

/** Each asks something that only what was said before makes clear. */
export const FOLLOW_UPS: (Answerable & { after: string })[] = [
  { after: 'What does a return ticket cost?', question: 'And for children?', says: [/six|half/i], path: '/tickets' },
  { after: 'May I take my dog on board?', question: 'Where must it stay?', says: [/deck|lead/i], path: '/luggage' },
];
