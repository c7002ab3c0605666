import { tools } from '../../generated/index.js';
import { cities } from '../cities.js';

/** Get the weather of a city. */
export default tools.getWeather(async ({ city, unit }, ctx) => {
  const found = cities.find(one => one.city.toLowerCase() === city.toLowerCase());
  if (found === undefined) throw ctx.errors.UNKNOWN_CITY(`There is no weather for ${city}`);
  const temperature = unit === 'celsius' ? found.celsius : Math.round(found.celsius * 18 + 320) / 10;
  return { city: found.city, temperature, unit, sky: found.sky };
});
