import { Flag as FlagIcon, Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import type { Flag } from '#flags/flag'
import { rolloutInWords } from '#flags/words'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { type FlagsFilter, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { installationAddress } from '#studio/connect/address'
import type { SearchParams } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'
import { number, plural } from '#ui/format'
import { namesIn } from './editor/editor-choices'
import { figuresOf, type FlagListFigures } from './figures'
import { FlagFilters } from './FlagFilters'
import { type FlagRow, FlagsTable } from './FlagsTable'
import { FlagTabs } from './FlagTabs'
import { ImportFlags } from './ImportFlags'
import { environmentIn, environmentNames } from './open-flag'
import { flagsFilterIn, filterFlags } from './list-filter'

export const metadata: Metadata = { title: 'Flags' }

interface FlagsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** Lists the flags of the project and their state. */
export async function FlagsPage({ params, searchParams }: FlagsPageProps) {
  const opened = await openProject((await params).project)
  const { project, viewer, role } = opened
  const filter = flagsFilterIn(await searchParams)
  const listed = await tryRead(() => getProduct().flags.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name } = project
  const isArchive = filter.show === 'archived'
  const ofView = listed.found.filter(({ archivedAt }) => (archivedAt !== undefined) === isArchive)
  const reason = whyNot('flags:write', role)
  const environments = await environmentNames(opened)
  return (
    <Page
      title={isArchive ? 'Archived flags' : 'Flags'}
      description={isArchive ? 'Archived flags can be restored.' : undefined}
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={<FlagTabs slug={slug} current={isArchive ? 'archived' : 'flags'} />}
      actions={
        !isArchive && (
          <>
            <ImportFlags slug={slug} whyNot={reason} />
            <LinkButton href={paths.newFlag(slug)} variant="primary" icon={<Icon of={Plus} />}>
              New flag
            </LinkButton>
          </>
        )
      }
    >
      {ofView.length === 0 ? (
        <NoFlags isArchive={isArchive} slug={slug} writeKey={project.writeKey} />
      ) : (
        <>
          <FlagFilters
            slug={slug}
            filter={filter}
            environments={environments}
            tags={[...new Set(ofView.flatMap(({ tags }) => tags))].toSorted()}
          />
          <Panel flush>
            <FlagsSection
              opened={opened}
              flags={listed.found}
              filter={filter}
              environments={environments}
              whyNot={reason}
            />
          </Panel>
        </>
      )}
    </Page>
  )
}

/** The most environments with a switch in the list: more would leave no room for the flags' names. */
const mostSwitches = 3

interface FlagsSectionProps {
  opened: Opened
  flags: readonly Flag[]
  filter: FlagsFilter
  environments: readonly string[]
  whyNot: string | undefined
}

async function FlagsSection({ opened, flags, filter, environments, whyNot: reason }: FlagsSectionProps) {
  const { project, viewer } = opened
  const environment = environmentIn(filter.environment, environments)
  const names = namesIn({ cohorts: await getProduct().people.cohorts.names(project.id, viewer) })
  const rows = filterFlags(flags, filter, environment).map((flag) => rowOf(flag, environment, names))
  const table = {
    slug: project.slug,
    clock: clockOf(project),
    environments: filter.environment ? [environment] : environments.slice(0, mostSwitches),
    whyNot: reason,
  }

  if (filter.show === 'archived') return <FlagsTable {...table} rows={rows} isCounting={false} />
  return (
    <Suspense key={JSON.stringify(filter)} fallback={<FlagsTable {...table} rows={rows} isCounting />}>
      <FlagsWithFigures
        table={table}
        rows={rows}
        figures={figuresOf(project.id, flags, environment, viewer)}
        staleOnly={filter.state === 'stale'}
      />
    </Suspense>
  )
}

const rowOf = (flag: Flag, environment: string, names: ReturnType<typeof namesIn>): FlagRow => ({
  key: flag.key,
  description: flag.description,
  tags: flag.tags,
  owner: flag.owner,
  isArchived: flag.archivedAt !== undefined,
  isOn: Object.fromEntries(Object.entries(flag.environments).map(([name, { isOn }]) => [name, isOn])),
  rollout: rolloutInWords(flag.kind, flag.environments[environment], names),
  rollouts: Object.fromEntries(
    Object.entries(flag.environments).map(([name, setting]) => [
      name,
      rolloutInWords(flag.kind, setting, names),
    ]),
  ),
  figures: undefined,
})

/** The list with counts from the engine, which knows only flags that were requested. */
async function FlagsWithFigures({
  table,
  rows,
  figures,
  staleOnly,
}: {
  table: Omit<Parameters<typeof FlagsTable>[0], 'rows' | 'isCounting'>
  rows: readonly FlagRow[]
  figures: Promise<FlagListFigures | undefined>
  staleOnly: boolean
}) {
  const found = await figures
  const counted = rows.map((row) => ({ ...row, figures: found?.byKey.get(row.key) }))
  const shown = staleOnly ? counted.filter((row) => row.figures?.stale) : counted
  return (
    <>
      <FlagsTable {...table} rows={shown} isCounting={false} />
      <UnknownFlags flags={found?.unknownFlags ?? []} />
    </>
  )
}

async function NoFlags({
  isArchive,
  slug,
  writeKey,
}: {
  isArchive: boolean
  slug: string
  writeKey: string
}) {
  if (isArchive)
    return (
      <Panel>
        <EmptyMessage
          icon={<Icon of={FlagIcon} size="lg" />}
          title="No archived flags"
          body="Archive flags you no longer need from their menu."
          action={<LinkButton href={paths.flags(slug)}>All flags</LinkButton>}
        />
      </Panel>
    )
  const address = await installationAddress()
  return (
    <Panel>
      <div className="grid items-center gap-x-8 lg:grid-cols-2">
        <EmptyMessage
          icon={<Icon of={FlagIcon} size="lg" />}
          title="No flags yet"
          body="Roll out features gradually, target by property or cohort, and change values without a release."
          action={
            <>
              <LinkButton href={paths.newFlag(slug)} variant="primary">
                Create flag
              </LinkButton>
              <LinkButton href={paths.newFlag(slug, { kind: 'config' })}>Create remote config</LinkButton>
            </>
          }
        />
        <div className="pb-6 lg:py-6">
          <CodeBlock
            title="Then evaluate it in code"
            language="JavaScript"
            code={`import posthog from 'posthog-js'

posthog.init('${writeKey}', {
  api_host: '${address}',
})
posthog.onFeatureFlags(() => {
  if (posthog.isFeatureEnabled('new-checkout')) {
    // what it turns on
  }
})`}
          />
        </div>
      </div>
    </Panel>
  )
}

const maxShown = 10

/** Flags that code requests and that do not exist: misspelt, or not created yet. */
function UnknownFlags({ flags }: { flags: readonly { key: string; persons: number }[] }) {
  if (flags.length === 0) return null
  return (
    <p className="border-t border-line px-4 py-2.5 text-xs text-pretty text-muted">
      Code also evaluates flags that do not exist:{' '}
      {flags.slice(0, maxShown).map(({ key, persons }, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <span className="font-mono text-ink">{key}</span> ({plural(persons, 'person', 'people')})
        </span>
      ))}
      {flags.length > maxShown && ` and ${number(flags.length - maxShown)} more`}.
    </p>
  )
}
