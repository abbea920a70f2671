/** A place where a double waits: `entered` when it has come there, `open` to let it go on. */
export function gate() {
  let enter = () => {};
  let open = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = () => {
    enter();
    return opened;
  };
  return { entered, open, pass };
}
