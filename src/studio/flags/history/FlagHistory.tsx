'use client'

import { History } from 'lucide-react'
import { differences } from '#flags/differences'
import type { FlagVersion } from '#flags/history'
import type { CohortName } from '#persons/cohort'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { useDirectChange } from '#studio/parts/Change'
import { Versions } from '#studio/parts/Versions'
import type { Clock } from '#studio/parts/RelativeTime'
import { revertFlag } from '../actions'
import { namesIn } from '../editor/editor-choices'

interface FlagHistoryProps {
  slug: string
  flagKey: string
  /** The latest first. */
  versions: readonly FlagVersion[]
  cohorts: readonly CohortName[]
  clock: Clock
  whyNot: string | undefined
}

export function FlagHistory({ versions, cohorts, clock, ...context }: FlagHistoryProps) {
  const shown = versions.map((version, index) => ({
    ...version,
    lines: linesFor(version, versions[index + 1], cohorts),
    wayBack: index > 0 && <Revert version={version.version} {...context} />,
  }))
  return <Versions versions={shown} clock={clock} />
}

function linesFor(
  { flag, note }: FlagVersion,
  before: FlagVersion | undefined,
  cohorts: readonly CohortName[],
): string[] {
  if (!before) return ['Created']
  const archiving = archivingChange(before, flag)
  const lines = differences(before.flag, flag, namesIn({ cohorts }))
  const changes = [...archiving, ...lines]
  return changes.length === 0 && !note ? ['No changes'] : changes
}

function archivingChange(before: FlagVersion, { archivedAt }: FlagVersion['flag']): string[] {
  if (Boolean(before.flag.archivedAt) === Boolean(archivedAt)) return []
  return [archivedAt ? 'Archived' : 'Restored']
}

function Revert({
  slug,
  flagKey,
  version,
  whyNot,
}: Pick<FlagHistoryProps, 'slug' | 'flagKey' | 'whyNot'> & { version: number }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      destructive={false}
      title={`Restore version ${version}?`}
      body={
        <>
          {flagKey} is restored at once in every environment, as a new version.
          {question}
        </>
      }
      confirmLabel={`Restore version ${version}`}
      onConfirm={() =>
        make(() => revertFlag(slug, flagKey, version), { saved: `Version ${version} restored` })
      }
      trigger={
        <Button size="sm" icon={<Icon of={History} />} disabledReason={whyNot}>
          Restore
        </Button>
      }
    />
  )
}
