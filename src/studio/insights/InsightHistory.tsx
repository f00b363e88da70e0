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
import { differences } from './differences'

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
