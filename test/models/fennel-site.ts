import { html } from '../e2e/site.ts';

/** The manual of a product that does not exist, so that no model can know it. By path: title and text. */
const PAGES: Record<string, [title: string, text: string]> = {
  '/': [
    'Fennel, the herb garden for your kitchen',
    'Fennel is a countertop garden that grows six herbs at a time in water, without soil.\nIt is 48 centimetres wide and weighs 3.4 kilograms when it is empty.\nEvery box holds the garden, a power adapter, six seed pods and one bottle of plant food.',
  ],
  '/setup': [
    'Setting up',
    'Stand the garden on a level surface, at least 20 centimetres away from a stove.\nFill the tank with cold tap water up to the blue line. The tank holds 2.8 litres.\nPush one seed pod into each of the six openings and put a clear dome on each.\nTake a dome away once its seedling touches it, usually after nine days.',
  ],
  '/water': [
    'Water and plant food',
    'Top up the tank once a week. The drop symbol blinks when less than half a litre is left.\nAdd two capfuls of plant food every 14 days, and three capfuls for tomatoes.\nDo not use softened water: its salt harms the roots. Rainwater is fine.\nEmpty and rinse the tank every two months.',
  ],
  '/light': [
    'Light',
    'The lamp shines for 15 hours a day and rests at night.\nTo move the start of the day, hold the sun button for five seconds at the time when you want the lamp to come on.\nRaise the lamp so that it stays ten centimetres above the tallest leaf. Its arm reaches up to 60 centimetres.\nThe lamp draws 18 watts and lasts about 30,000 hours.',
  ],
  '/app': [
    'The app',
    'The app reminds you of water and plant food. The garden also works without it.\nTo connect, open the app, choose Add garden, and hold the leaf button until it turns white.\nThe garden speaks to wireless networks of 2.4 GHz only.\nUp to five people can share one garden: choose Invite on the garden’s page.\nTo start over, hold the leaf and the sun button together for ten seconds. This deletes the network and the schedule.',
  ],
  '/plants': [
    'Plants and harvest',
    'Basil can be harvested after 28 days, mint after 35 days and parsley after 42 days.\nNever cut more than a third of a plant at once, or it will not recover.\nA pod gives harvests for about four months. Then replace it.\nSeed pods keep for two years in a dry place. You can also fill empty pods, sold in sets of ten, with seeds of your own.',
  ],
  '/orders': [
    'Orders and returns',
    'Delivery inside the country takes three to five working days and is free above 40 euros. Below that it costs 4.90 euros.\nYou may send the garden back within 60 days, even when you have used it. Seed pods can be sent back only unopened.\nThe refund is paid within a week of the arrival of the parcel, in the way you paid.\nWe accept cards, bank transfers and invoices, but no cash on delivery.',
  ],
  '/warranty': [
    'Warranty and repair',
    'The garden has a warranty of three years, the pump of five. Plants and pods have none.\nDamage by limescale is not covered.\nTo claim, write to care@fennel.example with a photo and the serial number, which is printed under the tank.\nSpare parts are sold for ten years after a model ends. A new pump costs 19 euros.',
  ],
};

const paths = Object.keys(PAGES);

/** As a site serves it, every page linked from the first. */
export const served: Record<string, string> = Object.fromEntries(
  Object.entries(PAGES).map(([path, [title, text]]) => [path, html(title, text, path === '/' ? paths.slice(1) : [])]),
);

/** All that a visitor can read on a page. */
export const textOf = (path: string): string => (PAGES[path] ?? []).join('\n');
