import { tools } from '../../generated/index.js';
import { listLogs } from '../logs.js';

/** List the log files that a report would read, with their sizes. */
export default tools.listLogs(async (_args, ctx) => ({ files: await listLogs(ctx.config.LOGS) }));
