import type { Metadata } from 'next'
import { Suspense } from 'react'
import { TextLink } from '#ui/Anchor'
import { paths } from '#studio/paths'
import { bounceRuleFrom } from '#insights/bounce-rule'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { Section, Sections } from '#studio/parts/Section'
import type { Viewer } from '#projects/access'
import type { Project } from '#projects/project'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { tryEngine } from '#studio/parts/refusals'
import { InternalUsersForm } from './InternalUsersForm'
import { PageGroupsForm, type RecentPage } from './PageGroupsForm'
import { UnitsForm } from './UnitsForm'
import { VisitsForm } from './VisitsForm'

export const metadata: Metadata = { title: 'Analytics' }

/** The settings that answers depend on. */
export async function AnalyticsSettingsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, role, viewer } = await openProject((await params).project)
  const settings = getProduct().insights.settingsOf(project)
  const { testAccounts, currency, weekStart, attribution, pageGroups } = settings
  const reason = whyNot('project:write', role)

  return (
    <Sections>
      <Section
        title="Internal and test users"
        description="Whose events are left out where “Filter out internal and test users” is on: in insights, web analytics and experiments. Their events are stored as before."
      >
        <InternalUsersForm slug={project.slug} testAccounts={testAccounts} whyNot={reason} />
      </Section>
      <Section
        title="Visits and conversions"
        description="When a visit is not a bounce, and whether a conversion counts for the first or the last post read before it. Visits before the change count by the new rule as well."
      >
        <VisitsForm
          slug={project.slug}
          bounceRule={bounceRuleFrom(settings)}
          attribution={attribution}
          whyNot={reason}
        />
      </Section>
      <Section
        title="Page groups"
        description="Web analytics shows pages whose paths differ only by ids as one. Events are stored as before, and “Show pages one by one” is in the menu of web analytics."
      >
        <Suspense fallback={<PagesLoading />}>
          <PageGroups project={project} viewer={viewer} groups={pageGroups} whyNot={reason} />
        </Suspense>
      </Section>
      <Section
        title="Currency and weeks"
        description={
          <>
            Amounts are shown in this currency; weeks of charts and periods begin on this day. Days begin by
            the time zone, {project.timeZone.replaceAll('_', ' ')}, which is changed in{' '}
            <TextLink href={paths.settings(project.slug)}>General</TextLink>.
          </>
        }
      >
        <UnitsForm slug={project.slug} currency={currency} weekStart={weekStart} whyNot={reason} />
      </Section>
    </Sections>
  )
}

interface PageGroupsProps {
  project: Project
  viewer: Viewer
  groups: readonly string[]
  whyNot: string | undefined
}

async function PageGroups({ project, viewer, groups, whyNot: reason }: PageGroupsProps) {
  const pages = await recentPages(project.id, viewer)
  return <PageGroupsForm slug={project.slug} groups={groups} pages={pages} whyNot={reason} />
}

/** The most viewed pages, one by one. Without the engine, groups can still be written. */
async function recentPages(projectId: number, viewer: Viewer): Promise<RecentPage[]> {
  const outcome = await tryEngine(() =>
    getProduct().insights.ask(
      projectId,
      {
        kind: 'breakdown',
        dimensions: ['page'],
        period: '30d',
        groupPages: false,
        totals: false,
        limit: 1000,
      },
      viewer,
    ),
  )
  if (!outcome.done) return []
  return outcome.answer.panels.flatMap(({ rows }) =>
    rows.flatMap(({ value, events = 0 }) => (value === null ? [] : [{ path: value, views: events }])),
  )
}

const PagesLoading = () => (
  <Loading label="Loading">
    <Skeleton className="h-24 w-full" />
  </Loading>
)
