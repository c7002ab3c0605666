// Bundled with minisearch and the index into one classic script.

import index from 'docs-index';
import MiniSearch from 'minisearch';
import { options } from './search-options.mjs';

const mini = MiniSearch.loadJS(index, options);
window.docsSearch = words =>
  mini.search(words, {
    prefix: true,
    fuzzy: word => (word.length > 4 ? 0.2 : 0),
    boost: { title: 5, page: 2 },
    combineWith: 'AND',
  });
