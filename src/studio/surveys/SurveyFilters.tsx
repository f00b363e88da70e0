'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { Combobox } from '#ui/form/Combobox'
import { LinkButton } from '#ui/LinkButton'
import { type SurveysFilter, paths } from '#studio/paths'
import { SearchBox } from '#studio/parts/SearchBox'
import { listedStates, placementLabels, statusLabels } from './list-filter'

const states = listedStates.map((value) => ({ value, label: statusLabels[value] }))
const placements = Object.entries(placementLabels).map(([value, label]) => ({ value, label }))

/** The filters of the list; all of them stand in the address. */
export function SurveyFilters({ slug, filter: answered }: { slug: string; filter: SurveysFilter }) {
  const [filter, ask] = useAddressParameters(answered, (next) => paths.surveys(slug, next))
  const { search, state, placement, show } = filter
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="w-full sm:w-52">
        <SearchBox
          label="Find a survey"
          placeholder="Search by name"
          value={search ?? ''}
          onSearch={(next) => ask({ search: next || undefined })}
        />
      </div>
      {show !== 'archived' && (
        <div className="w-[calc(50%-0.25rem)] sm:w-40">
          <Combobox
            aria-label="State"
            placeholder="All states"
            options={states}
            value={state ?? null}
            onChange={(next) => ask({ state: listedStates.find((one) => one === next) })}
          />
        </div>
      )}
      <div className="w-[calc(50%-0.25rem)] sm:w-44">
        <Combobox
          aria-label="Placement"
          placeholder="All placements"
          options={placements}
          value={placement ?? null}
          onChange={(next) => ask({ placement: next ?? undefined })}
        />
      </div>
      {(search ?? state ?? placement) && (
        <LinkButton href={paths.surveys(slug, { show })} variant="quiet">
          Clear filters
        </LinkButton>
      )}
    </search>
  )
}
