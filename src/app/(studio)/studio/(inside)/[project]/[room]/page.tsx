import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { EmptyMessage } from '../../../../../../ui/EmptyMessage'
import { Icon } from '../../../../../../ui/Icon'
import { Page } from '../../../../../../ui/Page'
import { Panel } from '../../../../../../ui/Panel'
import { paths } from '../../../../../paths'
import { openProject } from '../../../../open-project'
import { unbuiltRooms } from '../../../../rooms'

interface RoomPageProps {
  params: Promise<{ project: string; room: string }>
}

export async function generateMetadata({ params }: RoomPageProps): Promise<Metadata> {
  return { title: unbuiltRooms.get((await params).room)?.label }
}

/** A room that is still empty, and says so. */
export default async function RoomPage({ params }: RoomPageProps) {
  const { project: slug, room: part } = await params
  const { project } = await openProject(slug)
  const room = unbuiltRooms.get(part)
  if (!room?.notYet) notFound()

  return (
    <Page title={room.label} breadcrumbs={[{ label: project.name, href: paths.project(project.slug) }]}>
      <Panel>
        <EmptyMessage icon={<Icon of={room.icon} size="lg" />} title={room.notYet} />
      </Panel>
    </Page>
  )
}
