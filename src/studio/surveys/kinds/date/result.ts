import type { KindResult } from '../kind-result'

export const date: KindResult<'date'> = {
  draw: (_, { dates = [] }) => ({
    shape: 'bars',
    several: false,
    rows: dates
      .toSorted((one, other) => (one.date < other.date ? -1 : 1))
      .map(({ date: day, count }) => ({ key: day, label: day, value: count, answer: day })),
  }),
}
