import { listServers, showHidden } from 'toolwright';
import { tools } from '../../generated/index.js';
import { projectFolder } from '../find-pack.js';

/** List the servers that this project can start. */
export default tools.listServers(async ({ pattern }, ctx) => ({
  servers: showHidden(await listServers(projectFolder(ctx.config), { pattern, builtin: true })),
}));
