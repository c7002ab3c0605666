export interface Weather {
  readonly city: string;
  readonly celsius: number;
  readonly sky: 'sunny' | 'cloudy' | 'rainy';
}

export const cities: readonly Weather[] = [
  { city: 'Lagos', celsius: 31, sky: 'cloudy' },
  { city: 'Reykjavik', celsius: 8, sky: 'rainy' },
  { city: 'Vienna', celsius: 21, sky: 'sunny' },
];
