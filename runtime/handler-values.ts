// What handlers use of this package while they run, apart from the rest of it: builds take it from here, so that a handler that throws
// a ToolError does not bring the loader along.
export { audio, image, link, resource, text } from './call/content.js';
export { ToolError } from './call/tool-error.js';
