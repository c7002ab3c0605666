import { cities } from '../cities.js';

interface Arguments {
  readonly city: string;
  readonly unit: 'celsius' | 'fahrenheit';
}

interface Context {
  readonly errors: { UNKNOWN_CITY(): Error };
}

/** Get the weather of a city. */
export default async ({ city, unit }: Arguments, ctx: Context) => {
  const found = cities.find(one => one.city.toLowerCase() === city.toLowerCase());
  if (found === undefined) throw ctx.errors.UNKNOWN_CITY();
  const temperature = unit === 'celsius' ? found.celsius : Math.round(found.celsius * 18 + 320) / 10;
  return { city: found.city, temperature, unit, sky: found.sky };
};
