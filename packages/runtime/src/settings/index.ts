/** The settings of Parley, and how to declare others. */

export { SECTIONS, SETTINGS } from './catalogue.ts';
export { misspelt } from './misspelt.ts';
export { integer } from './setting.ts';
