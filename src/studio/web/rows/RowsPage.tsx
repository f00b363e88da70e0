import type { Metadata } from 'next'
import { type DimensionName, isDimensionName, wordsOf } from '#insights/text/dimension-words'
import { number } from '#ui/format'
import { LinkButton } from '#ui/LinkButton'
import { PagePagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { paths, type WebSearch } from '#studio/paths'
import type { Panel as AnswerPanel } from '#insights/kinds/breakdown/answer'
import { isOfPath, suggestedGroups } from '#insights/text/page-groups'
import { TextLink } from '#ui/Anchor'
import {
  askWithMargin,
  maxRows,
  openWeb,
  rowsQuery,
  type WebContext,
  type WebPageProps,
} from '../web-queries'
import { NotAnswered } from '../NotAnswered'
import { periodLabel } from '../periods'
import { searchOf } from '../web-query'
import { Rows } from '../Rows'
import { WebFrame } from '../WebFrame'
import { sortKeys } from '../row-columns'
import { RowsSearch } from './RowsSearch'
import type { RowSort, SortableBy } from '#insights/kinds/breakdown/schema'
import type { Sort } from '#ui/table/column'
import type { SearchParams } from '#studio/search-params'

export const metadata: Metadata = { title: 'Web analytics' }

const rowsOnAPage = 100

/** All rows of one panel, to be searched and gone through. */
export async function RowsPage(props: WebPageProps) {
  const [web, searchParams] = await Promise.all([openWeb(props), props.searchParams])
  const dimension = dimensionIn(searchParams.of)
  const search = textIn(searchParams.find)
  const page = Math.max(1, Math.trunc(Number(textIn(searchParams.page) ?? 1)) || 1)
  const { slug } = web.project
  const sortable = sortKeys(dimension, web.goal !== undefined)
  const sort = sortIn(searchParams, sortable)
  const asked = [...searchOf(web.question), ['of', dimension] as const]
  const state = [...asked, ...sortPairs(sort)]
  const found = search ? [['find', search] as const] : []
  const query = rowsQuery(web, dimension, {
    limit: rowsOnAPage,
    offset: (page - 1) * rowsOnAPage,
    search,
    ...(sort && { sort }),
  })
  const outcome = await askWithMargin(web, query)
  const { plural } = wordsOf(dimension)
  const panel = outcome.done ? outcome.answer.panels[0] : undefined
  const pages = Math.ceil((panel?.valuesInAll ?? 0) / rowsOnAPage)
  const at = (wanted: number) => paths.webView(slug, 'rows', [...state, ...found, ['page', `${wanted}`]])

  return (
    <WebFrame
      web={web}
      view="rows"
      title={`All ${plural}`}
      actions={
        <RowsActions
          web={web}
          csv={rowsQuery(web, dimension, { limit: maxRows, search, ...(sort && { sort }) })}
          plural={plural}
        />
      }
    >
      <RowsSearch slug={slug} state={state} search={search ?? ''} plural={plural} />
      <Panel
        flush
        title={periodLabel(web.question.period)}
        description={panel && <RowCount panel={panel} web={web} plural={plural} />}
      >
        {outcome.done ? (
          panel && (
            <Rows
              panel={panel}
              web={web}
              isFull
              approximate={outcome.approximate}
              sort={headSort(sort)}
              sortHref={(next) =>
                paths.webView(slug, 'rows', [...asked, ...sortPairs(rowSort(next, sortable)), ...found])
              }
            />
          )
        ) : (
          <NotAnswered problems={outcome.problems} />
        )}
      </Panel>
      {pages > 1 && <PagePagination label={`Pages of ${plural}`} page={page} pages={pages} href={at} />}
    </WebFrame>
  )
}

interface RowsActionsProps {
  web: WebContext
  csv: ReturnType<typeof rowsQuery>
  plural: string
}

const RowsActions = ({ web: { project, question }, csv, plural }: RowsActionsProps) => (
  <>
    <LinkButton href={paths.web(project.slug, searchOf(question))}>Back to the overview</LinkButton>
    <LinkButton href={paths.answerFile(project.slug, 'csv', csv, plural)} download>
      Download CSV
    </LinkButton>
  </>
)

const RowCount = ({ panel, web, plural }: { panel: AnswerPanel; web: WebContext; plural: string }) => (
  <>
    {number(panel.valuesInAll)} {plural}
    {hasSimilarPaths(panel, web) && (
      <>
        {' · '}
        <TextLink href={paths.analyticsSettings(web.project.slug)}>
          Group pages that differ only by ids
        </TextLink>
      </>
    )}
  </>
)

/** Whether pages that are listed one by one could be a group of the settings. */
const hasSimilarPaths = ({ dimension, rows }: AnswerPanel, { pageGroups, question }: WebContext): boolean =>
  isOfPath(wordsOf(dimension).key) &&
  !question.singlePages &&
  suggestedGroups(
    rows.flatMap(({ value }) => value ?? []),
    pageGroups,
  ).length > 0

const textIn = (value: string | string[] | undefined): string | undefined =>
  (typeof value === 'string' ? value : value?.[0]) || undefined

function dimensionIn(value: string | string[] | undefined): DimensionName {
  const name = textIn(value) ?? ''
  return isDimensionName(name) ? name : 'page'
}

/** The most visitors first. */
const usual: RowSort = { by: 'visitors', direction: 'descending' }

/** Reads the sort of an address; undefined for the usual one and for what these rows do not have. */
export function sortIn({ sort, direction }: SearchParams, known: readonly SortableBy[]): RowSort | undefined {
  const by = known.find((one) => one === sort)
  return by && { by, direction: direction === 'ascending' ? 'ascending' : 'descending' }
}

export function sortPairs(sort: RowSort | undefined): WebSearch {
  if (!sort || (sort.by === usual.by && sort.direction === usual.direction)) return []
  const isAscending = sort.direction === 'ascending'
  return [['sort', sort.by], ...(isAscending ? [['direction', sort.direction] as const] : [])]
}

/** A list of bars has its own names for its first columns. */
export function headSort({ by, direction }: RowSort = usual): Sort {
  const heads: Partial<Record<SortableBy, string>> = {
    value: 'label',
    visitors: 'value',
    events: 'second',
    conversionRate: 'second',
  }
  return { by: heads[by] ?? by, direction }
}

export function rowSort({ by, direction }: Sort, known: readonly SortableBy[]): RowSort {
  const found = known.find((one) => headSort({ by: one, direction }).by === by)
  return { by: found ?? usual.by, direction }
}
