import type { Metadata } from 'next'
import { LinkButton } from '#ui/LinkButton'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { FlagTabs } from '../FlagTabs'
import { EnvironmentsTable } from './EnvironmentsTable'
import { NewEnvironment } from './NewEnvironment'

export const metadata: Metadata = { title: 'Environments' }

/** The environments of a project, in which its flags have different settings. */
export async function EnvironmentsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { flags } = getProduct()
  const { environments } = flags
  const listed = await tryRead(() => environments.list(project.id, viewer))
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
      description="The same flags with different settings, for staging or for each customer."
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Flags', href: paths.flags(slug) },
      ]}
      tabs={<FlagTabs slug={slug} current="environments" />}
      actions={
        <>
          {rows.length > 1 && <LinkButton href={paths.compareEnvironments(slug)}>Compare</LinkButton>}
          <NewEnvironment slug={slug} whyNot={whyNot('flags:write', role)} />
        </>
      }
    >
      <Panel flush footer="SDKs choose an environment by its write key. Their events belong to this project.">
        <EnvironmentsTable slug={slug} rows={rows} whyNot={whyNot('keys:write', role)} />
      </Panel>
    </Page>
  )
}
