import { tools } from '../../generated/index.js';
import { cities } from '../cities.js';

/** List the cities whose weather is known. */
export default tools.listCities(async () => ({ cities: cities.map(({ city }) => city) }));
