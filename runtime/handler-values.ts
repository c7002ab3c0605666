// What handlers use of this package while they run, apart from the rest of it: builds take it from here, so that a handler that throws
// a ToolError does not bring the loader along.

export { headerPart } from './backends/http/header-values.js';
export { path } from './backends/http/path-tag.js';
export { resourceUri } from './backends/http/resource-uri.js';
export { scalar } from './backends/scalar.js';
export { audio, image, link, resource, text } from './call/content.js';
export { exec, request } from './call/context/use-backends.js';
export { ToolError } from './call/tool-error.js';
