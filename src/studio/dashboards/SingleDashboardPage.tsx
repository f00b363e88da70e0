import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import type { ViewQuery } from '#dashboards/view-overrides-in-url'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { DashboardPage, dashboardTrail } from './DashboardPage'
import { openProject } from '#studio/parts/open-project'

interface DashboardProps {
  params: Promise<{ project: string; dashboard: string }>
  searchParams: Promise<ViewQuery>
}

/** For the title and for the page; found once. */
const openDashboard = cache(async (slug: string, id: string) => {
  const opened = await openProject(slug)
  const dashboard = await getProduct().dashboards.find(opened.project.id, id, opened.viewer)
  if (!dashboard) notFound()
  return { opened, dashboard }
})

export async function generateMetadata({ params }: Pick<DashboardProps, 'params'>): Promise<Metadata> {
  const { project, dashboard } = await params
  return { title: (await openDashboard(project, dashboard)).dashboard.name }
}

export async function SingleDashboardPage({ params, searchParams }: DashboardProps) {
  const { project: slug, dashboard: id } = await params
  const { opened, dashboard } = await openDashboard(slug, id)
  return (
    <DashboardPage
      opened={opened}
      dashboard={dashboard}
      viewQuery={await searchParams}
      address={(parameters) => paths.dashboard(slug, id, parameters)}
      breadcrumbs={dashboardTrail(opened)}
    />
  )
}
