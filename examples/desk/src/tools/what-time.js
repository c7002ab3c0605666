export default () => new Date().toTimeString();
