import type { Metadata } from 'next'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { ErasuresTable } from './ErasuresTable'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Erasures' }

export async function ErasuresPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer } = await openProject((await params).project)
  const erasures = await tryRead(() => getProduct().people.erasures.list(project.id, viewer))
  if (!erasures.allowed) return <NotAllowed why={erasures.why} />

  return (
    <Panel
      flush
      title="Erasures"
      description="Erased people, with the events and rows that were deleted. Restoring an older backup repeats each erasure."
    >
      <ErasuresTable
        clock={clockOf(project)}
        erasures={erasures.found.map(({ numbers, projectId: _, ...erasure }) => ({
          ...erasure,
          person: numbers[0] ?? '',
        }))}
      />
    </Panel>
  )
}
