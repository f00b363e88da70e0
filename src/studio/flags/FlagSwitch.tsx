'use client'

import { useOptimistic, useState, useTransition } from 'react'
import { mainEnvironment } from '#flags/flag'
import { Switch } from '#ui/form/Switch'
import { useToast } from '#ui/overlay/Toast'
import { Tooltip } from '#ui/overlay/Tooltip'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { turnFlag } from './actions'
import { ConfirmFlagSwitch } from './ConfirmFlagSwitch'

/** Turns a flag on or off, after a question where all visitors are; an undo is offered for a while. */
export function FlagSwitch({
  slug,
  flagKey,
  environment,
  isOn,
  rollout,
  whyNot,
}: {
  slug: string
  flagKey: string
  environment: string
  isOn: boolean
  /** The visitors who get the flag while it is on, in words. */
  rollout: string
  whyNot: string | undefined
}) {
  const showToast = useToast()
  const [shown, setShown] = useOptimistic(isOn)
  const [, startTransition] = useTransition()
  const [requestedState, setRequestedState] = useState<boolean>()

  const turn = (next: boolean, mayUndo = true) =>
    startTransition(async () => {
      setShown(next)
      const answer = await withNetworkErrors(() => turnFlag(slug, flagKey, environment, next))
      if (!answer.done)
        return showToast({ title: answer.problems.map(({ message }) => message).join(' '), tone: 'danger' })
      showToast({
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
      onChange={(next) => (environment === mainEnvironment ? setRequestedState(next) : turn(next))}
      disabled={whyNot !== undefined}
    />
  )
  // the whole row is a link; controls above it handle their own clicks
  return (
    <span className="relative z-1 inline-flex">
      <ConfirmFlagSwitch
        turning={
          requestedState === undefined ? undefined : { flagKey, environment, isOn: requestedState, rollout }
        }
        onConfirm={() => {
          if (requestedState !== undefined) turn(requestedState)
        }}
        onClose={() => setRequestedState(undefined)}
      />
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
