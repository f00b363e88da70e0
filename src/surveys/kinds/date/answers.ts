import type { AnswerDefinition } from '../internal/answer-definition'
import { isText } from '../internal/answer-parts'

export const date: AnswerDefinition<'date'> = {
  accepts: isText,
  results: (_, { counts }) => ({
    dates: counts.map(([code, count]) => ({ date: dateText(code), count })),
  }),
  counted: ({ dates = [] }) => dates.map((one) => ({ answer: one.date, count: one.count })),
}

const dateText = (code: number): string =>
  String(code)
    .padStart(8, '0')
    .replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
