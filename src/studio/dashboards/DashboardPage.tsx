import type { ReactNode } from 'react'
import type { ListedDashboard } from '#dashboards/dashboards'
import type { ViewQuery } from '#dashboards/view-overrides-in-url'
import { Badge } from '#ui/Badge'
import { Page } from '#ui/page/Page'
import { type DashboardParameters, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { type Opened, whyNot } from '#studio/parts/open-project'
import { SubjectShareButton } from '#studio/shares/SubjectShareButton'
import { clockOf } from '#studio/parts/RelativeTime'
import { DashboardMenu, Modes } from './DashboardActions'
import { DashboardView } from './DashboardView'
import { DashboardHistory } from './DashboardHistory'

interface DashboardPageProps {
  opened: Opened
  dashboard: ListedDashboard
  viewQuery: ViewQuery
  /** The address of the dashboard: its own page, or Home. */
  address: (parameters: DashboardParameters) => string
  breadcrumbs?: { label: string; href: string }[]
  /** Stands above the cards. */
  above?: ReactNode
}

/** The page of a dashboard, and Home where one was chosen for it. */
export async function DashboardPage({
  opened,
  dashboard,
  viewQuery,
  address,
  breadcrumbs,
  above,
}: DashboardPageProps) {
  return (
    <Page
      title={dashboard.name}
      badge={<Labels dashboard={dashboard} />}
      description={dashboard.description || undefined}
      breadcrumbs={breadcrumbs}
      actions={await actionsFor(opened, dashboard, viewQuery)}
    >
      {above && <div className="mb-6">{above}</div>}
      <DashboardView
        opened={opened}
        dashboard={dashboard}
        viewQuery={viewQuery}
        here={(query) => address({ ...queryOf(viewQuery), ...query })}
      />
    </Page>
  )
}

const queryOf = (viewQuery: ViewQuery): DashboardParameters =>
  Object.fromEntries(
    ['period', 'compare', 'filter', 'refresh', 'exact'].flatMap((name) => {
      const value = viewQuery[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

const Labels = ({ dashboard: { isHome, archivedAt } }: { dashboard: ListedDashboard }): ReactNode => (
  <>
    {archivedAt && <Badge tone="warning">Archived</Badge>}
    {isHome && !archivedAt && <Badge tone="info">Home</Badge>}
  </>
)

async function actionsFor(
  { project, viewer, role }: Opened,
  dashboard: ListedDashboard,
  viewQuery: ViewQuery,
) {
  const { dashboards } = getProduct()
  const { id, name, description, isHome, archivedAt } = dashboard
  const listed = await dashboards.versions(project.id, id, viewer)
  const reason = whyNot('insights:write', role)
  const clock = clockOf(project)
  return (
    <>
      <Modes
        isEditing={viewQuery.edit === 'yes'}
        isAnnotating={viewQuery.annotate !== undefined}
        whyNot={reason}
      />
      <SubjectShareButton
        {...{ project, viewer, role }}
        subject={{ kind: 'dashboard', id }}
        name={name}
        unless={archivedAt && 'Archived dashboards cannot be shared'}
      />
      {/* together on a row, where they do not fit beside the others */}
      <span className="flex gap-2">
        <DashboardHistory
          slug={project.slug}
          id={id}
          clock={clock}
          whyNot={reason}
          versions={(listed.done ? listed.versions : []).map(({ cards, ...version }) => ({
            ...version,
            cards: cards.length,
          }))}
        />
        <DashboardMenu
          slug={project.slug}
          dashboard={{ id, name, description, isHome, isArchived: archivedAt !== undefined }}
          whyNot={reason}
        />
      </span>
    </>
  )
}

export const dashboardTrail = ({ project: { name, slug } }: Opened) => [
  { label: name, href: paths.project(slug) },
  { label: 'Dashboards', href: paths.dashboards(slug) },
]
