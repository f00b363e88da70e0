'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { Combobox } from '#ui/form/Combobox'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { type InsightsFilter, paths } from '#studio/paths'
import { SearchBox } from '#studio/parts/SearchBox'
import { labelsFor } from './kinds'

const finding = { label: 'Find an insight', placeholder: 'Find by name, tag, folder' }

/** The filters of the list; all of them are in the address. */
export function InsightFilters({
  slug,
  filter: answered,
  folders,
  kinds,
}: {
  slug: string
  filter: InsightsFilter
  folders: readonly { folder: string; count: number }[]
  kinds: readonly string[]
}) {
  const [filter, ask] = useAddressParameters(answered, (next) => paths.insights(slug, next))
  const find = (next: string) => ask({ search: next || undefined })
  const { show, folder, kind, search } = filter

  return (
    <div className="flex flex-col gap-3">
      <LinkTabs
        label="Insights"
        tabs={[
          { href: paths.insights(slug), label: 'All', current: show === undefined },
          {
            href: paths.insights(slug, { show: 'favourites' }),
            label: 'Favourites',
            current: show === 'favourites',
          },
          {
            href: paths.insights(slug, { show: 'archived' }),
            label: 'Archived',
            current: show === 'archived',
          },
        ]}
      />
      <search className="flex flex-wrap items-center gap-2">
        <div className="w-full sm:w-64">
          <SearchBox {...finding} value={search ?? ''} onSearch={find} />
        </div>
        {folders.length > 0 && (
          <div className="w-full sm:w-52">
            <Combobox
              aria-label="Folder"
              placeholder="All folders"
              options={folders.map(({ folder: value, count }) => ({
                value,
                label: value,
                hint: String(count),
              }))}
              value={folder ?? null}
              onChange={(next) => ask({ folder: next ?? undefined })}
            />
          </div>
        )}
        <div className="w-full sm:w-44">
          <Combobox
            aria-label="Type"
            placeholder="All types"
            options={kinds.map((value) => ({ value, label: labelsFor(value).label }))}
            value={kind ?? null}
            onChange={(next) => ask({ kind: next ?? undefined })}
          />
        </div>
        {(folder || kind || search) && (
          <LinkButton href={paths.insights(slug, { show })} variant="quiet">
            Clear filters
          </LinkButton>
        )}
      </search>
    </div>
  )
}
