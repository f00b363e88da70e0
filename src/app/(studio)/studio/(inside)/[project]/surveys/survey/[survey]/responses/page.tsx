import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Icon } from '#ui/Icon'
import { buttonClass } from '#ui/keyboard/button-style'
import { FailedMessage } from '#ui/page/FailedMessage'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { CursorPagination } from '#ui/table/Pagination'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { whyNot } from '#app/(studio)/open-project'
import { clockOf } from '#app/(studio)/studio/(inside)/[project]/flags/FlagFrame'
import { tryEngine } from '#app/(studio)/studio/(inside)/[project]/flags/try-engine'
import type { PeopleSearchParams } from '#app/(studio)/studio/(inside)/[project]/people/question'
import {
  type OpenSurvey,
  openSurvey,
  type SurveyParams,
  titleOf,
} from '#app/(studio)/studio/(inside)/[project]/surveys/open-survey'
import { answerInWords } from '#app/(studio)/studio/(inside)/[project]/surveys/responses/answer-words'
import {
  inAddress,
  type ListedResponses,
  responsesIn,
} from '#app/(studio)/studio/(inside)/[project]/surveys/responses/question'
import { ResponsesTable } from '#app/(studio)/studio/(inside)/[project]/surveys/responses/ResponsesTable'
import { ResultsFilters } from '#app/(studio)/studio/(inside)/[project]/surveys/results/ResultsFilters'
import { SurveyFrame } from '#app/(studio)/studio/(inside)/[project]/surveys/SurveyFrame'

interface ResponsesPageProps {
  params: SurveyParams
  searchParams: Promise<PeopleSearchParams>
}

export const generateMetadata = ({ params }: ResponsesPageProps): Promise<Metadata> =>
  titleOf(params, 'Responses')

/** The submissions of a survey, those answered last first. */
export default async function ResponsesPage({ params, searchParams }: ResponsesPageProps) {
  const { project: slug, survey: id } = await params
  const asked = responsesIn(await searchParams)
  const { withTests, cursor: _, ...narrowed } = asked
  const opened = await openSurvey(slug, id)
  const address = (tests: boolean) =>
    paths.surveyResponses(slug, id, inAddress({ ...narrowed, withTests: tests }))

  return (
    <SurveyFrame {...opened} view="responses">
      <ResultsFilters
        view="responses"
        slug={slug}
        survey={id}
        period={narrowed.period}
        filter={narrowed.filter}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <LinkTabs
          label="Test responses"
          look="segment"
          tabs={[
            { label: 'Without tests', href: address(false), current: !withTests },
            { label: 'With tests', href: address(true), current: withTests },
          ]}
        />
        <ExportLinks slug={slug} survey={id} asked={asked} />
      </div>
      <Suspense key={JSON.stringify(asked)} fallback={<Skeleton className="h-96 w-full" />}>
        <Responses opened={opened} asked={asked} />
      </Suspense>
    </SurveyFrame>
  )
}

/** Plain links: Next would prefetch its own and start an export without a click. */
function ExportLinks({ slug, survey, asked }: { slug: string; survey: string; asked: ListedResponses }) {
  return (
    <div className="flex gap-2">
      {(['csv', 'json'] as const).map((format) => (
        <a
          key={format}
          href={paths.surveyExport(slug, survey, format, inAddress(asked))}
          download
          className={buttonClass({})}
        >
          <Icon of={Download} /> Export {format.toUpperCase()}
        </a>
      ))}
    </div>
  )
}

async function Responses({ opened, asked }: { opened: OpenSurvey; asked: ListedResponses }) {
  const { project, viewer, role, survey } = opened
  const { surveyResults } = getProduct()
  const listed = await tryEngine(() => surveyResults.responses(project.id, survey.id, asked, viewer))
  if (!listed.done)
    return (
      <FailedMessage
        title="The responses could not be loaded"
        body={listed.problems.map(({ message }) => message).join(' ')}
      />
    )
  const questions = new Map(survey.content.questions.map((question) => [question.id, question]))
  const { slug } = project
  return (
    <>
      <Panel flush>
        <ResponsesTable
          slug={slug}
          survey={survey.id}
          clock={clockOf(project)}
          rows={listed.responses.map(({ id, answeredAt, state, distinctId, version, answers }) => ({
            id,
            answeredAt: new Date(answeredAt),
            state,
            distinctId,
            version,
            answers: answers
              .map(({ question, answer }) => answerInWords(answer, questions.get(question)))
              .join(' · '),
          }))}
          whyNot={whyNot('surveys:write', role)}
        />
      </Panel>
      {(asked.cursor !== undefined || listed.cursor !== undefined) && (
        <CursorPagination
          label="Pages of responses"
          {...(asked.cursor !== undefined && {
            previousHref: paths.surveyResponses(slug, survey.id, inAddress(asked)),
          })}
          {...(listed.cursor !== undefined && {
            nextHref: paths.surveyResponses(slug, survey.id, { ...inAddress(asked), cursor: listed.cursor }),
          })}
        />
      )}
    </>
  )
}
