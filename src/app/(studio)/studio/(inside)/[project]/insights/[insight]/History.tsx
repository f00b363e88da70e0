'use client'

import { History as HistoryIcon } from 'lucide-react'
import { useTransition } from 'react'
import type { InsightVersion } from '../../../../../../../insights/saved-insights'
import { Button } from '../../../../../../../ui/Button'
import { Icon } from '../../../../../../../ui/Icon'
import { useToast } from '../../../../../../../ui/Toast'
import { useDirectChange } from '../../../../../Change'
import { restoreVersion } from '../../../../../insights/changes'
import { Versions } from '../../../../../Versions'
import type { Clock } from '../../../../../When'
import { differences } from './differences'

interface HistoryProps {
  slug: string
  id: string
  versions: readonly InsightVersion[]
  clock: Clock
  whyNot?: string
}

/** Everything the insight ever said, and what each change changed. */
export function History({ versions, clock, ...ground }: HistoryProps) {
  if (versions.length < 2) return null
  const shown = versions.map((version, place) => ({
    ...saidOf(version, versions[place + 1]),
    wayBack: place > 0 && <Restore version={version.version} {...ground} />,
  }))
  return <Versions versions={shown} clock={clock} />
}

const saidOf = (version: InsightVersion, before: InsightVersion | undefined) => ({
  version: version.version,
  by: version.changedBy,
  at: version.changedAt,
  lines: before ? differences(before, version) : ['The beginning'],
})

function Restore({
  slug,
  id,
  version,
  whyNot,
}: Pick<HistoryProps, 'slug' | 'id' | 'whyNot'> & { version: number }) {
  const say = useToast()
  const { make, question } = useDirectChange()
  const [isPending, startTransition] = useTransition()
  const restore = () =>
    startTransition(async () => {
      const failed = await make(() => restoreVersion(slug, id, version), {
        saved: `Version ${version} is back`,
      })
      if (failed) say({ title: failed.error, tone: 'danger' })
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
        Bring back
      </Button>
      {question}
    </>
  )
}
