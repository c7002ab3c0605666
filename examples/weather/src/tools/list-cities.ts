import { cities } from '../cities.js';

/** List the cities whose weather is known. */
export default async () => ({ cities: cities.map(({ city }) => city) });
