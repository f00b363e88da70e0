'use client'

import type { BucketBy, Condition } from '../../../../../../../flags/flag'
import { share } from '../../../../../../../flags/words'
import { number } from '../../../../../../../ui/format'
import { Counting } from '../../../../../Counting'
import { countFitting, type Fitting } from '../actions'

/** How many people a set is about. */
export function Matching({
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
    <Counting
      slug={slug}
      of={conditions}
      count={countFitting}
      words={(fitting) => wordsFor(fitting, letIn)}
    />
  )
}

function wordsFor({ matching, of, left }: Fitting, percentage: number): string {
  const fits = left.length > 0 ? 'Fits at most' : 'Fits'
  const said = `${fits} ${number(matching)} of the ${number(of)} people of the last 30 days`
  const letIn = Math.round((matching * percentage) / 100)
  const part =
    percentage === 100 || matching === 0 ? '' : `; ${share(percentage)} of them are about ${number(letIn)}`
  return [`${said}${part}.`, ...left].join(' ')
}
