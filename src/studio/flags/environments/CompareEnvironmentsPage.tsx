import type { Metadata } from 'next'
import { type ComparedFlag, compareEnvironments } from '#flags/environment-comparison'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { type SearchParams, textOf } from '#studio/search-params'
import { namesIn } from '../editor/editor-choices'
import { FlagTabs } from '../FlagTabs'
import { environmentNames } from '../open-flag'
import { ComparisonChoice } from './compare/ComparisonChoice'
import { CopySetting } from './compare/CopySetting'

export const metadata: Metadata = { title: 'Compare environments' }

interface ComparePageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** The settings of every flag in two environments, side by side. */
export async function CompareEnvironmentsPage({ params, searchParams }: ComparePageProps) {
  const opened = await openProject((await params).project)
  const { project, viewer } = opened
  const { flags } = getProduct()
  const { cohorts } = getProduct().people
  const listed = await tryRead(() => flags.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const environments = await environmentNames(opened)
  const query = comparisonIn(await searchParams, environments)
  const { left, right, flag, show } = query
  const labels = namesIn({ cohorts: await cohorts.names(project.id, viewer) })
  const compared = compareEnvironments(listed.found, left, right, labels)
  const rows = compared
    .filter(({ key, isDifferent }) => (flag === undefined ? show === 'all' || isDifferent : key === flag))
    .toSorted((one, other) => one.key.localeCompare(other.key, 'en'))
  const { slug } = project
  return (
    <Page
      title="Compare environments"
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Flags', href: paths.flags(slug) },
        { label: 'Environments', href: paths.environments(slug) },
      ]}
      tabs={<FlagTabs slug={slug} current="environments" />}
    >
      <ComparisonChoice
        slug={slug}
        parameters={query}
        environments={environments}
        different={compared.filter(({ isDifferent }) => isDifferent).length}
        of={compared.length}
      />
      <Panel flush>
        <Table
          caption={`Flags in ${left} and ${right}`}
          columns={columnsFor(left, right)}
          rows={rows}
          rowKey={({ key }) => key}
          rowHref={({ key }) => paths.flag(slug, key)}
          actions={copyActionsFor({ slug, left, right, whyNot: whyNot('flags:write', opened.role) })}
          empty={<p className="px-4 py-10 text-center text-muted">No differences.</p>}
        />
      </Panel>
    </Page>
  )
}

/** Compares the main environment with the next one, if the address names no others. */
function comparisonIn({ left, right, flag, show }: SearchParams, environments: readonly string[]) {
  const known = (name: SearchParams[string]) => environments.find((one) => one === name)
  const first = known(left) ?? environments[0] ?? ''
  const second = known(right) ?? environments.find((name) => name !== first) ?? first
  return {
    left: first,
    right: second,
    flag: textOf(flag),
    show: show === 'all' ? ('all' as const) : undefined,
  }
}

const columnsFor = (left: string, right: string): TableColumn<ComparedFlag>[] => [
  {
    key: 'key',
    header: 'Flag',
    width: '30%',
    cell: ({ key, isDifferent }) => (
      <span className="flex flex-wrap items-center gap-2 py-1">
        <span className="font-mono text-xs font-medium wrap-anywhere">{key}</span>
        {isDifferent && <Badge tone="warning">Different</Badge>}
      </span>
    ),
  },
  { key: 'left', header: left, width: '35%', cell: (row) => <Setting of={row.left} /> },
  { key: 'right', header: right, width: '35%', cell: (row) => <Setting of={row.right} /> },
]

/** Copies between the compared environments; equal settings have none. */
const copyActionsFor =
  ({
    slug,
    left,
    right,
    whyNot: reason,
  }: Record<'slug' | 'left' | 'right', string> & { whyNot: string | undefined }) =>
  (row: ComparedFlag) =>
    row.isDifferent && (
      <CopySetting
        slug={slug}
        flagKey={row.key}
        version={row.version}
        copies={[
          { from: left, to: right, changes: row.right.changes },
          { from: right, to: left, changes: row.left.changes },
        ]}
        whyNot={reason}
      />
    )

function Setting({ of: { isOn, rules } }: { of: ComparedFlag['left'] }) {
  return (
    <span className="flex flex-col items-start gap-1 py-1.5 whitespace-normal">
      <Badge tone={isOn ? 'success' : 'neutral'} dot>
        {isOn ? 'On' : 'Off'}
      </Badge>
      {rules.length === 0 ? (
        <span className="text-muted">No rules</span>
      ) : (
        rules.map((rule) => (
          <span key={rule} className="text-pretty wrap-anywhere">
            {rule}
          </span>
        ))
      )}
    </span>
  )
}
