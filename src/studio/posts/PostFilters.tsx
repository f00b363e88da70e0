'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { Combobox } from '#ui/form/Combobox'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import type { PostState } from '#posts/post'
import { type PostsFilter, paths } from '#studio/paths'
import { SearchBox } from '#studio/parts/SearchBox'
import { states } from './list-filter'
import { stateLabel } from './StateBadge'

interface PostFiltersProps {
  slug: string
  kind: 'post' | 'page'
  filter: PostsFilter
  counts: Readonly<Record<PostState | 'all', number>>
  tags: readonly string[]
}

/** The filters of the list; all of them are in the address. */
export function PostFilters({ slug, kind, filter: answered, counts, tags }: PostFiltersProps) {
  const addressOf = (next: PostsFilter) => (kind === 'post' ? paths.posts : paths.pages)(slug, next)
  const [filter, ask] = useAddressParameters(answered, addressOf)
  const { state, search, tag } = filter
  const to = (changed: PostsFilter) => addressOf({ ...filter, ...changed })

  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="max-w-full overflow-x-auto [scrollbar-width:none]">
        <LinkTabs
          label="State"
          look="segment"
          tabs={[
            { label: 'All', href: to({ state: undefined }), current: state === undefined, count: counts.all },
            ...states.map((one) => ({
              label: stateLabel(one),
              href: to({ state: one }),
              current: state === one,
              count: counts[one],
            })),
          ]}
        />
      </div>
      <div className="w-full sm:w-52">
        <SearchBox
          label={kind === 'post' ? 'Find a post' : 'Find a page'}
          placeholder="Search by title or text"
          value={search ?? ''}
          onSearch={(next) => ask({ search: next || undefined })}
        />
      </div>
      {tags.length > 0 && (
        <div className="w-40">
          <Combobox
            aria-label="Tag"
            placeholder="All tags"
            options={tags.map((name) => ({ value: name, label: name }))}
            value={tag ?? null}
            onChange={(next) => ask({ tag: next ?? undefined })}
          />
        </div>
      )}
      {(search ?? tag) && (
        <LinkButton href={to({ search: undefined, tag: undefined })} variant="quiet">
          Clear filters
        </LinkButton>
      )}
    </search>
  )
}
