'use client'

import type { ReactNode } from 'react'
import { Bell, Download } from 'lucide-react'
import { useAddressParameters } from '#ui/navigation/Navigation'
import { Combobox } from '#ui/form/Combobox'
import { LinkTabs } from '#ui/page/LinkTabs'
import { download } from '#studio/parts/download'
import { paths } from '#studio/paths'
import { FilterEditor } from '#studio/filters/FilterEditor'
import { SearchBox } from '#studio/parts/SearchBox'
import { StudioPickers } from '#studio/insights/pickers'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Menu } from '#ui/overlay/Menu'
import type { SurveyAlert } from './alert-drafts'
import { BreakdownPicker } from './BreakdownPicker'
import { inAddress, type ResultsFilter } from './results-filter'
import { resultPeriods } from './result-periods'

const addresses = { results: paths.surveyResults, responses: paths.surveyResponses }

/** The filters of results and responses; all of them stand in the address. */
export function ResultsFilters({
  view,
  slug,
  survey,
  filter: answered,
  tags,
  alerts = [],
  cards,
}: {
  view: keyof typeof addresses
  slug: string
  survey: string
  filter: ResultsFilter
  /** The tags that responses to the survey have. */
  tags: readonly string[]
  alerts?: readonly SurveyAlert[]
  /** The button that adds results to a dashboard. */
  cards?: ReactNode
}) {
  const addressOf = (next: ResultsFilter) => addresses[view](slug, survey, inAddress(next))
  const [listFilter, ask] = useAddressParameters(answered, addressOf)
  const hrefOf = (changed: Partial<ResultsFilter>) => addressOf({ ...listFilter, ...changed })
  return (
    <search aria-label="Filters" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <LinkTabs
            label="Date range"
            look="segment"
            tabs={resultPeriods.map(({ value, label }) => ({
              label,
              href: hrefOf({ period: value }),
              current: value === listFilter.period,
            }))}
          />
          <WhichResponses filter={listFilter} hrefOf={hrefOf} hasRemoved={view === 'responses'} />
        </div>
        <div className="flex flex-wrap gap-2">
          {cards}
          {alerts.length > 0 && <AlertMenu slug={slug} survey={survey} alerts={alerts} />}
          <ExportMenu slug={slug} survey={survey} filter={listFilter} />
        </div>
      </div>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-start gap-2">
          <SearchAndTag filter={listFilter} tags={tags} ask={ask} />
          <FilterEditor
            value={listFilter.filter}
            onChange={(filter) => ask({ filter })}
            projectSlug={slug}
            of={['person', 'event', 'group', 'cohort']}
            event="survey sent"
            label="Filters"
          />
        </div>
        {view === 'results' && (
          <StudioPickers slug={slug}>
            <BreakdownPicker value={listFilter.breakdown} onChange={(breakdown) => ask({ breakdown })} />
          </StudioPickers>
        )}
      </div>
    </search>
  )
}

function SearchAndTag({
  filter: { search, tag },
  tags,
  ask,
}: {
  filter: ResultsFilter
  tags: readonly string[]
  ask: (changed: Partial<ResultsFilter>) => void
}) {
  return (
    <>
      <div className="w-full sm:w-52">
        <SearchBox
          label="Search answers"
          placeholder="Search answers"
          value={search ?? ''}
          onSearch={(next) => ask({ search: next || undefined })}
        />
      </div>
      {(tags.length > 0 || tag !== undefined) && (
        <div className="w-full sm:w-40">
          <Combobox
            aria-label="Tag"
            placeholder="All tags"
            options={tags.map((value) => ({ value, label: value }))}
            value={tag ?? null}
            onChange={(next) => ask({ tag: next ?? undefined })}
          />
        </div>
      )}
    </>
  )
}

function WhichResponses({
  filter,
  hrefOf,
  hasRemoved,
}: {
  filter: ResultsFilter
  hrefOf: (changed: Partial<ResultsFilter>) => string
  /** Whether responses that were taken out can be listed. */
  hasRemoved: boolean
}) {
  const { withTests, onlyRemoved } = filter
  const removed = {
    label: 'Removed',
    href: hrefOf({ withTests: true, onlyRemoved: true }),
    current: onlyRemoved,
  }
  return (
    <LinkTabs
      label="Shown responses"
      look="segment"
      tabs={[
        {
          label: 'Without tests',
          href: hrefOf({ withTests: false, onlyRemoved: false }),
          current: !withTests && !onlyRemoved,
        },
        {
          label: 'With tests',
          href: hrefOf({ withTests: true, onlyRemoved: false }),
          current: withTests && !onlyRemoved,
        },
        ...(hasRemoved ? [removed] : []),
      ]}
    />
  )
}

/** Leads to the form of an alert, filled in. */
function AlertMenu({
  slug,
  survey,
  alerts,
}: {
  slug: string
  survey: string
  alerts: readonly SurveyAlert[]
}) {
  return (
    <Menu
      align="end"
      trigger={<Button icon={<Icon of={Bell} />}>Alert</Button>}
      entries={alerts.map(({ label, when, question }) => ({
        kind: 'link',
        label,
        href: paths.newAlert(slug, { survey, when, ...(question !== undefined && { question }) }),
      }))}
    />
  )
}

const formats = [
  { format: 'xlsx', label: 'Spreadsheet (XLSX)' },
  { format: 'csv', label: 'Table (CSV)' },
  { format: 'json', label: 'Responses (JSON)' },
] as const

/** Downloads the responses that the page is narrowed to. */
function ExportMenu({ slug, survey, filter }: { slug: string; survey: string; filter: ResultsFilter }) {
  return (
    <Menu
      align="end"
      trigger={<Button icon={<Icon of={Download} />}>Export</Button>}
      entries={formats.map(({ format, label }) => ({
        label,
        // not a link: Next prefetches links, and an export would begin without a press
        onSelect: () => download(paths.surveyExport(slug, survey, format, inAddress(filter))),
      }))}
    />
  )
}
