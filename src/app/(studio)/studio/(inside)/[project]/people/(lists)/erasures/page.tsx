import type { Metadata } from 'next'
import { Panel } from '../../../../../../../../ui/Panel'
import { getProduct } from '../../../../../../../product'
import { NotAllowed } from '../../../../../../NotAllowed'
import { openProject } from '../../../../../../open-project'
import { reading } from '../../../../../../refusals'
import { ErasuresTable } from './ErasuresTable'

export const metadata: Metadata = { title: 'Erasures' }

export default async function ErasuresPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer } = await openProject((await params).project)
  const erasures = await reading(() => getProduct().erasures.list(project.id, viewer))
  if (!erasures.allowed) return <NotAllowed why={erasures.why} />

  return (
    <Panel flush title="Erasures" description="Who was asked to be forgotten, and whether it is done.">
      <ErasuresTable
        clock={{ now: new Date(), timeZone: project.timeZone }}
        erasures={erasures.found.map(({ numbers, projectId: _, ...erasure }) => ({
          ...erasure,
          person: numbers[0] ?? '',
        }))}
      />
    </Panel>
  )
}
