'use client'

import { ListFilter } from 'lucide-react'
import { useAddressParameters } from '#ui/navigation/Navigation'
import { useState } from 'react'
import type { Filter } from '#filters/filter'
import type { CohortName } from '#persons/cohort'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Select } from '#ui/form/Select'
import { type PeopleFilter, paths } from '#studio/paths'
import { FilterEditor } from '#studio/filters/FilterEditor'
import { SearchBox } from '#studio/parts/SearchBox'
import { ColumnPicker } from './ColumnPicker'
import { columnsText } from './columns'
import { type SavedList, SavedLists } from './SavedLists'
import { isNarrowed, periods, usualPeriod } from './list-filter'

const finding = {
  label: 'Search by name, e-mail, id, place or any property',
  placeholder: 'Name, e-mail, id, place…',
}

const ofPersons = ['person', 'cohort'] as const

/** The address holds the filters, so that they can be shared and undone with Back. */
export function PersonsFilters({
  slug,
  listFilter: answered,
  filter,
  cohorts,
  columns,
  lists,
  whyNot,
}: {
  slug: string
  listFilter: PeopleFilter
  filter: Filter | undefined
  cohorts: readonly CohortName[]
  columns: readonly string[]
  lists: readonly SavedList[]
  /** Why lists cannot be saved; undefined if they can. */
  whyNot: string | undefined
}) {
  const [isOpen, setOpen] = useState(filter !== undefined)
  const [listFilter, ask] = useAddressParameters(
    answered,
    (next) => paths.people(slug, { ...next, page: undefined }),
    { by: 'push' },
  )

  return (
    <search className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="w-full sm:w-72">
          <SearchBox
            {...finding}
            value={listFilter.search ?? ''}
            // each pause in typing would add a step to go back through
            onSearch={(search) => ask({ search: search || undefined }, 'replace')}
          />
        </div>
        <Select
          fit
          lead="Seen"
          aria-label="Seen"
          options={periods}
          value={periods.find(({ value }) => value === listFilter.period)?.value ?? usualPeriod}
          onChange={(period) => ask({ period })}
        />
        {cohorts.length > 0 && <CohortFilter cohort={listFilter.cohort} cohorts={cohorts} ask={ask} />}
        <Button
          icon={<Icon of={ListFilter} />}
          aria-expanded={isOpen}
          onClick={() => setOpen((before) => !before)}
        >
          Filter
        </Button>
        <ColumnPicker
          slug={slug}
          columns={columns}
          onChoose={(chosen) => ask({ columns: columnsText(chosen) })}
        />
        <SavedLists slug={slug} question={listFilter} lists={lists} whyNot={whyNot} />
        {isNarrowed(listFilter) && <ClearFilters slug={slug} columns={listFilter.columns} />}
      </div>
      {isOpen && (
        <Panel>
          <FilterEditor
            value={filter}
            onChange={(next) => ask({ filter: next && JSON.stringify(next) })}
            projectSlug={slug}
            of={ofPersons}
          />
        </Panel>
      )}
    </search>
  )
}

type AskPersons = (changed: PeopleFilter) => void

function CohortFilter({
  cohort,
  cohorts,
  ask,
}: {
  cohort: string | undefined
  cohorts: readonly CohortName[]
  ask: AskPersons
}) {
  return (
    <div className="w-full sm:w-52">
      <Combobox
        aria-label="Cohort"
        placeholder="All cohorts"
        options={cohorts.map(({ id, name }) => ({ value: id, label: name }))}
        value={cohort ?? null}
        onChange={(next) => ask({ cohort: next ?? undefined })}
      />
    </div>
  )
}

const ClearFilters = ({ slug, columns }: { slug: string; columns: string | undefined }) => (
  <LinkButton href={paths.people(slug, { columns })} variant="quiet">
    Clear filters
  </LinkButton>
)
