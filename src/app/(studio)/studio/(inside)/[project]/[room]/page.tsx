import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#app/paths'
import { openProject } from '#app/(studio)/open-project'
import { unbuiltSections } from '#app/(studio)/nav-sections'

interface UnbuiltSectionPageProps {
  params: Promise<{ project: string; room: string }>
}

export async function generateMetadata({ params }: UnbuiltSectionPageProps): Promise<Metadata> {
  return { title: unbuiltSections.get((await params).room)?.label }
}

/** A room that is still empty, and says so. */
export default async function UnbuiltSectionPage({ params }: UnbuiltSectionPageProps) {
  const { project: slug, room: part } = await params
  const { project } = await openProject(slug)
  const room = unbuiltSections.get(part)
  if (!room?.notYet) notFound()

  return (
    <Page title={room.label} breadcrumbs={[{ label: project.name, href: paths.project(project.slug) }]}>
      <Panel>
        <EmptyMessage icon={<Icon of={room.icon} size="lg" />} title={room.notYet} />
      </Panel>
    </Page>
  )
}
