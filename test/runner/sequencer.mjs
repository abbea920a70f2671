import Sequencer from '@jest/test-sequencer';

/** Starts tests of whole systems first: they take longest, and none should run alone at the end. */
export default class SystemsFirst extends Sequencer {
  sort(tests) {
    const isOfSystem = ({ path }) => /\/test\/(conformance|e2e|faults|browser)\/|\/deploy\/embedded\//.test(path);
    return super.sort(tests).toSorted((a, b) => Number(isOfSystem(b)) - Number(isOfSystem(a)));
  }
}
