'use client'

import { History } from 'lucide-react'
import { differences } from '../../../../../../../../../flags/differences'
import type { FlagVersion } from '../../../../../../../../../flags/history'
import type { CohortName } from '../../../../../../../../../persons/cohort'
import { AlertDialog } from '../../../../../../../../../ui/AlertDialog'
import { Button } from '../../../../../../../../../ui/Button'
import { Icon } from '../../../../../../../../../ui/Icon'
import { useDirectChange } from '../../../../../../../Change'
import { Versions } from '../../../../../../../Versions'
import type { Clock } from '../../../../../../../When'
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

export function FlagHistory({ versions, cohorts, clock, ...ground }: HistoryProps) {
  const shown = versions.map((version, place) => ({
    ...version,
    lines: linesFor(version, versions[place + 1], cohorts),
    wayBack: place > 0 && <Revert version={version.version} {...ground} />,
  }))
  return <Versions versions={shown} clock={clock} />
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
