// What a built server loads to serve over HTTP, or with the first message over stdio that only the SDK knows. A file of its own.
export { openSdk } from '../../runtime/sdk/stdio.js';
export { createAuthorizer } from '../../runtime/serve/auth/create-authorizer.js';
export { serveHttp } from '../../runtime/serve/serve-http.js';
