import { tools } from '../../generated/index.js';

export default tools.demo(async () => 'the work of the author');
