'use client'

import { useOptimistic, useTransition } from 'react'
import { Switch } from '../../../../../../ui/Switch'
import { useToast } from '../../../../../../ui/Toast'
import { Tooltip } from '../../../../../../ui/Tooltip'
import { reached } from '../../../../reached'
import { turnFlag } from './actions'

/** Turns a flag on or off at once; the way back is offered for a while. */
export function TurnSwitch({
  slug,
  flagKey,
  environment,
  isOn,
  whyNot,
}: {
  slug: string
  flagKey: string
  environment: string
  isOn: boolean
  whyNot: string | undefined
}) {
  const say = useToast()
  const [shown, setShown] = useOptimistic(isOn)
  const [, startTransition] = useTransition()

  const turn = (next: boolean, mayUndo = true) =>
    startTransition(async () => {
      setShown(next)
      const answer = await reached(() => turnFlag(slug, flagKey, environment, next))
      if (!answer.done)
        return say({ title: answer.problems.map(({ message }) => message).join(' '), tone: 'danger' })
      say({
        title: `${flagKey} is ${next ? 'on' : 'off'} in ${environment}`,
        tone: 'success',
        action: mayUndo ? { label: 'Undo', onSelect: () => turn(!next, false) } : undefined,
      })
    })

  const control = (
    <Switch
      label={`${flagKey} in ${environment}`}
      labelHidden
      checked={shown}
      onChange={(next) => turn(next)}
      disabled={whyNot !== undefined}
    />
  )
  // the row is a link as a whole: what is above it is pressed by itself
  return (
    <span className="relative z-1 inline-flex">
      {whyNot === undefined ? (
        control
      ) : (
        <Tooltip label={whyNot}>
          <span>{control}</span>
        </Tooltip>
      )}
    </span>
  )
}
