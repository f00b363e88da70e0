import { X } from 'lucide-react'
import type { Question } from '#surveys/question'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { conditionInWords } from './condition-words'
import { type ResultsQuestion, without } from './question'

interface AnswerChipsProps {
  question: ResultsQuestion
  /** The questions of the survey, removed ones among them. */
  questions: readonly Question[]
  hrefOf: (changed: ResultsQuestion) => string
}

/** The answers that results are narrowed to; a press on one removes it. */
export function AnswerChips({ question, questions, hrefOf }: AnswerChipsProps) {
  if (question.answers.length === 0) return null
  return (
    <ul aria-label="Answer filters" className="flex flex-wrap items-center gap-2">
      {question.answers.map((condition) => {
        const asked = questions.find(({ id }) => id === condition.question)
        const words = conditionInWords(condition, asked)
        return (
          <li key={JSON.stringify(condition)} className="min-w-0">
            <LinkButton
              size="sm"
              href={hrefOf(without(question, condition))}
              iconEnd={<Icon of={X} size="sm" label="Remove" />}
            >
              <bdi className="max-w-52 truncate text-muted">{asked?.text ?? condition.question}</bdi>
              <bdi className="max-w-52 truncate">{words}</bdi>
            </LinkButton>
          </li>
        )
      })}
      {question.answers.length > 1 && (
        <li>
          <LinkButton size="sm" variant="quiet" href={hrefOf({ ...question, answers: [] })}>
            Clear
          </LinkButton>
        </li>
      )}
    </ul>
  )
}
