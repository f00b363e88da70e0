import { LayoutDashboard } from 'lucide-react'
import type { Metadata } from 'next'
import { templates } from '#dashboards/templates'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { DashboardsTable } from './DashboardsTable'
import { NewDashboard } from './NewDashboard'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import type { SearchParams } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Dashboards' }

interface DashboardsProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

const shownTemplates = Object.entries(templates).map(([name, { label, about }]) => ({ name, label, about }))

const viewOf = ({ show, create }: Awaited<DashboardsProps['searchParams']>) => ({
  isArchive: show === 'archived',
  isCreating: create === 'yes',
})

/** Every dashboard of the project. */
export async function DashboardsPage({ params, searchParams }: DashboardsProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const { isArchive, isCreating } = viewOf(await searchParams)
  const listed = await tryRead(() => getProduct().dashboards.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, timeZone } = project
  const reason = whyNot('insights:write', role)
  const shown = listed.found.filter(({ archivedAt }) => (archivedAt !== undefined) === isArchive)
  const hasArchive = listed.found.some(({ archivedAt }) => archivedAt)
  const create = (
    <NewDashboard slug={slug} templates={shownTemplates} whyNot={reason} isCreating={isCreating} />
  )
  return (
    <Page
      title={isArchive ? 'Archived dashboards' : 'Dashboards'}
      description={shown.length > 0 ? 'Pages of insights.' : undefined}
      breadcrumbs={[{ label: project.name, href: paths.project(slug) }]}
      actions={shown.length > 0 && !isArchive ? create : undefined}
    >
      <Panel flush>
        {shown.length > 0 ? (
          <DashboardsTable
            slug={slug}
            clock={clockOf({ timeZone })}
            whyNot={reason}
            dashboards={shown.map(({ cards, archivedAt, look: _, projectId: __, ...dashboard }) => ({
              ...dashboard,
              cards: cards.length,
              isArchived: archivedAt !== undefined,
            }))}
          />
        ) : (
          <EmptyMessage
            icon={<Icon of={LayoutDashboard} size="lg" />}
            title={isArchive ? 'No archived dashboards' : 'No dashboards yet'}
            body={
              isArchive
                ? 'Archived dashboards can be restored from here.'
                : 'Put the numbers you check every day on one page. Start from a template or from scratch.'
            }
            action={
              isArchive ? <LinkButton href={paths.dashboards(slug)}>All dashboards</LinkButton> : create
            }
          />
        )}
      </Panel>
      {(hasArchive || isArchive) && (
        <p className="text-center">
          <LinkButton
            size="sm"
            variant="quiet"
            href={paths.dashboards(slug, isArchive ? {} : { show: 'archived' })}
          >
            {isArchive ? 'Active dashboards' : 'Archived dashboards'}
          </LinkButton>
        </p>
      )}
    </Page>
  )
}
