import Sequencer from '@jest/test-sequencer';

/** The files that take longest. Without a record of earlier runs, Jest goes by size, and starts some of them last. */
const LONGEST = [
  'test/groups/trainer.test.ts',
  'test/conformance/contract.test.ts',
  'test/groups/end-to-end.test.ts',
  'test/groups/runtime.test.ts',
  'test/groups/assistants.test.ts',
  'test/groups/corpus.test.ts',
  'deploy/embedded/src/main.test.ts',
  'test/groups/trainings.test.ts',
  'test/groups/answers.test.ts',
  'test/groups/browser.test.ts',
  'test/groups/chart.test.ts',
  'test/groups/bus.test.ts',
  'test/e2e/account-deletion.test.ts',
  'test/faults/killed-gateway.test.ts',
];

/** Starts the longest files first, so that none of them runs alone at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = LONGEST.findIndex((file) => path.endsWith(`/${file}`));
      return place < 0 ? LONGEST.length : place;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
