'use client'

import { History } from 'lucide-react'
import { differences } from '../../../../../../../../../flags/differences'
import type { FlagVersion } from '../../../../../../../../../flags/history'
import type { CohortName } from '../../../../../../../../../persons/cohort'
import { AlertDialog } from '../../../../../../../../../ui/AlertDialog'
import { Button } from '../../../../../../../../../ui/Button'
import { Icon } from '../../../../../../../../../ui/Icon'
import { Panel } from '../../../../../../../../../ui/Panel'
import { useDirectChange } from '../../../../../../../Change'
import { type Clock, When } from '../../../../../../../When'
import { revertFlag } from '../../../actions'
import { namesIn } from '../../../editor/ground'

interface HistoryProps {
  slug: string
  flagKey: string
  /** The latest first. */
  versions: readonly FlagVersion[]
  cohorts: readonly CohortName[]
  clock: Clock
  whyNot: string | undefined
}

/** Who changed what and when, and the way back to any of it. */
export function FlagHistory({ versions, ...ground }: HistoryProps) {
  return (
    <Panel flush title="History" description="Every version can be brought back; nothing in between is lost.">
      <ol className="divide-y divide-line border-t border-line">
        {versions.map((version, place) => (
          <Version
            key={version.version}
            version={version}
            before={versions[place + 1]}
            isNewest={place === 0}
            {...ground}
          />
        ))}
      </ol>
    </Panel>
  )
}

type VersionProps = Omit<HistoryProps, 'versions'> & {
  version: FlagVersion
  before: FlagVersion | undefined
  isNewest: boolean
}

function Version({ version, before, isNewest, clock, cohorts, ...ground }: VersionProps) {
  const lines = linesFor(version, before, cohorts)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow basis-64">
        <p className="font-medium">
          Version {version.version}
          <span className="font-normal text-muted">
            {' '}
            by {version.by}, <When at={version.at} clock={clock} />
          </span>
        </p>
        {version.note && <p className="mt-1">{version.note}</p>}
        <ul className="mt-1 text-xs text-muted">
          {lines.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      </div>
      {!isNewest && <Revert version={version.version} {...ground} />}
    </li>
  )
}

function linesFor(
  { flag, note }: FlagVersion,
  before: FlagVersion | undefined,
  cohorts: readonly CohortName[],
): string[] {
  if (!before) return ['The beginning']
  const archiving = archivingWords(before, flag)
  const lines = differences(before.flag, flag, namesIn({ cohorts }))
  const said = [...archiving, ...lines]
  return said.length === 0 && !note ? ['Nothing changed'] : said
}

function archivingWords(before: FlagVersion, { archivedAt }: FlagVersion['flag']): string[] {
  if (Boolean(before.flag.archivedAt) === Boolean(archivedAt)) return []
  return [archivedAt ? 'Archived' : 'Brought back']
}

function Revert({
  slug,
  flagKey,
  version,
  whyNot,
}: Pick<HistoryProps, 'slug' | 'flagKey' | 'whyNot'> & { version: number }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      destructive={false}
      title={`Back to version ${version}?`}
      body={
        <>
          {flagKey} becomes what it was then, at once and in every environment, as a version of its own.
          {question}
        </>
      }
      confirmLabel="Bring it back"
      onConfirm={() =>
        make(() => revertFlag(slug, flagKey, version), { saved: `Version ${version} is back` })
      }
      trigger={
        <Button size="sm" icon={<Icon of={History} />} disabledReason={whyNot}>
          Bring back
        </Button>
      }
    />
  )
}
