import { number, percent } from '../../../../../../../ui/format'
import { Panel } from '../../../../../../../ui/Panel'
import type { PostNumbers } from '../../../../../../../server/post-numbers'

type Blocked = Extract<Awaited<ReturnType<PostNumbers['blocked']>>, { done: true }>['blocked']

/** What the server counts and scripts never hear of, measured by what browsers confirm. */
export function BlockedShare({ blocked: { served, seen, share, note } }: { blocked: Blocked }) {
  return (
    <Panel title="Browsers that tell nothing" description="Of the last 30 days.">
      {share === null ? (
        <p className="text-pretty text-muted">
          Nobody was shown a variant yet. Try a headline or use a flag on a page: the server notes who was
          shown it, a browser confirms it, and the difference is who blocks scripts.
        </p>
      ) : (
        <div className="flex flex-col gap-1">
          <p className="text-2xl font-semibold">{percent(share)}</p>
          <p className="text-pretty text-muted">
            {number(served)} visitors were shown a variant, and {number(seen)} of their browsers said so. At
            most so many block scripts: some never came to where it stood.
          </p>
          {note && <p className="text-pretty text-muted">{note}</p>}
        </div>
      )}
    </Panel>
  )
}
