'use client'

import { ListFilter, Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Filter } from '#filters/filter'
import type { CohortName } from '#persons/cohort'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { type PeopleQuestion, paths } from '#app/paths'
import { FilterEditor } from '#app/(studio)/filters/FilterEditor'
import { periods } from './question'

const ofPersons = ['person', 'cohort'] as const

/** The address holds the filters, so that they can be shared and undone with Back. */
export function PersonsFilters({
  slug,
  question,
  filter,
  cohorts,
}: {
  slug: string
  question: PeopleQuestion
  filter: Filter | undefined
  cohorts: readonly CohortName[]
}) {
  const router = useRouter()
  const [isOpen, setOpen] = useState(filter !== undefined)
  const ask: AskPersons = (changed) =>
    router.push(paths.people(slug, { ...question, page: undefined, ...changed }))

  return (
    <search className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <PersonSearch search={question.search} ask={ask} />
        <Select
          fit
          lead="Seen"
          aria-label="Seen"
          options={periods}
          value={periods.find(({ value }) => value === question.period)?.value ?? '30d'}
          onChange={(period) => ask({ period })}
        />
        {cohorts.length > 0 && <CohortFilter cohort={question.cohort} cohorts={cohorts} ask={ask} />}
        <Button
          icon={<Icon of={ListFilter} />}
          aria-expanded={isOpen}
          onClick={() => setOpen((before) => !before)}
        >
          Filter
        </Button>
        {isNarrowed(question) && (
          <LinkButton href={paths.people(slug)} variant="quiet">
            Show everybody
          </LinkButton>
        )}
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

type AskPersons = (changed: PeopleQuestion) => void

function PersonSearch({ search, ask }: { search: string | undefined; ask: AskPersons }) {
  const [typed, setTyped] = useState(search ?? '')

  return (
    <form
      className="w-full sm:w-72"
      onSubmit={(event) => {
        event.preventDefault()
        ask({ search: typed || undefined })
      }}
    >
      <TextInput
        type="search"
        aria-label="Find by name, e-mail, id or any property"
        placeholder="Name, e-mail, id or any property"
        icon={<Icon of={Search} />}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </form>
  )
}

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
        placeholder="Any cohort"
        options={cohorts.map(({ id, name }) => ({ value: id, label: name }))}
        value={cohort ?? null}
        onChange={(next) => ask({ cohort: next ?? undefined })}
      />
    </div>
  )
}

const isNarrowed = ({ search, filter, cohort, period }: PeopleQuestion): boolean =>
  [search, filter, cohort, period].some(Boolean)
