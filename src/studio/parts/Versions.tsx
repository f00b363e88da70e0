'use client'

import type { ReactNode } from 'react'
import { Panel } from '#ui/page/Panel'
import { type Clock, RelativeTime } from './RelativeTime'

interface VersionEntry {
  version: number
  by: string
  at: Date
  note?: string | undefined
  /** The version's changes, a line each. */
  lines: readonly string[]
  /** Missing on the latest. */
  wayBack: ReactNode
}

interface VersionsProps {
  /** The latest first. */
  versions: readonly VersionEntry[]
  clock: Clock
}

/** The versions with their authors and changes, and a button that restores each. */
export function Versions({ versions, clock }: VersionsProps) {
  return (
    <Panel flush title="History" description="Any version can be restored. Restoring creates a new version.">
      <ol className="divide-y divide-line border-t border-line">
        {versions.map((version) => (
          <Version key={version.version} {...version} clock={clock} />
        ))}
      </ol>
    </Panel>
  )
}

function Version({ version, by, at, note, lines, clock, wayBack }: VersionEntry & { clock: Clock }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow basis-64">
        <p className="font-medium">
          Version {version}
          <span className="font-normal text-muted">
            {' '}
            by {by}, <RelativeTime at={at} clock={clock} />
          </span>
        </p>
        {note && <p className="mt-1">{note}</p>}
        <ul className="mt-1 text-xs text-muted">
          {lines.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      </div>
      {wayBack}
    </li>
  )
}
