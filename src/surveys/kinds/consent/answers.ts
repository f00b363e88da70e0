import { shareEstimate } from '#surveys/results/intervals'
import type { AnswerDefinition } from '../internal/answer-definition'

export const consent: AnswerDefinition<'consent'> = {
  accepts: (answer) => typeof answer === 'boolean',
  parse: (stored) => stored === 'true',
  results: (_, { counts, answered }) => {
    const givenCount = new Map(counts).get(1) ?? 0
    const given = shareEstimate(givenCount, answered)
    return { consent: { given, givenCount, refusedCount: answered - givenCount } }
  },
  counted: ({ consent: counts }) =>
    counts
      ? [
          { answer: 'Given', count: counts.givenCount, share: counts.given ?? null },
          { answer: 'Refused', count: counts.refusedCount },
        ]
      : [],
}
