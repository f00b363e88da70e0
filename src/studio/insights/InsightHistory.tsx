'use client'

import { History as HistoryIcon } from 'lucide-react'
import { useTransition } from 'react'
import type { InsightVersion } from '#insights/saved/saved-insights'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { Versions } from '#studio/parts/Versions'
import type { Clock } from '#studio/parts/RelativeTime'
import { restoreVersion } from './changes'

interface InsightHistoryProps {
  slug: string
  id: string
  versions: readonly InsightVersion[]
  clock: Clock
  whyNot?: string
}

/** The versions of an insight, with the changes of each. */
export function InsightHistory({ versions, clock, ...context }: InsightHistoryProps) {
  if (versions.length < 2) return null
  const shown = versions.map((version, index) => ({
    ...versionEntryOf(version, versions[index + 1]),
    wayBack: index > 0 && <Restore version={version.version} {...context} />,
  }))
  return <Versions versions={shown} clock={clock} />
}

const versionEntryOf = (version: InsightVersion, before: InsightVersion | undefined) => ({
  version: version.version,
  by: version.changedBy,
  at: version.changedAt,
  lines: before ? differences(before, version) : ['Created'],
})

function Restore({
  slug,
  id,
  version,
  whyNot,
}: Pick<InsightHistoryProps, 'slug' | 'id' | 'whyNot'> & { version: number }) {
  const showToast = useToast()
  const { make, question } = useDirectChange()
  const [isPending, startTransition] = useTransition()
  const restore = () =>
    startTransition(async () => {
      const failed = await make(() => restoreVersion(slug, id, version), {
        saved: `Version ${version} restored`,
      })
      if (failed) showToast({ title: failed.error, tone: 'danger' })
    })
  return (
    <>
      <Button
        size="sm"
        icon={<Icon of={HistoryIcon} />}
        onClick={restore}
        busy={isPending}
        disabledReason={whyNot}
      >
        Restore
      </Button>
      {question}
    </>
  )
}

type InsightVersionFields = Pick<InsightVersion, 'name' | 'description'> & { question: object }

/** The changes from one version to the next, a line for each part: "period: 30d → 90d". */
export function differences(before: InsightVersionFields, after: InsightVersionFields): string[] {
  const was = partsOf(before)
  const is = partsOf(after)
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((part) => {
    const [one, other] = [was.get(part), is.get(part)]
    return one === other ? [] : [`${part}: ${one ?? 'nothing'} → ${other ?? 'nothing'}`]
  })
}

function partsOf({ name, description, question }: InsightVersionFields): Map<string, string> {
  return new Map(leavesOf({ name, description, ...question }, ''))
}

/** "series 1 event: $pageview": places are counted as people do. */
function leavesOf(value: unknown, path: string): [string, string][] {
  if (value === undefined || value === null || value === '') return []
  if (typeof value !== 'object') return [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, `${path} ${isList ? Number(key) + 1 : key}`.trim()),
  )
}
