import { html } from '../e2e/site.ts';

/** The manual of a fictitious product, which no model can know. Title and text by path. */
const PAGES: Record<string, [title: string, text: string]> = {
  '/': [
    'Fennel, the herb garden for your kitchen',
    `Fennel is a countertop garden that grows six herbs at a time in water, without soil.
## Size
It is 48 centimetres wide and weighs 3.4 kilograms when it is empty.
## Contents
Every box holds the garden, a power adapter, six seed pods and one bottle of plant food.`,
  ],
  '/setup': [
    'Setting up',
    `## Place
Stand the garden on a level surface, at least 20 centimetres away from a stove.
## Tank
Fill the tank with cold tap water up to the blue line. The tank holds 2.8 litres.
## Pods and domes
Push one seed pod into each of the six openings and put a clear dome on each. Take a dome away once its seedling touches it, usually after nine days.`,
  ],
  '/water': [
    'Water and plant food',
    `## Topping up
Top up the tank once a week. The drop symbol blinks when less than half a litre is left.
## Plant food
Add two capfuls of plant food every 14 days, and three capfuls for tomatoes.
## Which water
Do not use softened water: its salt harms the roots. Rainwater is fine.
## Cleaning
Empty and rinse the tank every two months.`,
  ],
  '/light': [
    'Light',
    `## Day and night
The lamp shines for 15 hours a day and rests at night. To move the start of the day, hold the sun button for five seconds at the time when you want the lamp to come on.
## Height
Raise the lamp so that it stays ten centimetres above the tallest leaf. Its arm reaches up to 60 centimetres.
## Power
The lamp draws 18 watts and lasts about 30,000 hours.`,
  ],
  '/app': [
    'The app',
    `The app reminds you of water and plant food. The garden also works without it.
## Connecting
To connect, open the app, choose Add garden, and hold the leaf button until it turns white. The garden speaks to wireless networks of 2.4 GHz only.
## Sharing
Up to five people can share one garden: choose Invite on the garden’s page.
## Starting over
To start over, hold the leaf and the sun button together for ten seconds. This deletes the network and the schedule.`,
  ],
  '/plants': [
    'Plants and harvest',
    `## Harvest
Basil can be harvested after 28 days, mint after 35 days and parsley after 42 days. Never cut more than a third of a plant at once, or it will not recover.
## Pods
A pod gives harvests for about four months. Then replace it. Seed pods keep for two years in a dry place.
## Your own seeds
You can also fill empty pods, sold in sets of ten, with seeds of your own.`,
  ],
  '/orders': [
    'Orders and returns',
    `## Delivery
Delivery inside the country takes three to five working days and is free above 40 euros. Below that it costs 4.90 euros.
## Returns
You may send the garden back within 60 days, even when you have used it. Seed pods can be sent back only unopened. The refund is paid within a week of the arrival of the parcel, in the way you paid.
## Payment
We accept cards, bank transfers and invoices, but no cash on delivery.`,
  ],
  '/warranty': [
    'Warranty and repair',
    `The garden has a warranty of three years, the pump of five. Plants and pods have none. Damage by limescale is not covered.
## Claims
To claim, write to care@fennel.example with a photo and the serial number, which is printed under the tank.
## Spare parts
Spare parts are sold for ten years after a model ends. A new pump costs 19 euros.`,
  ],
};

const paths = Object.keys(PAGES);

/** The manual as a website, with every page linked from the first. */
export const served: Record<string, string> = Object.fromEntries(
  Object.entries(PAGES).map(([path, [title, text]]) => [path, page(title, text, path === '/' ? paths.slice(1) : [])]),
);

function page(title: string, text: string, links: string[]): string {
  return html(title, text, links).replaceAll(/<p>## (.*?)<\/p>/g, '<h2>$1</h2>');
}

/** Everything that a visitor can read on a page. */
export const textOf = (path: string): string => (PAGES[path] ?? []).join('\n');
