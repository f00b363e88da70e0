'use client'

import type { BucketBy, Condition } from '#flags/flag'
import { percentText } from '#flags/words'
import { number } from '#ui/format'
import { LiveCount } from '#app/(studio)/LiveCount'
import { countAudience, type AudienceCount } from '../actions'

/** How many people a set is about. */
export function AudienceSize({
  slug,
  conditions,
  percentage,
  bucketBy,
}: {
  slug: string
  conditions: readonly Condition[]
  percentage: number
  bucketBy: BucketBy
}) {
  const letIn = bucketBy.by === 'person' ? percentage : 100
  return (
    <LiveCount
      slug={slug}
      of={conditions}
      count={countAudience}
      words={(fitting) => audienceText(fitting, letIn)}
    />
  )
}

function audienceText({ matching, of, left }: AudienceCount, percentage: number): string {
  const fits = left.length > 0 ? 'Matches at most' : 'Matches'
  const said = `${fits} ${number(matching)} of the ${number(of)} people of the last 30 days`
  const letIn = Math.round((matching * percentage) / 100)
  const part =
    percentage === 100 || matching === 0
      ? ''
      : `; a rollout of ${percentText(percentage)} is about ${number(letIn)}`
  return [`${said}${part}.`, ...left].join(' ')
}
