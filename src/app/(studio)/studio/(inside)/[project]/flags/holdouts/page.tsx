import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { NotAllowed } from '#app/(studio)/NotAllowed'
import { openProject, whyNot } from '#app/(studio)/open-project'
import { tryRead } from '#app/(studio)/refusals'
import { FlagTabs } from '../FlagTabs'
import { HoldoutForm } from './HoldoutForm'
import { HoldoutsTable } from './HoldoutsTable'

export const metadata: Metadata = { title: 'Holdouts' }

/** Lists holdouts. */
export default async function HoldoutsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { holdouts, flags } = getProduct()
  const listed = await tryRead(() => holdouts.list(project.id, viewer))
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
      description="A share of people who get no new features, to measure the effect of all features together."
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
