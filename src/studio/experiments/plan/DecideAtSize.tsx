'use client'

import { Button } from '#ui/Button'
import { number } from '#ui/format'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { changeExperiment } from '../actions'

interface DecideAtSizeProps {
  slug: string
  id: string
  /** The people that each variant needs. */
  units: number
  whyNot: string | undefined
}

/** Makes the planned size the rule of the decision. */
export function DecideAtSize({ slug, id, units, whyNot }: DecideAtSizeProps) {
  const showToast = useToast()
  const { make, question } = useDirectChange()
  async function decide() {
    const decision = { rule: 'planned-size', units }
    const failed = await make(() => changeExperiment(slug, id, { analysis: { decision } }), {
      saved: `It decides once every variant has ${number(units)} people`,
    })
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }
  return (
    <>
      {question}
      <SizeOffer units={units} whyNot={whyNot} onDecide={() => void decide()} />
    </>
  )
}

export const SizeOffer = ({
  units,
  whyNot,
  onDecide,
}: Pick<DecideAtSizeProps, 'units' | 'whyNot'> & { onDecide: () => void }) => (
  <div className="flex flex-wrap items-center gap-3">
    <Button onClick={onDecide} disabledReason={whyNot}>
      Decide at {number(units)} people in each variant
    </Button>
    <p className="text-muted">
      Once, with narrower intervals than at any time. Until then there is only a reading.
    </p>
  </div>
)
