// The part of a built server for items without code, and for handlers that use backends: only builds that need it have it.
export { openItems } from '../../runtime/backends/items/open-items.js';
