// For `--import`: the clock of this process is CLOCK_AHEAD_MS ahead of the others', until SIGUSR2 sets it right.
const real = Date;
let ahead = Number(process.env.CLOCK_AHEAD_MS);
process.on('SIGUSR2', () => {
  ahead = 0;
});
globalThis.Date = class extends real {
  constructor(...given) {
    if (given.length > 0) super(...given);
    else super(real.now() + ahead);
  }
  static now() {
    return real.now() + ahead;
  }
};
