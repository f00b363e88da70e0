import type { Metadata } from 'next'
import { requireRight } from '../../../../../../../projects/access'
import { DescriptionList } from '../../../../../../../ui/DescriptionList'
import { Panel } from '../../../../../../../ui/Panel'
import { NotAllowed } from '../../../../../NotAllowed'
import { openProject } from '../../../../../open-project'
import { reading } from '../../../../../refusals'
import { CheckNow } from './CheckNow'
import { examine, versions } from './examine'
import { HealthPanel } from './HealthPanel'

export const metadata: Metadata = { title: 'System' }

export default async function SystemPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer } = await openProject((await params).project)
  const seen = await reading(async () => {
    requireRight('audit:read', project.id, viewer)
    return await examine()
  })
  if (!seen.allowed) return <NotAllowed why={seen.why} />

  const clock = { now: seen.found.at, timeZone: project.timeZone }
  return (
    <>
      <HealthPanel examination={seen.found} clock={clock} actions={<CheckNow slug={project.slug} />} />
      <Panel title="Versions">
        <DescriptionList facts={versions.map(([term, value]) => ({ term, value, mono: true }))} />
      </Panel>
    </>
  )
}
