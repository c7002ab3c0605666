import { tools } from '../../generated/index.js';

export default tools.good(async () => 'good');
