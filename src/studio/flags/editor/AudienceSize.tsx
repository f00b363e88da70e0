'use client'

import type { ReactNode } from 'react'
import type { BucketBy, Condition } from '#flags/flag'
import { percentText } from '#flags/words'
import { Anchor } from '#ui/Anchor'
import { number, plural } from '#ui/format'
import { paths } from '#studio/paths'
import { LiveCount } from '#studio/parts/LiveCount'
import { countAudience, type AudienceCount } from '../actions'

/** The number of people that a condition set applies to. */
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
      words={(audience) => audienceText(slug, audience, letIn)}
    />
  )
}

function audienceText(slug: string, audience: AudienceCount, percentage: number): ReactNode {
  const { matching, filter, usesRequest } = audience
  return (
    <>
      {countText(audience, percentage)}
      {usesRequest &&
        ' People count by their last known place and device; the flag asks those of each request.'}
      {matching > 0 && (
        <>
          {' '}
          <Anchor href={listOf(slug, filter)} className="whitespace-nowrap underline hover:text-ink">
            Show {matching === 1 ? 'this person' : `these ${plural(matching, 'person', 'people')}`}
          </Anchor>
        </>
      )}
    </>
  )
}

const listOf = (slug: string, filter: AudienceCount['filter']): string =>
  paths.people(slug, { period: '30d', filter: filter && JSON.stringify(filter) })

function countText({ matching, of, left }: AudienceCount, percentage: number): string {
  const fits = left.length > 0 ? 'Matches at most' : 'Matches'
  const sentence = `${fits} ${number(matching)} of the ${number(of)} people of the last 30 days`
  const letIn = Math.round((matching * percentage) / 100)
  const part =
    percentage === 100 || matching === 0
      ? ''
      : `; a rollout of ${percentText(percentage)} is about ${number(letIn)}`
  return [`${sentence}${part}.`, ...left].join(' ')
}
