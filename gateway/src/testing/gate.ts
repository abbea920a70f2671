/** A point where a double waits: `entered` resolves when it gets there, `open` lets it continue. */
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
