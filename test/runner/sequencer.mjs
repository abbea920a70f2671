import Sequencer from '@jest/test-sequencer';

/** Tests that take longest come first, so that none runs alone at the end: faults and the contract, servers, whole systems. */
const FIRST = [
  /\/test\/(stack|conformance)\//,
  /\.stack\.test\.ts$/,
  /\/test\/(e2e|faults|browser)\/|\/deploy\/embedded\//,
  /./,
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => FIRST.findIndex((pattern) => pattern.test(path));
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
