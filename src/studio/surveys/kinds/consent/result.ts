import type { KindResult } from '../kind-result'

export const consent: KindResult<'consent'> = {
  draw: (_, { consent: counts }) => ({
    shape: 'bars',
    several: false,
    rows: [
      { key: 'true', label: 'Given', value: counts?.givenCount ?? 0, answer: true },
      { key: 'false', label: 'Not given', value: counts?.refusedCount ?? 0, answer: false },
    ],
  }),
  isCard: true,
}
