import type { Metadata } from 'next'
import { Page } from '../../../../../../../ui/Page'
import { Panel } from '../../../../../../../ui/Panel'
import { paths } from '../../../../../../paths'
import { getProduct } from '../../../../../../product'
import { NotAllowed } from '../../../../../NotAllowed'
import { openProject, whyNot } from '../../../../../open-project'
import { reading } from '../../../../../refusals'
import { FlagTabs } from '../FlagTabs'
import { HoldoutForm } from './HoldoutForm'
import { HoldoutsTable } from './HoldoutsTable'

export const metadata: Metadata = { title: 'Holdouts' }

/** People to whom nothing new is shown. */
export default async function HoldoutsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { holdouts, flags } = getProduct()
  const listed = await reading(() => holdouts.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, timeZone } = project
  const all = await flags.list(project.id, viewer)
  const reason = whyNot('flags:write', role)
  const rows = listed.found.map(({ id, name, percentage, createdBy, createdAt }) => ({
    id,
    name,
    percentage,
    createdBy,
    createdAt,
    flags: all
      .filter(({ environments }) => Object.values(environments).some(({ holdout }) => holdout?.id === id))
      .map(({ key }) => key),
  }))
  const create = <HoldoutForm slug={slug} whyNot={reason} />
  return (
    <Page
      title="Holdouts"
      description="A share of people to whom nothing new is shown, so that all of it together can be measured against them."
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Flags', href: paths.flags(slug) },
      ]}
      tabs={<FlagTabs slug={slug} current="holdouts" />}
      actions={rows.length > 0 ? create : undefined}
    >
      <Panel flush>
        <HoldoutsTable
          slug={slug}
          rows={rows}
          clock={{ now: new Date(), timeZone }}
          whyNot={reason}
          create={create}
        />
      </Panel>
    </Page>
  )
}
