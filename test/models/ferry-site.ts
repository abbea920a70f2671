import { html } from '../e2e/site.ts';

/** The website of a fictitious ferry, on which neither the prompt nor any threshold was tuned. Title and text by path. */
const PAGES: Record<string, [title: string, text: string]> = {
  '/': [
    'Larkspur, the ferry to Hollow Island',
    `Larkspur is a ferry for 140 passengers between Penmarrow and Hollow Island. She was built in 1968 and has sailed on electricity since 2021.
## The crossing
The crossing takes 35 minutes. In fog it may take an hour, because the ferry then sails at half speed.`,
  ],
  '/timetable': [
    'Timetable',
    `## Summer
From April to September the ferry leaves Penmarrow every hour from 7 in the morning. The last one back leaves Hollow Island at 21:15.
## Winter
From October to March there are four crossings a day, and none on Mondays.
## Storms
The ferry does not sail when the wind is stronger than force 8. Whether it sails is announced at six in the morning on the harbour radio, channel 12.`,
  ],
  '/tickets': [
    'Tickets and prices',
    `## Prices
A return ticket costs 18 crowns. Children under six travel free, others up to fifteen pay half.
## Where to buy
Buy your ticket at the kiosk on the pier or from the crew on board. The crew takes no cards.
## Refunds
If a crossing is cancelled, you get your money back at the kiosk within 14 days. Show the unused ticket.`,
  ],
  '/luggage': [
    'Bicycles, dogs and luggage',
    `## Bicycles
A bicycle costs 4 crowns each way. There is room for twelve, so come a quarter of an hour early at weekends.
## Animals
Dogs travel free, but must be on a lead and stay on the open deck. Cats need a basket.
## Not allowed on board
You may not bring:
- gas bottles
- cars and motorcycles
- surfboards longer than three metres`,
  ],
  '/access': [
    'Wheelchairs and prams',
    `The ramp is wide enough for wheelchairs at any tide. The toilet on board is not, but there is one on the pier at Penmarrow.
## Help
If you need help to board, call the harbour office on 555 0142 by noon of the day before.`,
  ],
  '/island': [
    'On the island',
    `The village is ten minutes on foot from the landing. The bakery opens at eight, the only shop at nine.
## Staying overnight
The hostel has 22 beds. Camping is allowed on the meadow behind the lighthouse only, for at most three nights.`,
  ],
};

const paths = Object.keys(PAGES);

/** The pages as a website, with every page linked from the first. */
export const served: Record<string, string> = Object.fromEntries(
  Object.entries(PAGES).map(([path, [title, text]]) => [path, page(title, text, path === '/' ? paths.slice(1) : [])]),
);

function page(title: string, text: string, links: string[]): string {
  return html(title, text, links)
    .replaceAll(/<p>## (.*?)<\/p>/g, '<h2>$1</h2>')
    .replaceAll(/(?:<p>- .*?<\/p>\s*)+/g, (items) => `<ul>${items.replaceAll(/<p>- (.*?)<\/p>/g, '<li>$1</li>')}</ul>`);
}

/** Everything that a visitor can read on a page. */
export const textOf = (path: string): string => (PAGES[path] ?? []).join('\n');
