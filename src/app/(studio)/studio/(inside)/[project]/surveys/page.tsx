import { MessageSquareText, Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { type Survey, type SurveyStatus, statusOf } from '#surveys/survey'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { NotAllowed } from '#app/(studio)/NotAllowed'
import { openProject, whyNot } from '#app/(studio)/open-project'
import { tryRead } from '#app/(studio)/refusals'
import { clockOf } from '../flags/FlagFrame'
import type { PeopleSearchParams } from '../people/question'
import { filterSurveys, surveysQuestionIn } from './question'
import { SurveyFilters } from './SurveyFilters'
import { type SurveyRow, SurveysTable } from './SurveysTable'

export const metadata: Metadata = { title: 'Surveys' }

interface SurveysPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<PeopleSearchParams>
}

/** Every survey of the project. */
export default async function SurveysPage({ params, searchParams }: SurveysPageProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const question = surveysQuestionIn(await searchParams)
  const listed = await tryRead(() => getProduct().surveys.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name } = project
  const isArchive = question.show === 'archived'
  const reason = whyNot('surveys:write', role)
  const now = new Date()
  const status = (survey: Survey): SurveyStatus => statusOf(survey, now, 0)
  const inView = listed.found.filter((survey) => (survey.archivedAt !== undefined) === isArchive)
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
          <SurveyFilters slug={slug} question={question} />
          <Panel flush>
            <SurveysTable
              slug={slug}
              clock={clockOf(project)}
              rows={filterSurveys(listed.found, question, status).map((survey) =>
                rowOf(survey, status(survey)),
              )}
              whyNot={reason}
              isCounting={false}
            />
          </Panel>
        </>
      )}
    </Page>
  )
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
          title="Nothing is archived"
          body="Archive a survey that is over from its menu. Its answers stay."
          action={<LinkButton href={paths.surveys(slug)}>All surveys</LinkButton>}
        />
      ) : (
        <EmptyMessage
          icon={<Icon of={MessageSquareText} size="lg" />}
          title="No survey yet"
          body="Ask people on the page, in a post, by a link or in your own interface. Answers join persons, funnels, cohorts and flags."
          action={
            <LinkButton href={paths.newSurvey(slug)} variant="primary">
              Create a survey
            </LinkButton>
          }
        />
      )}
    </Panel>
  )
}
