/** A set of tests: what runs it, and which files are in it. */
interface TestSet {
  command: string
  about: string
  include: string[]
  exclude: string[]
}

const contracts = '**/*.contract.test.ts'
const journeys = 'test/journeys/*.test.ts'

/** Every test file is in one of them. `npm test -- <name>` runs one alone. */
export const testSets = {
  unit: {
    command: 'npm test',
    about: 'each module, with a real engine and a real store',
    include: [
      'src/**/*.test.{ts,tsx}',
      'test/{rules,running,product,deep}/*.test.ts',
      'tracker/**/*.test.ts',
      'packages/*/src/**/*.test.{ts,tsx}',
    ],
    exclude: [contracts],
  },
  contract: {
    command: 'npm test',
    about:
      'the seams, against each of their forms: SQLite and Postgres, the embedded engine and a remote one',
    include: ['src/**/*.contract.test.ts', 'test/product/*.contract.test.ts'],
    exclude: [],
  },
  journeys: {
    command: 'npm test',
    about: 'each part of Tilth in a browser, from the first click to the last number',
    include: [journeys],
    exclude: [],
  },
  browser: {
    command: 'npm run test:browser',
    about:
      'everything else in a browser: both themes and all widths, accessibility, the vendors’ clients, starts, limits',
    include: ['test/{pages,site,start,studio,ui,wire}/**/*.test.ts'],
    exclude: [],
  },
} satisfies Record<string, TestSet>
