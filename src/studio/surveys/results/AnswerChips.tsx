import { X } from 'lucide-react'
import type { SurveyQuestion } from '#surveys/question'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { conditionInWords } from './condition-words'
import { type ResultsFilter, without } from './results-filter'

interface AnswerChipsProps {
  filter: ResultsFilter
  /** The questions of the survey, removed ones among them. */
  questions: readonly SurveyQuestion[]
  hrefOf: (changed: ResultsFilter) => string
}

/** The answers that results are narrowed to; a press on one removes it. */
export function AnswerChips({ filter, questions, hrefOf }: AnswerChipsProps) {
  if (filter.answers.length === 0) return null
  return (
    <ul aria-label="Answer filters" className="flex flex-wrap items-center gap-2">
      {filter.answers.map((condition) => {
        const surveyQuestion = questions.find(({ id }) => id === condition.question)
        const words = conditionInWords(condition, surveyQuestion)
        return (
          <li key={JSON.stringify(condition)} className="min-w-0">
            <LinkButton
              size="sm"
              href={hrefOf(without(filter, condition))}
              iconEnd={<Icon of={X} size="sm" label="Remove" />}
            >
              <bdi className="max-w-52 truncate text-muted">{surveyQuestion?.text ?? condition.question}</bdi>
              <bdi className="max-w-52 truncate">{words}</bdi>
            </LinkButton>
          </li>
        )
      })}
      {filter.answers.length > 1 && (
        <li>
          <LinkButton size="sm" variant="quiet" href={hrefOf({ ...filter, answers: [] })}>
            Clear
          </LinkButton>
        </li>
      )}
    </ul>
  )
}
