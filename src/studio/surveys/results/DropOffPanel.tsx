import type { SurveyContent } from '#surveys/survey'
import type { ResultNumbers } from '#surveys/results/results-page'
import { BarList } from '#ui/chart/BarList'
import { number } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import { questionName } from '../builder/flow-words'
import { currentResults } from './question-results'

/** How many answered each question, and how many left after it without completing the survey. */
export function DropOffPanel({ content, results }: { content: SurveyContent; results: ResultNumbers }) {
  const questions = content.questions.filter(({ kind }) => kind !== 'statement')
  const { reached, answered, submissions } = results
  if (questions.length < 2 || submissions.started === 0) return null
  const silent = Math.max(0, reached - answered)
  return (
    <Panel
      title="Drop-off"
      description={
        silent > 0 ? `${number(silent)} of ${number(reached)} persons who saw it gave no answer.` : undefined
      }
      flush
    >
      <BarList
        title="Drop-off by question"
        heads={{ label: 'Question', value: 'Answered', second: 'Dropped off' }}
        total={submissions.started}
        rows={[
          { key: 'started', label: 'Started', value: submissions.started },
          ...questions.map((question) => {
            const found = currentResults(question, results.questions)
            return {
              key: `question ${question.id}`,
              label: questionName(content, question.id),
              value: found?.answered ?? 0,
              second: found?.stopped ?? 0,
            }
          }),
          { key: 'completed', label: 'Completed', value: submissions.completed },
        ]}
      />
    </Panel>
  )
}
