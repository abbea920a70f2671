/**
 * Makes `fsync` with `lock` work as on a server. The engine works on a few commands at a time, so writes that waited inside it for
 * the lock would leave nobody to read, nor to unlock. They wait here instead.
 */

const WRITES = new Set(
  'insert update delete findAndModify findandmodify bulkWrite create createIndexes drop dropIndexes dropDatabase collMod renameCollection'.split(
    ' ',
  ),
);
/** Of an OP_MSG: its header, the flags, the kind of the section, the length of its document, the type of the first field. */
const NAME_AT = 16 + 4 + 1 + 4 + 1;

/** The name of a command is that of its first field. */
const commandOf = (message) => message.toString('latin1', NAME_AT, message.indexOf(0, NAME_AT));

export function holdWrites(engine) {
  const roundTrip = engine.roundTrip.bind(engine);
  let locks = 0;
  let writing = 0;
  let unlocked = Promise.withResolvers();
  let idle = Promise.withResolvers();

  async function lock(message) {
    locks += 1;
    while (writing > 0) await idle.promise;
    return roundTrip(message);
  }

  async function unlock(message) {
    const answer = await roundTrip(message);
    locks = Math.max(0, locks - 1);
    if (locks === 0) {
      unlocked.resolve();
      unlocked = Promise.withResolvers();
    }
    return answer;
  }

  async function write(message) {
    while (locks > 0) await unlocked.promise;
    writing += 1;
    try {
      return await roundTrip(message);
    } finally {
      writing -= 1;
      if (writing === 0) {
        idle.resolve();
        idle = Promise.withResolvers();
      }
    }
  }

  engine.roundTrip = (message) => {
    const command = commandOf(message);
    if (command === 'fsync' && message.includes('lock\0')) return lock(message);
    if (command === 'fsyncUnlock') return unlock(message);
    return WRITES.has(command) ? write(message) : roundTrip(message);
  };
}
