import { number, percent } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import type { PostNumbers } from '#posts/numbers'

type BlockedShareOutcome = Extract<Awaited<ReturnType<PostNumbers['blocked']>>, { done: true }>['blocked']

/** The share of visits that the server counts and scripts miss, measured by the visits that browsers confirm. */
export function BlockedShare({ blocked: { served, seen, share, note } }: { blocked: BlockedShareOutcome }) {
  return (
    <Panel title="Blocked browsers" description="Last 30 days.">
      {share === null ? (
        <p className="text-pretty text-muted">
          No data yet. Start a headline test or use a flag on a page: the share of variants shown by the
          server but not confirmed by the browser is an estimate of blocked scripts.
        </p>
      ) : (
        <div className="flex flex-col gap-1">
          <p className="text-2xl font-semibold">{percent(share)}</p>
          <p className="text-pretty text-muted">
            The server showed a variant to {number(served)} visitors; {number(seen)} browsers confirmed it.
            This is an upper bound: some visitors never scrolled to the variant.
          </p>
          {note && <p className="text-pretty text-muted">{note}</p>}
        </div>
      )}
    </Panel>
  )
}
