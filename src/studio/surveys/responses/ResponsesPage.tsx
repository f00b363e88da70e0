import type { Metadata } from 'next'
import { Suspense } from 'react'
import { hiddenFieldsOf } from '#surveys/results/responses'
import type { SurveyVersion } from '#surveys/survey'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { CursorPagination } from '#ui/table/Pagination'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { whyNot } from '#studio/parts/open-project'
import { clockOf } from '#studio/parts/RelativeTime'
import { tryEngine } from '#studio/parts/refusals'
import { type SearchParams, textOf } from '#studio/search-params'
import { type OpenSurvey, openSurvey, type SurveyParams, titleOf } from '../open-survey'
import { allQuestions } from '../results/all-questions'
import { AnswerChips } from '../results/AnswerChips'
import { inAddress, narrowingOf, type ResultsFilter, resultsFilterIn } from '../results/results-filter'
import { ResultsFilters } from '../results/ResultsFilters'
import { SurveyFrame } from '../SurveyFrame'
import { answerInWords } from './answer-words'
import { ResponsesTable } from './ResponsesTable'

interface ResponsesPageProps {
  params: SurveyParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: ResponsesPageProps): Promise<Metadata> =>
  titleOf(params, 'Responses')

/** The submissions of a survey, those answered last first. */
export async function ResponsesPage({ params, searchParams }: ResponsesPageProps) {
  const { project: slug, survey: id } = await params
  const search = await searchParams
  const filter = resultsFilterIn(search)
  const cursor = textOf(search['cursor'])
  const opened = await openSurvey(slug, id)
  const { surveys } = getProduct()
  const { results: surveyResults } = surveys
  const [versions, tags] = await Promise.all([
    surveys.versions(opened.project.id, id, opened.viewer),
    surveyResults.tags(opened.project.id, id, opened.viewer),
  ])

  return (
    <SurveyFrame {...opened} view="responses" filter={inAddress(filter)}>
      <ResultsFilters view="responses" slug={slug} survey={id} filter={filter} tags={tags} />
      <AnswerChips
        filter={filter}
        questions={allQuestions(opened.survey, versions)}
        hrefOf={(changed) => paths.surveyResponses(slug, id, inAddress(changed))}
      />
      <Suspense key={JSON.stringify([filter, cursor])} fallback={<Skeleton className="h-96 w-full" />}>
        <Responses opened={opened} versions={versions} filter={filter} cursor={cursor} />
      </Suspense>
    </SurveyFrame>
  )
}

async function Responses({
  opened,
  versions,
  filter,
  cursor,
}: {
  opened: OpenSurvey
  versions: readonly SurveyVersion[]
  filter: ResultsFilter
  cursor: string | undefined
}) {
  const { project, viewer, role, survey } = opened
  const { results: surveyResults } = getProduct().surveys
  const listed = await tryEngine(() =>
    surveyResults.responses(project.id, survey.id, { ...narrowingOf(filter), cursor }, viewer),
  )
  if (!listed.done)
    return (
      <FailedMessage
        title="The responses could not be loaded"
        body={listed.problems.map(({ message }) => message).join(' ')}
      />
    )
  const surveyQuestions = allQuestions(survey, versions).filter(({ kind }) => kind !== 'statement')
  const questions = new Map(surveyQuestions.map((one) => [one.id, one]))
  const { slug } = project
  return (
    <>
      <Panel flush>
        <ResponsesTable
          slug={slug}
          survey={survey.id}
          clock={clockOf(project)}
          areRemoved={filter.onlyRemoved}
          questions={surveyQuestions.map(({ id, text, kind }) => ({ id, text, isNumber: kind === 'rating' }))}
          fields={hiddenFieldsOf(versions)}
          rows={listed.responses.map(
            ({ id, answeredAt, state, personLabel: label, distinctId, answers, fields, tags }) => ({
              id,
              answeredAt: new Date(answeredAt),
              state,
              person: label?.name ?? distinctId,
              label,
              answers: new Map(
                answers.map(({ question: of, answer }) => [of, answerInWords(answer, questions.get(of))]),
              ),
              fields,
              tags,
            }),
          )}
          whyNot={whyNot('surveys:write', role)}
        />
      </Panel>
      {(cursor !== undefined || listed.cursor !== undefined) && (
        <CursorPagination
          label="Pages of responses"
          {...(cursor !== undefined && {
            previousHref: paths.surveyResponses(slug, survey.id, inAddress(filter)),
          })}
          {...(listed.cursor !== undefined && {
            nextHref: paths.surveyResponses(slug, survey.id, {
              ...inAddress(filter),
              cursor: listed.cursor,
            }),
          })}
        />
      )}
    </>
  )
}
