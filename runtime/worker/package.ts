// What `toolwright` means to handlers in a worker: errors and content. Everything else of the package needs Node.
export { headerPart } from '../backends/http/header-values.js';
export { path } from '../backends/http/path-tag.js';
export { resourceUri } from '../backends/http/resource-uri.js';
export { scalar } from '../backends/scalar.js';
export { audio, image, link, resource, text } from '../call/content.js';
export { ToolError } from '../call/tool-error.js';
