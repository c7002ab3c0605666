// The SDK lane of a built server, loaded with the first message that only the SDK knows. An entry of its own.
export { openSdk } from '../../runtime/sdk/stdio.js';
