import type { Breakdown } from '#insights/query-fields'
import type { ResultNumbers } from '#surveys/results/results-page'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Stat, Stats } from '#ui/chart/Stat'
import { number, percent, plural } from '#ui/format'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { AnswerAge } from '#studio/parts/AnswerAge'
import { tryRead, tryEngine } from '#studio/parts/refusals'
import type { SurveyContent } from '#surveys/survey'
import { BarList } from '#ui/chart/BarList'
import type { OpenSurvey } from '../open-survey'
import { questionName } from '../builder/flow-words'
import { allQuestions } from './all-questions'
import { AnswerChips } from './AnswerChips'
import { BreakdownPanel } from './BreakdownPanel'
import { inAddress, narrowingOf, type ResultsFilter } from './results-filter'
import { QuestionPanels } from './QuestionPanels'
import { currentResults } from './question-results'

/** Values of a breakdown that are told apart. */
const mostParts = 10

interface ResultsProps {
  opened: OpenSurvey
  filter: ResultsFilter
}

/** The numbers of a survey, its drop-off and the answers to each question. */
export async function Results({ opened, filter }: ResultsProps) {
  const { project, viewer, survey } = opened
  const { surveys } = getProduct()
  const { results: surveyResults } = surveys
  const { breakdown, period } = filter
  const input = {
    ...narrowingOf(filter),
    // scores of single days say little where few answer
    interval: period === '7d' ? 'day' : 'week',
    ...(breakdown && { breakdown, limit: mostParts }),
  }
  const [result, versions, cohortNames] = await Promise.all([
    tryEngine(() => surveyResults.counts(project.id, survey.id, input, viewer)),
    surveys.versions(project.id, survey.id, viewer),
    cohortNamesFor(breakdown, opened),
  ])
  const addressOf = (changed: ResultsFilter) =>
    paths.surveyResults(project.slug, survey.id, inAddress(changed))
  const isNarrowed = filter.answers.length > 0 || filter.search !== undefined || filter.tag !== undefined
  return (
    <div className="flex flex-col gap-5">
      {isNarrowed && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <AnswerChips filter={filter} questions={allQuestions(survey, versions)} hrefOf={addressOf} />
          <LinkButton size="sm" href={paths.surveyResponses(project.slug, survey.id, inAddress(filter))}>
            See their responses
          </LinkButton>
        </div>
      )}
      {result.done ? (
        <>
          <Totals numbers={result.results} isNarrowed={isNarrowed} />
          <AnswerAge {...result.results} now={new Date()} />
          {breakdown && result.results.breakdown && (
            <BreakdownPanel
              breakdown={breakdown}
              parts={result.results.breakdown}
              questions={survey.content.questions}
              cohortNames={cohortNames}
              filter={filter}
              addressOf={addressOf}
            />
          )}
          {result.results.submissions.started === 0 ? (
            <NoAnswers filter={filter} addressOf={addressOf} />
          ) : (
            <>
              <QuestionPanels
                opened={opened}
                filter={filter}
                results={result.results}
                versions={versions}
                cohortNames={cohortNames}
                addressOf={addressOf}
              />
              <DropOffPanel content={survey.content} results={result.results} />
            </>
          )}
        </>
      ) : (
        <FailedMessage
          title="The results could not be loaded"
          body={result.problems.map(({ message }) => message).join(' ')}
        />
      )}
    </div>
  )
}

/** Cohorts are counted by their ids. */
async function cohortNamesFor(
  breakdown: Breakdown | undefined,
  { project, viewer }: OpenSurvey,
): Promise<ReadonlyMap<string, string>> {
  if (breakdown?.type !== 'cohort') return new Map()
  const read = await tryRead(() => getProduct().people.cohorts.list(project.id, viewer))
  return new Map(read.allowed ? read.found.map(({ id, name }) => [id, name]) : [])
}

/** Views without a response have no answers to filter by, so narrowed results leave their figures out. */
function Totals({ numbers, isNarrowed }: { numbers: ResultNumbers; isNarrowed: boolean }) {
  const { shown, reached, submissions, dismissedUnanswered, responseRate, completionRate } = numbers
  return (
    <Stats>
      {!isNarrowed && (
        <Stat label="Shown" value={number(shown)} hint={`to ${plural(reached, 'person', 'people')}`} />
      )}
      <Stat
        label="Responses"
        value={number(submissions.responded)}
        hint={`${number(submissions.started)} started`}
      />
      {!isNarrowed && (
        <Stat
          label="Response rate"
          value={responseRate ? percent(responseRate.value) : '–'}
          hint="of people who saw it"
        />
      )}
      <Stat
        label="Completed"
        value={number(submissions.completed)}
        hint={
          !isNarrowed && completionRate ? `${percent(completionRate.value)} of people who saw it` : undefined
        }
      />
      <Stat
        label="Dismissed"
        value={number(submissions.dismissed + dismissedUnanswered)}
        hint={dismissedUnanswered > 0 ? `${number(dismissedUnanswered)} without an answer` : undefined}
      />
      <Stat label="Abandoned" value={number(submissions.abandoned)} />
    </Stats>
  )
}

function NoAnswers({
  filter,
  addressOf,
}: {
  filter: ResultsFilter
  addressOf: (changed: ResultsFilter) => string
}) {
  const isFiltered =
    filter.filter !== undefined ||
    filter.answers.length > 0 ||
    filter.search !== undefined ||
    filter.tag !== undefined
  const wider = isFiltered
    ? { ...filter, filter: undefined, answers: [], search: undefined, tag: undefined }
    : { ...filter, period: 'all' }
  return (
    <Panel>
      <EmptyMessage
        title="No answers in this period"
        body={isFiltered ? 'No responses match the filters.' : 'Responses are counted within a minute.'}
        action={
          isFiltered || filter.period !== 'all' ? (
            <LinkButton href={addressOf(wider)}>{isFiltered ? 'Clear filters' : 'All time'}</LinkButton>
          ) : undefined
        }
      />
    </Panel>
  )
}

/** The number who answered each question, and who left after it without completing the survey. */
function DropOffPanel({ content, results }: { content: SurveyContent; results: ResultNumbers }) {
  const questions = content.questions.filter(({ kind }) => kind !== 'statement')
  const { reached, answered, submissions } = results
  if (questions.length < 2 || submissions.started === 0) return null
  const silent = Math.max(0, reached - answered)
  return (
    <Panel
      title="Drop-off"
      description={
        silent > 0 ? `${number(silent)} of ${number(reached)} people who saw it gave no answer.` : undefined
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
