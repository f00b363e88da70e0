'use client'

import { usePathname } from 'next/navigation'
import { Loading, Skeleton } from '../../../../../ui/Skeleton'
import { Page } from '../../../../../ui/Page'
import { paths } from '../../../../paths'
import { allRooms } from '../../../rooms'
import { useCurrentProject } from '../current-project'

/** The page that is on its way, under its own title at once: what is known already need not be waited for. */
export default function ProjectPageLoading() {
  const pathname = usePathname() ?? ''
  const { slug, name } = useCurrentProject() ?? { slug: '', name: '' }
  const room = allRooms.toReversed().find(({ path }) => pathname.startsWith(path(slug)))

  return (
    <Page title={room?.label ?? 'Loading'} breadcrumbs={[{ label: name, href: paths.project(slug) }]}>
      <Loading>
        <Skeleton className="h-64 w-full rounded-lg" />
      </Loading>
    </Page>
  )
}
