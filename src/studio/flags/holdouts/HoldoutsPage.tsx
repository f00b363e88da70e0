import type { Metadata } from 'next'
import type { Flag } from '#flags/flag'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { FlagTabs } from '../FlagTabs'
import { HoldoutForm } from './HoldoutForm'
import { HoldoutsTable } from './HoldoutsTable'
import { LayerForm } from './LayerForm'
import { LayersTable } from './LayersTable'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Holdouts' }

/** Lists holdouts and layers. */
export async function HoldoutsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { flags } = getProduct()
  const { holdouts, layers } = flags
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
  const layerRows = (await layers.list(project.id, viewer)).map(({ id, name }) => ({
    id,
    name,
    slices: slicesOf(all, id),
  }))
  const createLayer = <LayerForm slug={slug} whyNot={reason} />
  const create = <HoldoutForm slug={slug} whyNot={reason} />
  return (
    <Page
      title="Holdouts"
      description="A share of people without new features, to measure the effect of all features together."
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
          clock={clockOf({ timeZone })}
          whyNot={reason}
          create={create}
        />
      </Panel>
      <Panel
        flush
        title="Layers"
        description="Mutually exclusive flags, so that experiments do not affect each other."
        actions={layerRows.length > 0 ? createLayer : undefined}
      >
        <LayersTable slug={slug} rows={layerRows} whyNot={reason} create={createLayer} />
      </Panel>
    </Page>
  )
}

/** The slices that flags take of a layer, in their order. */
const slicesOf = (flags: readonly Flag[], layerId: number) =>
  flags
    .flatMap(({ key, environments }) =>
      Object.entries(environments).flatMap(([environment, { layer }]) =>
        layer?.id === layerId ? [{ flag: key, environment, from: layer.from, until: layer.until }] : [],
      ),
    )
    .toSorted((one, other) => one.environment.localeCompare(other.environment) || one.from - other.from)
