/** The labels of a measure's aggregation, and what it needs. */
export interface MathWords {
  label: string
  /** A required addition. */
  needs?: 'property' | 'group'
  /** An optional addition. */
  takes?: 'property'
  /** Whether the numbers of the buckets add up to that of the period. */
  isAdditive?: true
  /** The value without events: a sum is zero, an average is unknown. */
  ofNothing: 0 | null
  /** The way in which it accumulates over time: by new values, by new persons, or to a new extreme. */
  accumulates?: 'sum' | 'first' | 'least' | 'most'
  /** The number of days that a bucket covers. */
  days?: number
}

const maths = {
  total: { label: 'Total count', isAdditive: true, ofNothing: 0, accumulates: 'sum' },
  persons: { label: 'Unique people', ofNothing: 0, accumulates: 'first' },
  visitors: { label: 'Unique visitor ids', ofNothing: 0, accumulates: 'first' },
  sessions: { label: 'Unique sessions', ofNothing: 0, accumulates: 'first' },
  groups: { label: 'Unique groups', needs: 'group', ofNothing: 0, accumulates: 'first' },
  daily_actives: { label: 'Daily active', ofNothing: 0, days: 1 },
  weekly_actives: { label: 'Weekly active', ofNothing: 0, days: 7 },
  monthly_actives: { label: 'Monthly active', ofNothing: 0, days: 30 },
  sum: { label: 'Sum', needs: 'property', isAdditive: true, ofNothing: 0, accumulates: 'sum' },
  average: { label: 'Average', needs: 'property', ofNothing: null },
  median: { label: 'Median', needs: 'property', ofNothing: null },
  p75: { label: '75th percentile', needs: 'property', ofNothing: null },
  p90: { label: '90th percentile', needs: 'property', ofNothing: null },
  p95: { label: '95th percentile', needs: 'property', ofNothing: null },
  p99: { label: '99th percentile', needs: 'property', ofNothing: null },
  min: { label: 'Minimum', needs: 'property', ofNothing: null, accumulates: 'least' },
  max: { label: 'Maximum', needs: 'property', ofNothing: null, accumulates: 'most' },
  nps: { label: 'NPS', needs: 'property', ofNothing: null },
  csat: { label: 'CSAT', needs: 'property', ofNothing: null },
  per_person: { label: 'Average per person', takes: 'property', ofNothing: null },
} as const satisfies Record<string, MathWords>

export type MathName = keyof typeof maths
export const isMath = (name: string): name is MathName => Object.hasOwn(maths, name)
export const mathNames: readonly MathName[] = Object.keys(maths).filter(isMath)

export const mathWords = (name: MathName): MathWords => maths[name]
