import type { Metadata } from 'next'
import { requireRight } from '#projects/access'
import { DescriptionList } from '#ui/DescriptionList'
import { Panel } from '#ui/page/Panel'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { getCollection, getProduct } from '#studio/product'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { CheckNow } from './CheckNow'
import { examineSystem, versions } from './examine'
import { HealthPanel } from './HealthPanel'

export const metadata: Metadata = { title: 'System' }

export async function SystemPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer } = await openProject((await params).project)
  const examination = await tryRead(async () => {
    requireRight('audit:read', project.id, viewer)
    const backups = await getProduct().backups.read(project.id, viewer)
    return { examination: await examineSystem(), backups }
  })
  if (!examination.allowed) return <NotAllowed why={examination.why} />

  const clock = { now: examination.found.examination.at, timeZone: project.timeZone }
  return (
    <>
      <HealthPanel
        examination={examination.found.examination}
        backups={examination.found.backups}
        collection={getCollection()}
        clock={clock}
        actions={<CheckNow slug={project.slug} />}
      />
      <Panel title="Versions">
        <DescriptionList facts={versions.map(([term, value]) => ({ term, value, mono: true }))} />
      </Panel>
    </>
  )
}
