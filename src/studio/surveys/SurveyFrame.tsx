import type { ReactNode } from 'react'
import { Badge } from '#ui/Badge'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Page } from '#ui/page/Page'
import { paths, type SurveyResultsFilter } from '#studio/paths'
import { whyNot as whyNotFor } from '#studio/parts/open-project'
import type { OpenSurvey } from './open-survey'
import { SurveyMenu } from './SurveyMenu'
import { SurveyStatusBadge } from './SurveyStatusBadge'

/** A survey under its name, whichever way it is looked at. */
export function SurveyFrame({
  project: { slug, name },
  role,
  survey,
  status,
  view,
  filter,
  children,
}: OpenSurvey & {
  view: 'build' | 'share' | 'results' | 'responses'
  /** The filter of results and responses, which the other view keeps. */
  filter?: SurveyResultsFilter
  children: ReactNode
}) {
  return (
    <Page
      title={survey.name}
      badge={
        <>
          <SurveyStatusBadge status={status} />
          {survey.startsAt && <Badge>Version {survey.version}</Badge>}
        </>
      }
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Surveys', href: paths.surveys(slug) },
      ]}
      actions={
        <SurveyMenu
          slug={slug}
          id={survey.id}
          name={survey.name}
          isArchived={survey.archivedAt !== undefined}
          whyNot={whyNotFor('surveys:write', role)}
        />
      }
      tabs={
        <LinkTabs
          label={`Views of ${survey.name}`}
          tabs={[
            { label: 'Build', href: paths.survey(slug, survey.id), current: view === 'build' },
            { label: 'Share', href: paths.surveyShare(slug, survey.id), current: view === 'share' },
            {
              label: 'Results',
              href: paths.surveyResults(slug, survey.id, filter),
              current: view === 'results',
            },
            {
              label: 'Responses',
              href: paths.surveyResponses(slug, survey.id, filter),
              current: view === 'responses',
            },
          ]}
        />
      }
    >
      {children}
    </Page>
  )
}
