import type { Metadata } from 'next'
import { Suspense } from 'react'
import type { SurveyAnswer, SurveyNumbers } from '#insights/kinds/survey/survey'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { Stat, Stats } from '#ui/chart/Stat'
import { number, percent } from '#ui/format'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { askForViewer } from '#app/(studio)/insights/ask'
import {
  filterIn,
  type PeopleSearchParams,
  textOf,
} from '#app/(studio)/studio/(inside)/[project]/people/question'
import { questionName } from '#app/(studio)/studio/(inside)/[project]/surveys/builder/flow-words'
import { kindLabel } from '#app/(studio)/studio/(inside)/[project]/surveys/builder/question-kinds'
import {
  type OpenSurvey,
  openSurvey,
  type SurveyParams,
  titleOf,
} from '#app/(studio)/studio/(inside)/[project]/surveys/open-survey'
import { countedAnswers } from '#app/(studio)/studio/(inside)/[project]/surveys/results/counted-answers'
import { questionResult } from '#app/(studio)/studio/(inside)/[project]/surveys/results/question-results'
import { QuestionResultPanel } from '#app/(studio)/studio/(inside)/[project]/surveys/results/QuestionResultPanel'
import { resultPeriods } from '#app/(studio)/studio/(inside)/[project]/surveys/results/result-periods'
import { ResultsFilters } from '#app/(studio)/studio/(inside)/[project]/surveys/results/ResultsFilters'
import { resultsQuestion } from '#app/(studio)/studio/(inside)/[project]/surveys/results/survey-question'
import { SurveyFrame } from '#app/(studio)/studio/(inside)/[project]/surveys/SurveyFrame'

interface ResultsPageProps {
  params: SurveyParams
  searchParams: Promise<PeopleSearchParams>
}

export const generateMetadata = ({ params }: ResultsPageProps): Promise<Metadata> =>
  titleOf(params, 'Results')

/** What was answered to a survey, question by question. */
export default async function ResultsPage({ params, searchParams }: ResultsPageProps) {
  const { project: slug, survey: id } = await params
  const search = await searchParams
  const opened = await openSurvey(slug, id)
  const period = resultPeriods.find(({ value }) => value === textOf(search['period']))?.value ?? '30d'
  const filter = filterIn(textOf(search['filter']))

  return (
    <SurveyFrame {...opened} view="results">
      {opened.survey.startsAt ? (
        <>
          <ResultsFilters view="results" slug={slug} survey={id} period={period} filter={filter} />
          <Suspense key={JSON.stringify([period, filter])} fallback={<Skeleton className="h-96 w-full" />}>
            <Results opened={opened} period={period} filter={filter} />
          </Suspense>
        </>
      ) : (
        <Panel>
          <EmptyMessage
            title="Not launched yet"
            body="Answers are counted here from the launch on. The preview of the builder records nothing."
            action={<LinkButton href={paths.survey(slug, id, 'launch')}>To the launch</LinkButton>}
          />
        </Panel>
      )}
    </SurveyFrame>
  )
}

async function Results({ opened, period, filter }: { opened: OpenSurvey; period: string; filter: unknown }) {
  const { project, viewer, survey } = opened
  const versions = await getProduct().surveys.versions(project.id, survey.id, viewer)
  const question = resultsQuestion({ survey: survey.id, versions: versions.toReversed(), period, filter })
  const asked = await askForViewer(project.id, question, viewer)
  if (!asked.done)
    return (
      <FailedMessage
        title="The answers could not be counted"
        body={asked.problems.map(({ message }) => message).join(' ')}
      />
    )
  // a question of the kind `survey` has an answer of this shape
  const answer = asked.answer as SurveyAnswer
  return (
    <div className="flex flex-col gap-5">
      <Totals numbers={answer.all} />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        {survey.content.questions
          .filter(({ kind }) => kind !== 'statement')
          .map((one) => (
            <QuestionResultPanel
              key={one.id}
              title={questionName(survey.content, one.id)}
              kind={kindLabel(one.kind)}
              result={questionResult(one, countedAnswers(one, answer))}
            />
          ))}
      </div>
    </div>
  )
}

function Totals({ numbers }: { numbers: SurveyNumbers }) {
  const { shown, reached, answered, submissions, dismissedUnanswered } = numbers
  return (
    <Stats>
      <Stat label="Shown" value={number(shown)} hint={`to ${number(reached)} persons`} />
      <Stat label="Responses" value={number(submissions.responded)} />
      <Stat
        label="Response rate"
        value={reached > 0 ? percent(answered / reached) : '–'}
        hint="of persons who saw it"
      />
      <Stat label="Completed" value={number(submissions.completed)} />
      <Stat label="Dismissed" value={number(submissions.dismissed + dismissedUnanswered)} />
      <Stat label="Abandoned" value={number(submissions.abandoned)} />
    </Stats>
  )
}
