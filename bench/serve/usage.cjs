// Preloaded into every measured server: tells the CPU time that it has used so far on descriptor 3, whenever it gets SIGUSR2.
const { writeSync } = require('node:fs');
process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, `${(user + system) / 1000}\n`);
});
