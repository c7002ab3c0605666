// How values of a parameter are written. In: `style` and `explode` of 3.x or `collectionFormat` of 2.0. Out: style and explode of 3.1.
import type { ApiParameter } from '../api.js';
import { below } from '../pointer.js';
import { ignore, isYes, type PlacedMap, type Reader, textOf } from './reader.js';

type Style = ApiParameter['style'];
type Place = ApiParameter['in'];

interface Styling {
  readonly style: Style;
  readonly explode: boolean;
}

const styles: Readonly<Record<Place, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  querystring: ['form'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

/** Of lists in 2.0. */
const formats: ReadonlyMap<string, Styling> = new Map([
  ['csv', { style: 'form', explode: false }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['tsv', { style: 'tabs', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
  ['pipe', { style: 'pipeDelimited', explode: false }],
  ['multi', { style: 'form', explode: true }],
]);

export function readStyle(reader: Reader, parameter: PlacedMap, place: Place): Styling {
  const { value } = parameter;
  const format = textOf(value.collectionFormat);
  if (format !== undefined || reader.version === '2.0') return readFormat(reader, parameter, place);
  const style = styleIn(reader, parameter, place);
  const byDefault = style === 'form' || style === 'cookie' || style === 'deepObject';
  const explode = value.explode === undefined || value.explode === null ? byDefault : isYes(value.explode);
  return { style, explode };
}

function readFormat(reader: Reader, { value, pointer }: PlacedMap, place: Place): Styling {
  const format = textOf(value.collectionFormat) ?? 'csv';
  const known = formats.get(format);
  if (known === undefined)
    ignore(reader, below(pointer, 'collectionFormat'), format, 'it is not one of csv, ssv, tsv, pipes and multi');
  const found = known ?? { style: 'form', explode: false };
  return (place === 'path' || place === 'header') && found.style === 'form'
    ? { style: 'simple', explode: false }
    : found;
}

function styleIn(reader: Reader, { value, pointer }: PlacedMap, place: Place): Style {
  const possible = styles[place];
  const [usual = 'simple'] = possible;
  const written = textOf(value.style);
  if (written === undefined) return usual;
  const found = possible.find(style => style.toLowerCase() === written.toLowerCase());
  // Where there is only one way, nothing is lost.
  if (found === undefined && possible.length > 1)
    ignore(reader, below(pointer, 'style'), written, `a parameter in ${place} has one of ${possible.join(', ')}`);
  return found ?? usual;
}
