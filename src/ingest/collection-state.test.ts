import { expect, test } from 'vitest'
import { type CollectionFacts, collectionState, describeTrouble } from './collection-state'

const now = new Date('2026-11-22T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

const well: CollectionFacts = {
  now,
  backlog: 0,
  backlogByProject: {},
  isEstimate: false,
  oldestAt: undefined,
  refusing: undefined,
  lostRequests: [],
  notStoring: undefined,
  differences: [],
  detached: [],
  repairing: [],
  damagedFiles: 0,
  gone: [],
  quarantineFiles: 0,
}

test.each<[what: string, facts: Partial<CollectionFacts>, titles: string[], blocks: boolean]>([
  ['nothing', {}, [], false],
  ['a batch under way', { backlog: 300, oldestAt: ago(3) }, [], false],
  ['a failure that passes', { notStoring: { reason: 'x', since: ago(3) } }, [], false],
  [
    'a failure that lasts',
    { notStoring: { reason: 'The engine is away.', since: ago(60) } },
    ['Events are kept, but not stored yet'],
    true,
  ],
  [
    'requests of clients that do not send them again',
    {
      lostRequests: [
        { dialect: 'plausible', isLost: true, requests: 3 },
        { dialect: 'umami', isLost: true, requests: 1 },
      ],
    },
    ['Events of these clients were lost: plausible (3 requests), umami (1 request)'],
    false,
  ],
  ['a full disk', { refusing: 'The disk is full.' }, ['Events are refused'], true],
  [
    'a million events from before a restart',
    { backlog: 1_000_000, oldestAt: ago(190) },
    ['Figures are 3 minutes behind'],
    false,
  ],
  [
    'an engine that was emptied before its events were counted by month',
    { differences: [{ month: undefined, expected: 5000, found: 0 }] },
    ['Stored events are missing: 5000 missing (0 of 5000)'],
    false,
  ],
  [
    'a month with fewer events and one with more',
    {
      differences: [
        { month: 202603, expected: 100, found: 60 },
        { month: 202604, expected: 10, found: 11 },
      ],
    },
    [
      'Stored events are missing: 40 missing in 2026-03 (60 of 100)',
      'There are more events than were stored: 1 too many in 2026-04 (11 of 10)',
    ],
    false,
  ],
  [
    'many months with fewer events',
    {
      differences: [202601, 202602, 202603, 202604, 202605].map((month) => ({
        month,
        expected: 2,
        found: 1,
      })),
    },
    [
      'Stored events are missing: 1 missing in 2026-01 (1 of 2), 1 missing in 2026-02 (1 of 2), 1 missing in 2026-03 (1 of 2), and in 2 other months',
    ],
    false,
  ],
  [
    'a detached part',
    { detached: [{ table: 'events', name: '202603_1_1_0', rows: 500 }] },
    ['Damaged data was taken out of use: 500 rows in 1 part'],
    false,
  ],
  [
    'detached parts, one of an unknown size',
    {
      detached: [
        { table: 'events', name: '202603_1_1_0', rows: 500 },
        { table: 'events', name: 'broken-on-start_202603_2_2_0', rows: undefined },
      ],
    },
    ['Damaged data was taken out of use: at least 500 rows in 2 parts'],
    false,
  ],
  [
    'a part that a replica repairs',
    { repairing: [{ table: 'events', name: '202603_1_1_0', rows: 500 }] },
    ['Damaged data is being repaired: 500 rows in 1 part'],
    false,
  ],
  [
    'files of the journal that are gone',
    {
      gone: [
        { first: 7, last: 9 },
        { first: 12, last: undefined },
      ],
    },
    ['2 files of the journal are gone: records 7 to 9, records from 12'],
    false,
  ],
  [
    'files aside',
    { damagedFiles: 1, quarantineFiles: 2 },
    [
      'Damage was found in the journal: 1 piece could not be read',
      'The engine would not take some events: 2 files in quarantine',
    ],
    false,
  ],
])('%s is said', (_what, facts, titles, blocks) => {
  const words = collectionState({ ...well, ...facts }).troubles.map(describeTrouble)

  expect(words.map(({ title }) => title)).toEqual(titles)
  expect(words.some((description) => description.blocks)).toBe(blocks)
  for (const { remedy } of words) expect(remedy).toMatch(/\.$/)
})
