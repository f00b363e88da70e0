import { MessageSquareText, Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import type { Survey, SurveyStatus } from '#surveys/survey'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'
import { tryRead, tryEngine } from '#studio/parts/refusals'
import { clockOf } from '#studio/parts/RelativeTime'
import type { SearchParams } from '#studio/search-params'
import type { SurveyRowFigures } from '#surveys/results/row-figures'
import { number, percent } from '#ui/format'
import { filterSurveys, surveysFilterIn } from './list-filter'
import { SurveyFilters } from './SurveyFilters'
import { type SurveyRow, SurveysTable, type SurveysTableProps, type ShownFigures } from './SurveysTable'

export const metadata: Metadata = { title: 'Surveys' }

interface SurveysPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** Every survey of the project. */
export async function SurveysPage({ params, searchParams }: SurveysPageProps) {
  const opened = await openProject((await params).project)
  const { project, viewer, role } = opened
  const filter = surveysFilterIn(await searchParams)
  const { surveys } = getProduct()
  const listed = await tryRead(() => surveys.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name } = project
  const isArchive = filter.show === 'archived'
  const reason = whyNot('surveys:write', role)
  const status = (survey: Survey): SurveyStatus => surveys.statusOf(survey)
  const inView = listed.found.filter((survey) => (survey.archivedAt !== undefined) === isArchive)
  const rows = filterSurveys(listed.found, filter, status).map((survey) => rowOf(survey, status(survey)))
  const table = { slug, clock: clockOf(project), whyNot: reason }
  return (
    <Page
      title={isArchive ? 'Archived surveys' : 'Surveys'}
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={
        <LinkTabs
          label="Surveys"
          tabs={[
            { label: 'Surveys', href: paths.surveys(slug), current: !isArchive },
            { label: 'Archived', href: paths.surveys(slug, { show: 'archived' }), current: isArchive },
          ]}
        />
      }
      actions={
        !isArchive && (
          <LinkButton href={paths.newSurvey(slug)} variant="primary" icon={<Icon of={Plus} />}>
            New survey
          </LinkButton>
        )
      }
    >
      {inView.length === 0 ? (
        <NoSurveys slug={slug} isArchive={isArchive} />
      ) : (
        <>
          <SurveyFilters slug={slug} filter={filter} />
          <Panel flush>
            <Suspense
              key={JSON.stringify(filter)}
              fallback={<SurveysTable {...table} rows={rows} isCounting />}
            >
              <CountedSurveys opened={opened} table={table} rows={rows} />
            </Suspense>
          </Panel>
          <p className="text-xs text-muted">Responses, rates and scores are of all time.</p>
        </>
      )}
    </Page>
  )
}

/** The list with counts from the engine. */
async function CountedSurveys({
  opened,
  table,
  rows,
}: {
  opened: Opened
  table: Omit<SurveysTableProps, 'rows' | 'isCounting'>
  rows: readonly SurveyRow[]
}) {
  const figures = await surveyFigures(opened)
  const counted = rows.map((row) => ({ ...row, figures: figures.get(row.id) }))
  return <SurveysTable {...table} rows={counted} isCounting={false} />
}

const rowOf = (survey: Survey, status: SurveyStatus): SurveyRow => ({
  id: survey.id,
  name: survey.name,
  description: survey.description,
  status,
  placement: survey.placement.kind,
  questions: survey.content.questions.length,
  changedAt: survey.changedAt,
  figures: undefined,
})

function NoSurveys({ slug, isArchive }: { slug: string; isArchive: boolean }) {
  return (
    <Panel>
      {isArchive ? (
        <EmptyMessage
          icon={<Icon of={MessageSquareText} size="lg" />}
          title="No archived surveys"
          body="Archive surveys you no longer need from their menu. Their responses stay."
          action={<LinkButton href={paths.surveys(slug)}>All surveys</LinkButton>}
        />
      ) : (
        <EmptyMessage
          icon={<Icon of={MessageSquareText} size="lg" />}
          title="No surveys yet"
          body="Ask on your site, in a post, by link or in your app. Use responses in funnels, cohorts and flags."
          action={
            <LinkButton href={paths.newSurvey(slug)} variant="primary">
              Create survey
            </LinkButton>
          }
        />
      )}
    </Panel>
  )
}

/** The numbers of launched surveys over all time, by id; none if they cannot be counted now. */
async function surveyFigures({ project, viewer }: Opened): Promise<ReadonlyMap<string, ShownFigures>> {
  const { results: surveyResults } = getProduct().surveys
  const result = await tryEngine(async () => ({
    done: true as const,
    figures: await surveyResults.figures(project.id, viewer),
  }))
  return new Map(result.done ? [...result.figures].map(([id, figures]) => [id, shown(figures)]) : [])
}

const shown = ({ responses, rate, score }: SurveyRowFigures): ShownFigures => ({
  responses,
  rate: rate?.value,
  score: score && scoreText(score),
})

/** "NPS 42" or "CSAT 87%". */
const scoreText = ({ label, estimate: { value } }: NonNullable<SurveyRowFigures['score']>): string =>
  `${label} ${label === 'CSAT' ? percent(value) : number(Math.round(value))}`
