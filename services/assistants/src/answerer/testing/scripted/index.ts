import { airport } from './airport.ts';
import { clinic } from './clinic.ts';
import { hotel } from './hotel.ts';
import { mixed } from './mixed.ts';
import { museum } from './museum.ts';
import { rail } from './rail.ts';
import { school } from './school.ts';
import { shop } from './shop.ts';
import type { Site } from './site.ts';
import { software } from './software.ts';
import { town } from './town.ts';

/** Pages of several owners, with what a model writes to their visitors' questions. */
export const SITES: Readonly<Record<string, Site>> = {
  airport,
  rail,
  shop,
  clinic,
  software,
  town,
  hotel,
  school,
  museum,
  mixed,
};
