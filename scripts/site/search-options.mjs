/** How pages are indexed, and how the index is read again: both must agree. */
export const options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'url', 'excerpt'],
};
