import type { ListLogsHandler } from '../../generated/index.js';
import { listLogs } from '../logs.js';

/** List the log files that a report would read, with their sizes. */
export default (async (_args, ctx) => ({ files: await listLogs(ctx.config.LOGS) })) satisfies ListLogsHandler;
