import { tools } from '../../generated/index.js';

export default tools.getIssue(async () => 'the work of the author');
