import { clsx } from 'clsx'
import type { PostVersion } from '#posts/history'
import { Anchor } from '#ui/Anchor'
import { paths } from '#studio/paths'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'

interface VersionListProps {
  slug: string
  id: string
  /** The latest first. */
  versions: readonly Omit<PostVersion, 'post'>[]
  current: number
  clock: Clock
}

export function VersionList({ slug, id, versions, current, clock }: VersionListProps) {
  return (
    <nav aria-label="Versions" className="overflow-clip rounded-lg border border-line bg-surface">
      <ol className="max-h-64 divide-y divide-line overflow-y-auto lg:max-h-160">
        {versions.map(({ version, by, at, note, isUnpublished }) => (
          <li
            key={version}
            className={clsx('relative px-4 py-2.5', version === current ? 'bg-pressed' : 'hover:bg-hover')}
          >
            <Anchor
              href={paths.postHistory(slug, id, { version })}
              aria-current={version === current ? 'page' : undefined}
              className="font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
            >
              Version {version}
            </Anchor>
            <p className="text-xs text-muted">
              {by}, <RelativeTime at={at} clock={clock} />
              {isUnpublished && ', not published'}
            </p>
            {note && <p className="mt-0.5 line-clamp-2 text-xs">{note}</p>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
