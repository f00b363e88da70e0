import { type Post, type PostState, stateOf } from '#posts/post'
import type { PostPanel, PostPageParameters, PostsFilter } from '#studio/paths'
import { type SearchParams, textOf } from '#studio/search-params'

export const states = ['draft', 'scheduled', 'published', 'archived'] as const satisfies readonly PostState[]

/** Ignores invalid values in the address. */
export const postsFilterIn = ({ state, search, tag }: SearchParams): PostsFilter => ({
  state: states.find((one) => one === state),
  search: textOf(search)?.slice(0, 200),
  tag: textOf(tag),
})

/** Filters by state; archived posts are listed only on request. */
export const inState = (posts: readonly Post[], state: PostState | undefined, now: Date): Post[] =>
  posts.filter((post) => (state === undefined ? post.archivedAt === undefined : stateOf(post, now) === state))

/** The number of posts in each state, for the chips above a list. */
export function countsOf(posts: readonly Post[], now: Date): Record<PostState | 'all', number> {
  const counts = { all: 0, draft: 0, scheduled: 0, published: 0, archived: 0 }
  for (const post of posts) {
    const state = stateOf(post, now)
    counts[state] += 1
    if (state !== 'archived') counts.all += 1
  }
  return counts
}

const panels = ['preview', 'settings', 'headlines', 'readers'] as const satisfies readonly PostPanel[]

export const readingPeriods = [
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '12mo', label: '12 months' },
] as const

/** The state of a post's page, from its address. */
export const postParametersIn = ({
  panel,
  period,
  goal,
  by,
}: SearchParams): PostPageParameters & { period: string } => ({
  panel: panels.find((one) => one === panel),
  period: readingPeriods.find(({ value }) => value === period)?.value ?? '30d',
  goal: textOf(goal)?.slice(0, 200),
  by: by === 'first' || by === 'last' ? by : undefined,
})
