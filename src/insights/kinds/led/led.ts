import type { Outcome } from '../../../projects/problems'
import { type AnswerTable, kindOf } from '../../kind'
import { periodAsked } from '../../question'
import type { LedAnswer, Reached } from '../../reading'
import type { Scope } from '../../scope'
import { led, type LedRow } from './query'
import { type LedQuestion, ledQuestion } from './question'

export const ledKind = kindOf<LedQuestion, LedAnswer>({
  label: 'What reading led to',
  about: 'Who reached a goal after reading, and which page they had read first or last.',
  question: ledQuestion,
  answer,
  table,
})

async function answer(question: LedQuestion, scope: Scope): Promise<Outcome<{ answer: LedAnswer }>> {
  const rows = await scope.run<LedRow>(led(question, scope, await periodAsked(question, scope)))
  const whole = rows.find(({ part }) => part === 'whole')
  const pages = rows.filter(({ part }) => part === 'page')
  return {
    done: true,
    answer: {
      pages: pages.slice(0, question.limit).map((row) => ({ page: row.page, ...reachedOf(row) })),
      led: whole
        ? { persons: whole.led_persons, times: whole.led_times, revenue: whole.led_revenue }
        : reachedOf(whole),
      all: reachedOf(whole),
    },
  }
}

const reachedOf = ({ persons, times, revenue }: Reached = { persons: 0, times: 0, revenue: 0 }): Reached => ({
  persons,
  times,
  revenue,
})

function table({ pages }: LedAnswer): AnswerTable {
  return {
    columns: [
      { name: 'Page', as: 'text' },
      { name: 'Persons', as: 'number' },
      { name: 'Times', as: 'number' },
      { name: 'Revenue', as: 'money' },
    ],
    rows: pages.map(({ page, persons, times, revenue }) => [page, persons, times, revenue]),
  }
}
