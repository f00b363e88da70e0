import type { Metadata } from 'next'
import { Page } from '../../../../../../../ui/Page'
import { Panel } from '../../../../../../../ui/Panel'
import { paths } from '../../../../../../paths'
import { getProduct } from '../../../../../../product'
import { NotAllowed } from '../../../../../NotAllowed'
import { openProject, whyNot } from '../../../../../open-project'
import { reading } from '../../../../../refusals'
import { FlagTabs } from '../FlagTabs'
import { EnvironmentsTable } from './EnvironmentsTable'
import { NewEnvironment } from './NewEnvironment'

export const metadata: Metadata = { title: 'Environments' }

/** Where the same flags are set differently. */
export default async function EnvironmentsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { environments, flags } = getProduct()
  const listed = await reading(() => environments.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug } = project
  const all = await flags.list(project.id, viewer)
  const rows = listed.found.map(({ name, writeKey }) => ({
    name,
    writeKey,
    on: all.filter(({ archivedAt, environments: set }) => !archivedAt && set[name]?.isOn).length,
  }))
  return (
    <Page
      title="Environments"
      description="The same flags, set differently: for trying out, for each customer, for each stage."
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Flags', href: paths.flags(slug) },
      ]}
      tabs={<FlagTabs slug={slug} current="environments" />}
      actions={<NewEnvironment slug={slug} whyNot={whyNot('flags:write', role)} />}
    >
      <Panel
        flush
        footer="SDKs choose an environment by its write key. What they send through it belongs to this project, too."
      >
        <EnvironmentsTable slug={slug} rows={rows} whyNot={whyNot('keys:write', role)} />
      </Panel>
    </Page>
  )
}
