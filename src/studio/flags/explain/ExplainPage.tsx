import type { Metadata } from 'next'
import { Suspense } from 'react'
import { reasonCodes } from '#flags/decision'
import type { Explanation } from '#flags/explain'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { Table } from '#ui/table/Table'
import { type ExplainParameters, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { type Opened, openProject } from '#studio/parts/open-project'
import type { SearchParams } from '#studio/search-params'
import { FlagTabs } from '../FlagTabs'
import { environmentIn, environmentNames } from '../open-flag'
import { ExplainForm } from './ExplainForm'
import { explainRequestOf, explainParametersIn } from './parameters'
import { flagValueLabel } from './value-label'

export const metadata: Metadata = { title: 'Explain' }

interface ExplainAllPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** The value of every flag for one visitor, and why. */
export async function ExplainPage({ params, searchParams }: ExplainAllPageProps) {
  const opened = await openProject((await params).project)
  const { slug, name } = opened.project
  const parameters = explainParametersIn(await searchParams)
  const environments = await environmentNames(opened)
  const environment = environmentIn(parameters.environment, environments)

  return (
    <Page
      title="Explain"
      description="The value of every flag for one visitor, and why."
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Flags', href: paths.flags(slug) },
      ]}
      tabs={<FlagTabs slug={slug} current="explain" />}
    >
      <div className={parameters.visitor === undefined ? 'max-w-xl' : besideForm}>
        <Panel title="Visitor">
          <ExplainForm slug={slug} parameters={{ ...parameters, environment }} environments={environments} />
        </Panel>
        {parameters.visitor !== undefined && (
          <Panel flush>
            <Suspense key={JSON.stringify(parameters)} fallback={<Skeleton className="m-4 h-64" />}>
              <AllFlagsExplained opened={opened} parameters={parameters} environment={environment} />
            </Suspense>
          </Panel>
        )}
      </div>
    </Page>
  )
}

const besideForm = 'grid items-start gap-5 lg:grid-cols-[20rem_minmax(0,1fr)]'

interface ExplainedRow {
  key: string
  explanation: Explanation | undefined
  trouble: string | undefined
}

const columns: TableColumn<ExplainedRow>[] = [
  {
    key: 'key',
    header: 'Flag',
    truncate: true,
    cell: ({ key }) => <span className="font-mono text-xs font-medium">{key}</span>,
  },
  {
    key: 'value',
    header: 'Value',
    cell: ({ explanation }) =>
      explanation ? (
        <Badge tone={explanation.decision.value === false ? 'neutral' : 'success'}>
          {flagValueLabel(explanation.decision.value, explanation.decision.flag.kind)}
        </Badge>
      ) : (
        '–'
      ),
  },
  {
    key: 'why',
    header: 'Why',
    wideOnly: true,
    cell: ({ explanation, trouble }) => (
      <span className="block min-w-48 text-pretty text-muted">
        {explanation ? reasonCodes[explanation.decision.reason.code] : trouble}
      </span>
    ),
  },
]

async function AllFlagsExplained({
  opened: { project, viewer },
  parameters,
  environment,
}: {
  opened: Opened
  parameters: ExplainParameters
  environment: string
}) {
  const { flags } = getProduct()
  const live = (await flags.list(project.id, viewer)).filter(({ archivedAt }) => !archivedAt)
  const request = explainRequestOf(parameters, environment)
  const rows = await Promise.all(
    live.map(async ({ key }): Promise<ExplainedRow> => {
      const answer = await flags.explain(project.id, key, request, viewer)
      return answer.done
        ? { key, explanation: answer.explanation, trouble: undefined }
        : { key, explanation: undefined, trouble: answer.problems.map(({ message }) => message).join(' ') }
    }),
  )
  const [first] = rows
  if (first?.trouble !== undefined && rows.every(({ trouble }) => trouble === first.trouble))
    return <FailedMessage title="The evaluation failed" body={first.trouble} />

  return (
    <Table
      caption={`What ${parameters.visitor} gets`}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      rowHref={({ key }) => paths.flag(project.slug, key, 'explain', { ...parameters, environment })}
      empty={<EmptyMessage title="No flags yet" body="Create a flag, then see here who gets it." />}
    />
  )
}
